import fc from 'fast-check'
import { type Change, insert } from '../../../../core/kernel/records/record.ts'
import type { Fresh } from '../../../../core/kernel/running/use-case.ts'
import { addDays, dayOf } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { type Line, newLedgerAccount, post, transactionTypes } from '../../../../core/payments/ledger/ledger.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { anAccount } from '../records.ts'

/** The last day of every ledger. */
export const TODAY = '2026-11-23'
export const NOW = `${TODAY}T13:05:09.123Z`
/** Exceeds the default ranges of all statements, and the months of a chart. */
const LONGEST = 420

/** An entry in the model. */
export interface Written {
  readonly id: number
  readonly day: string
  readonly typeId: number
  readonly status: number
  readonly cents: number
  /** The balance of its book after it. */
  readonly balanceCents: number
  readonly text: string
}

interface Movement {
  readonly daysAgo: number
  readonly kind: 'main' | 'card'
  readonly lines: readonly { readonly typeId: number; readonly cents: number }[]
  readonly text: string
}

const line = (typeIds: readonly number[]) =>
  fc
    .record({ typeId: fc.constantFrom(...typeIds), cents: fc.integer({ min: 1, max: 100_000 }), isOut: fc.boolean() })
    .map(({ typeId, cents, isOut }) => {
      const goes = transactionTypes.find(({ id }) => id === typeId)?.direction
      return { typeId, cents: goes === 'out' || (goes === 'both' && isOut) ? -cents : cents }
    })

const MAIN = transactionTypes.map(({ id }) => id).filter((id) => id !== 16)
const text = fc.constantFrom('mensalidade', 'José', 'Maria')
const main = fc.record({
  kind: fc.constant('main' as const),
  lines: fc.array(line(MAIN), { minLength: 1, maxLength: 3 }),
  text,
})
const card = fc.record({
  kind: fc.constant('card' as const),
  lines: fc.array(line([16, 17]), { minLength: 1, maxLength: 2 }),
  text,
})
const daysAgo = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
  fc.integer({ min: 0, max: LONGEST }),
)

/** Movements of an account, sorted by day, most of them recent. */
export const ledgers: fc.Arbitrary<readonly Movement[]> = fc
  .array(
    fc
      .tuple(daysAgo, fc.oneof({ weight: 4, arbitrary: main }, card))
      .map(([ago, movement]) => ({ ...movement, daysAgo: ago })),
    { maxLength: 40 },
  )
  .map((all) => [...all].sort((a, b) => b.daysAgo - a.daysAgo))

/** Returns ids that stay unique over all ledgers of a store. */
export const draws = () => {
  let [ids, uuids] = [0, 0]
  const constants = { text: () => '', bytes: () => new Uint8Array() }
  const counts = { id: () => ++ids, uuid: () => `j${++uuids}` }
  const freshAt = (now: string): Fresh => ({ now, steady: now, today: dayOf(now), ...counts, ...constants })
  return { freshAt, drawn: () => ids }
}

/** Opens an account and posts a ledger to it, up to three movements a commit. Returns the entries of the model. */
export const posted = async (
  store: Store,
  { freshAt, drawn }: ReturnType<typeof draws>,
  accountId: number,
  movements: readonly Movement[],
): Promise<readonly Written[]> => {
  const own = { id: accountId, uuid: `u${accountId}`, codeAccount: `A${accountId}`, account: `${accountId}` }
  const opened = noonOf(LONGEST + 1)
  await store.commit([insert(accounts, anAccount(own)), newLedgerAccount(accountId, 'main', opened)])
  const written: Written[] = []
  const balances = { main: 0, card: 0 }
  let waiting: Change[] = []
  for (const [at, movement] of movements.entries()) {
    const { daysAgo: ago, kind, lines, text: description } = movement
    const first = drawn() + 1
    for (const [index, { typeId, cents }] of lines.entries()) {
      balances[kind] += cents
      const shown = { day: addDays(TODAY, -ago), typeId, status: kind === 'card' ? 5 : 1, text: description }
      written.push({ id: first + index, ...shown, cents, balanceCents: balances[kind] })
    }
    waiting.push(
      ...post(freshAt(noonOf(ago)), {
        accountId,
        kind,
        cause: `${at}`,
        lines: lines.flatMap(({ typeId, cents }): Line[] => {
          const type = transactionTypes.find(({ id }) => id === typeId)
          return type ? [{ type, valueCents: cents, against: 'clearing' }] : []
        }),
        details: { ...NO_DETAILS, description },
      }),
    )
    if (at % 3 !== 2) continue
    await committed(store, waiting)
    waiting = []
  }
  await committed(store, waiting)
  return written
}

const NO_DETAILS = { chargeId: null, txid: null, endToEnd: null, payer: null, receiver: null }

const noonOf = (ago: number): string => `${addDays(TODAY, -ago)}T12:00:00.000Z`

const committed = async (store: Store, changes: readonly Change[]): Promise<void> => {
  const outcome = await store.commit(changes)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
}
