import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import type { Either, Failure } from '../../../../core/failure.ts'
import { eq } from '../../../../core/kernel/records/record.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'
import { SEED } from '../../../size.ts'
import { failureOf, NOW, right } from '../world.ts'
import { HOLDER } from './assert-leaves-once.ts'
import { type TwoEmptyAccounts, twoEmptyAccounts } from './two-accounts.ts'

/** The fees and limits of both accounts, in cents. */
const FEES = { pixInCents: 30, pixOutCents: 100 }
const LIMITS = { pixOutPerTransactionCents: 50_000, pixOutDailyCents: 90_000, pixOutNightlyCents: 40_000 }

type Of = 0 | 1

/** The commands; accounts and receiving accounts are numbers. */
type Command =
  | { readonly does: 'receive'; readonly of: Of; readonly cents: number }
  | { readonly does: 'withdraw'; readonly of: Of; readonly to: number; readonly cents: number }
  | { readonly does: 'transfer'; readonly of: Of; readonly cents: number }
  | { readonly does: 'refund'; readonly of: Of; readonly charge: number; readonly cents: number | null }
  | { readonly does: 'wait'; readonly seconds: number }

/** Mostly one of them, so that things come together. */
const of = fc.constantFrom<Of>(0, 0, 0, 1)
/** Few values, so that the same comes again, and those around the limits. */
const cents = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1_000) },
  { weight: 2, arbitrary: fc.constantFrom(1, 39_000, 40_000, 50_000, 50_001) },
  fc.integer({ min: 1, max: 60_000 }),
)
/** Most deposits cover several payments. */
const received = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 20_000, max: 100_000 }) }, cents)
/** Those around the windows of what is the same, and enough to come from day to night. */
const seconds = fc.constantFrom(1, 1_799, 1_800, 3_600, 3_600, 36_000)

/** Null refunds the rest. */
const any = fc.option(cents, { nil: null })

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('receive' as const), of, cents: received }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('withdraw' as const), of, to: fc.nat({ max: 1 }), cents }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('transfer' as const), of, cents }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('refund' as const), of, charge: fc.nat({ max: 3 }), cents: any }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('wait' as const), seconds }) },
)

const commands = (most: number): fc.Arbitrary<readonly Command[]> =>
  fc.array(command, { minLength: 1, maxLength: most, size: 'max' })

type ModelLine = readonly [typeId: number, cents: number, balanceCents: number]

interface Account {
  readonly balanceCents: number
  readonly lines: readonly ModelLine[]
  /** When the same was sent last, by what makes it the same, in milliseconds. */
  readonly sent: Readonly<Record<string, number>>
  /** The sum of the payments in each window. */
  readonly left: Readonly<Record<string, number>>
  /** The refundable rest of each received Pix. */
  readonly received: readonly number[]
}

/** The state of two accounts that decides the result of a command. */
interface Model {
  readonly nowMs: number
  readonly accounts: readonly [Account, Account]
}

const EMPTY: Account = { balanceCents: 0, lines: [], sent: {}, left: {}, received: [] }

const START: Model = { nowMs: Date.parse(NOW), accounts: [EMPTY, EMPTY] }

const HOUR_MS = 3_600_000
/** São Paulo is three hours behind, and has had no other time since 2019. */
const BEHIND_MS = 3 * HOUR_MS

/** The limits that bind at an instant: of the whole day, and from 20 to 6 of the night. */
const windowsAt = (nowMs: number): readonly (readonly [name: string, most: number])[] => {
  const hours = Math.floor((nowMs - BEHIND_MS) / HOUR_MS)
  const [day, hour] = [Math.floor(hours / 24), hours % 24]
  const ofDay = [`day ${day}`, LIMITS.pixOutDailyCents] as const
  if (hour >= 6 && hour < 20) return [ofDay]
  return [ofDay, [`night ${hour < 6 ? day - 1 : day}`, LIMITS.pixOutNightlyCents]]
}

const booked = (account: Account, ...amounts: readonly (readonly [number, number])[]): Account => {
  const lines: ModelLine[] = [...account.lines]
  let { balanceCents } = account
  for (const [typeId, valueCents] of amounts) {
    balanceCents += valueCents
    lines.push([typeId, valueCents, balanceCents])
  }
  return { ...account, balanceCents, lines }
}

const changed = ({ nowMs, accounts: [a, b] }: Model, at: Of, next: Account): Model => ({
  nowMs,
  accounts: at === 0 ? [next, b] : [a, next],
})

type Told = readonly [code: string, after: Model]

/** Returns the result of a command and the state afterwards, by the rules alone. */
const told = (model: Model, given: Command): Told => {
  const { nowMs } = model
  if (given.does === 'wait') return ['ok', { ...model, nowMs: nowMs + given.seconds * 1_000 }]
  const own = model.accounts[given.of]
  if (given.does === 'receive') return ['ok', changed(model, given.of, receivedBy(own, given.cents))]
  if (given.does === 'refund') return refunded(model, own, given)
  const place = given.does === 'withdraw' ? `to ${given.to}: ${given.cents}` : `moved: ${given.cents}`
  const sinceMs = nowMs - (own.sent[place] ?? Number.NEGATIVE_INFINITY)
  const sent = { ...own.sent, [place]: nowMs }
  const windows = windowsAt(nowMs)
  const left = { ...own.left }
  for (const [name] of windows) left[name] = (left[name] ?? 0) + given.cents
  const isOver = windows.some(([name, most]) => (left[name] ?? 0) > most)
  if (given.does === 'transfer') {
    if (isOver) return ['withdrawal.limit-left', model]
    if (sinceMs < HOUR_MS / 2) return ['transfer.repeated', model]
    if (own.balanceCents < given.cents) return ['transfer.balance', model]
    const other: Of = given.of === 0 ? 1 : 0
    const after = changed(model, given.of, { ...booked(own, [8, -given.cents]), sent, left })
    return ['ok', changed(after, other, booked(after.accounts[other], [7, given.cents]))]
  }
  if (given.cents > LIMITS.pixOutPerTransactionCents) return ['withdrawal.limit', model]
  if (isOver) return ['withdrawal.limit-left', model]
  if (sinceMs < HOUR_MS) return ['withdrawal.repeated', model]
  if (own.balanceCents < given.cents + FEES.pixOutCents) return ['balance.insufficient', model]
  const paid = booked(own, [2, -given.cents], [4, -FEES.pixOutCents])
  return ['ok', changed(model, given.of, { ...paid, sent, left })]
}

const receivedBy = (own: Account, cents: number): Account => ({
  ...booked(own, [1, cents], [3, -Math.min(FEES.pixInCents, cents)]),
  received: [...own.received, cents],
})

const refunded = (model: Model, own: Account, given: Command & { readonly does: 'refund' }): Told => {
  const leftCents = own.received[given.charge]
  if (leftCents === undefined) return ['nothing', model]
  if (leftCents < (given.cents ?? 1)) return ['refund.left', model]
  const cents = given.cents ?? leftCents
  if (own.balanceCents < cents) return ['refund.balance', model]
  const received = own.received.map((each, at) => (at === given.charge ? each - cents : each))
  return ['ok', changed(model, given.of, { ...booked(own, [5, -cents]), received })]
}

/** The first place has a key; the other has not. */
const KEYS = ['maria@example.com']

const codeOf = (outcome: Either<Failure, unknown>): string => {
  const left = failureOf(outcome)
  return left?.tag === 'invalid' ? left.issues.map(({ code }) => code).join() : (left?.code ?? 'ok')
}

/** Both accounts as they are served, and what came in by which charge. */
const servedBy = (business: TwoEmptyAccounts) => {
  const { pay, paid, clock, from, to } = business
  const both = [from, to] as const
  const received: [number[], number[]] = [[], []]
  return async (given: Command): Promise<string> => {
    if (given.does === 'wait') {
      clock.advance(given.seconds)
      return 'ok'
    }
    const { of, cents } = given
    const [own, other] = [both[of], both[of === 0 ? 1 : 0]]
    const { member } = own
    if (given.does === 'receive') {
      received[of].push((await paid(own, given.cents)).id)
      return 'ok'
    }
    if (given.does === 'refund') {
      const id = received[of][given.charge]
      return id === undefined ? 'nothing' : codeOf(await pay.charges.refund(member, id, { valueCents: cents })())
    }
    const valueCents = given.cents
    if (given.does === 'transfer')
      return codeOf(await pay.transfers.send(member, { apiKey: other.apiKey, valueCents })())
    const key = KEYS[given.to]
    return codeOf(
      key === undefined
        ? await pay.withdrawals.payAccount(member, { ...HOLDER, valueCents })()
        : await pay.withdrawals.payKey(member, { key, valueCents })(),
    )
  }
}

/** The lines of an account, in their order, with the balance after each. */
const linesOf = async (store: Store, accountId: number) => {
  const sort = { by: 'seq', dir: 'asc' } as const
  const where = eq<'accountId'>('accountId', accountId)
  const { records } = await store.list(listOf(entries, { where, sort, limit: 500 }))
  return records.map(({ typeId, valueCents, balanceCents }) => [typeId, valueCents, balanceCents])
}

/** Whatever is done in whatever order, everybody is told what the model says, and both ledgers are its own. */
export const assertModel = async (
  t: ExecutionContext,
  store: () => Store,
  { runs, most }: { readonly runs: number; readonly most: number },
): Promise<void> => {
  const codes = new Set<string>()
  let runsBegun = 0
  const run = async (all: readonly Command[]): Promise<void> => {
    // Random values in a shared store differ each time.
    runsBegun += 1
    const business = await twoEmptyAccounts({ store: store(), seed: SEED + runsBegun })
    const { pay, from, to } = business
    for (const { id } of [from, to]) right(await pay.accounts.setTerms(id, { fees: FEES, limits: LIMITS })())
    const serve = servedBy(business)
    let model: Model = START
    for (const [at, given] of all.entries()) {
      const [code, after] = told(model, given)
      const said = await serve(given)
      if (said !== code) throw new Error(`command ${at + 1}, ${JSON.stringify(given)}: ${said}, and not ${code}`)
      codes.add(`${given.does} ${code}`)
      model = after
    }
    const served = [await linesOf(business.store, from.id), await linesOf(business.store, to.id)]
    const expected = model.accounts.map(({ lines }) => lines)
    if (JSON.stringify(served) !== JSON.stringify(expected))
      throw new Error(`${JSON.stringify(served)}, and not ${JSON.stringify(expected)}`)
    const books = model.accounts.map(({ balanceCents }) => [balanceCents, balanceCents])
    const held = await business.books()
    if (JSON.stringify(held) !== JSON.stringify(books)) throw new Error(`${held}, and not ${books}`)
  }
  await t.notThrowsAsync(fc.assert(fc.asyncProperty(commands(most), run), { numRuns: runs, seed: SEED }))
  t.log([...codes].toSorted().join(', '))
}
