import fc from 'fast-check'
import { NOW } from './two-accounts.ts'

/** The fees and limits of both accounts, in cents. */
export const FEES = { pixInCents: 30, pixOutCents: 100 }
export const LIMITS = {
  pixOutPerTransactionCents: 50_000,
  pixOutDailyCents: 90_000,
  pixOutNightlyCents: 40_000,
}

type Of = 0 | 1

/** The commands; accounts and receiving accounts are numbers. */
export type Command =
  | { readonly does: 'receive'; readonly of: Of; readonly cents: number }
  | { readonly does: 'withdraw'; readonly of: Of; readonly to: number; readonly cents: number }
  | { readonly does: 'transfer'; readonly of: Of; readonly cents: number }
  | { readonly does: 'refund'; readonly of: Of; readonly charge: number; readonly cents: number | null }
  | { readonly does: 'wait'; readonly seconds: number }

export const PLACES = 2

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

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('receive' as const), of, cents: received }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('withdraw' as const), of, to: fc.nat({ max: PLACES - 1 }), cents }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('transfer' as const), of, cents }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      of,
      charge: fc.nat({ max: 3 }),
      cents: fc.option(cents, { nil: null }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('wait' as const), seconds }) },
)

export const commands = (most: number): fc.Arbitrary<readonly Command[]> =>
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
export interface Model {
  readonly nowMs: number
  readonly accounts: readonly [Account, Account]
}

const EMPTY: Account = { balanceCents: 0, lines: [], sent: {}, left: {}, received: [] }

export const START: Model = { nowMs: Date.parse(NOW), accounts: [EMPTY, EMPTY] }

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
export const told = (model: Model, given: Command): Told => {
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
