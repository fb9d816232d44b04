import type { ExecutionContext } from 'ava'
import { always, type Change, gte, insert, patch } from '../../../core/kernel/records/record.ts'
import { byId, groupOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { faultOf, posting, statement } from '../../contracts/store/commits.ts'
import { account, accounts, claim, claims, entries, thing, things } from '../../fixtures/things.ts'

const ACCOUNTS = ['a', 'b', 'c']
const PURSE = 'purse'
const PURSE_CENTS = 1_000_000

const accountOf = (number: number): string => ACCOUNTS[number % ACCOUNTS.length] ?? ''

/** A payment of several records with keys and tallies: an account, its entry, a claim and a thing. */
const payment = (number: number): readonly Change[] => [
  ...posting(accountOf(number), number, (number % 13) + 1),
  insert(claims, claim(`paid ${number}`)),
  insert(things, thing(number, { document: `d${number}`, status: 'open', valueCents: number })),
]

/** A single write without an id, so that a lost response leaves its outcome unknown. */
const spend = patch(accounts, PURSE, { add: { availableCents: -1, seq: 1 }, when: gte('availableCents', 1) })

export interface Run {
  readonly paid: ReadonlySet<number>
  readonly spent: number
  /** Spends with a lost response. */
  readonly doubtful: number
  /** The number of commits that were rejected as unavailable. */
  readonly rejected: number
}

export const openAccounts = async (store: Store): Promise<void> => {
  await store.commit([
    ...ACCOUNTS.map((id) => insert(accounts, account(id))),
    insert(accounts, account(PURSE, { availableCents: PURSE_CENTS })),
  ])
}

/** Callbacks during a run. */
export interface Watch {
  paid?(count: number): Promise<void> | void
  rejected?(error: StoreUnavailable): void
}

const LANES = 16

/**
 * Pays all numbers, many at once, and spends once for every fourth. Retries while the store is unavailable, as a use
 * case does: a conflict then means that the payment was committed before.
 */
export const pay = async (stores: readonly Store[], numbers: readonly number[], watch: Watch = {}): Promise<Run> => {
  const paid = new Set<number>()
  const run = { paid, spent: 0, doubtful: 0, rejected: 0 }
  const queue = [...numbers]

  const commit = async (store: Store, changes: readonly Change[]) => {
    try {
      return await store.commit(changes)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      run.rejected += 1
      watch.rejected?.(error)
      return null
    }
  }
  const payOne = async (store: Store, number: number): Promise<void> => {
    for (;;) {
      const outcome = await commit(store, payment(number))
      if (!outcome) continue
      if (!outcome.ok && !('conflict' in outcome)) throw new Error(`${number}: ${JSON.stringify(outcome)}`)
      paid.add(number)
      await watch.paid?.(paid.size)
      return
    }
  }
  const lane = async (index: number): Promise<void> => {
    const store = stores[index % stores.length]
    for (let number = queue.shift(); number !== undefined && store; number = queue.shift()) {
      await payOne(store, number)
      if (number % 4 !== 0) continue
      const outcome = await commit(store, [spend])
      if (outcome?.ok) run.spent += 1
      else run.doubtful += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(index)))
  return run
}

/** Asserts that every payment is stored once and that the accounts agree. */
export const allAddsUp = async (t: ExecutionContext, store: Store, run: Run): Promise<void> => {
  for (const number of run.paid) {
    const facts = await store.read({
      entry: byId(entries, number),
      claim: byId(claims, `paid ${number}`),
      thing: byId(things, number),
    })
    t.true(facts.entry !== null && facts.claim !== null && facts.thing !== null, `${number} was acknowledged`)
  }
  for (const id of ACCOUNTS) {
    const made = await statement(store, id)
    t.is(faultOf(made), null)
    const kept = await store.find(byId(accounts, id))
    t.is(kept?.seq, made.length)
    t.is(kept?.balanceCents, made.at(-1)?.balanceCents ?? 0)
  }
  t.is((await store.group(groupOf(entries, { where: always, by: [], sum: [] })))[0]?.count, run.paid.size)
  const sums = [...run.paid].reduce((sum, number) => sum + number, 0)
  const open = groupOf(things, { where: { eq: ['status', 'open'] }, when: 'live', by: [], sum: ['valueCents'] })
  t.deepEqual(await store.group(open), [{ by: {}, count: run.paid.size, sums: { valueCents: sums } }])
  const purse = await store.find(byId(accounts, PURSE))
  t.is((purse?.availableCents ?? 0) + (purse?.seq ?? 0), PURSE_CENTS)
  t.true((purse?.seq ?? 0) >= run.spent && (purse?.seq ?? 0) <= run.spent + run.doubtful)
}
