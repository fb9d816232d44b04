import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import type { Failure } from '../../../../core/failure.ts'
import type { Either } from '../../../../core/fp.ts'
import { eq } from '../../../../core/kernel/records/where.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'
import { SEED } from '../../../size.ts'
import { failureOf, right } from '../access/test-ports.ts'
import { HOLDER } from './assert-leaves-once.ts'
import { type Command, commands, FEES, LIMITS, type Model, START, told } from './money-model.ts'
import { paidByPix, type TwoEmptyAccounts, twoEmptyAccounts } from './two-accounts.ts'

/** The first place has a key; the other has not. */
const KEYS = ['maria@example.com']
const MOST_LINES = 500

const codeOf = (outcome: Either<Failure, unknown>): string => {
  const left = failureOf(outcome)
  return left?.tag === 'invalid' ? left.issues.map(({ code }) => code).join() : (left?.code ?? 'ok')
}

/** Both accounts as they are served, and what came in by which charge. */
const servedBy = (business: TwoEmptyAccounts) => {
  const { pay, clock, from, to } = business
  const both = [from, to] as const
  const received: [number[], number[]] = [[], []]
  return async (given: Command): Promise<string> => {
    if (given.does === 'wait') {
      clock.advance(given.seconds)
      return 'ok'
    }
    const { of, cents } = given
    const [{ member }, other] = [both[of], both[of === 0 ? 1 : 0]]
    if (given.does === 'receive') {
      received[of].push((await paidByPix(pay, member, given.cents)).id)
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
  const { records } = await store.list(listOf(entries, { where, sort, limit: MOST_LINES }))
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
