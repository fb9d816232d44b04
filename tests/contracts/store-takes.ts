import { ensure, insert, patch } from '../../core/kernel/records/change.ts'
import { at } from '../../core/kernel/records/collection.ts'
import { always } from '../../core/kernel/records/where.ts'
import { byId, listOf, type Store } from '../../core/ports/store.ts'
import { account, accounts, claim, claims, type Entry, entries, entry } from '../fixtures/things.ts'
import type { Case } from './store.ts'

/** A posting: the account's balance, seq and last time, and an entry that takes them. */
export const posting = (accountId: string, id: number, valueCents: number, time = '2026-01-01') => [
  patch(accounts, accountId, { add: { balanceCents: valueCents, seq: 1 }, max: { lastAt: time }, when: always }),
  insert(entries, entry(id, accountId, { valueCents }), {
    balanceCents: [at(accounts, accountId), 'balanceCents'],
    seq: [at(accounts, accountId), 'seq'],
    at: [at(accounts, accountId), 'lastAt'],
  }),
]

export const statement = async (store: Store, accountId: string): Promise<readonly Entry[]> => {
  const sort = { by: 'seq', dir: 'asc' } as const
  return (await store.list(listOf(entries, { where: { eq: ['accountId', accountId] }, sort, limit: 500 }))).records
}

/** Nothing when the statement is gapless and its running balance adds up, else what is wrong with it. */
export const faultOf = (statement: readonly Entry[]): string | null => {
  let balanceCents = 0
  for (const [index, one] of statement.entries()) {
    balanceCents += one.valueCents
    if (one.seq !== index + 1) return `seq ${one.seq} is at place ${index + 1}`
    if (one.balanceCents !== balanceCents) return `after seq ${one.seq}: ${one.balanceCents}, not ${balanceCents}`
    const before = statement[index - 1]?.at ?? ''
    if ((one.at ?? '') < before) return `time runs backwards at seq ${one.seq}`
  }
  return null
}

/** What depends on the moment of commit is taken at the moment of commit. */
export const storeTakes = (check: Case): void => {
  check('64 postings at once on one account: a gapless statement with an exact balance', async (t, store) => {
    await store.commit([insert(accounts, account('a'))])
    const values = Array.from({ length: 64 }, (_, index) => ((index * 37) % 101) - 50)
    const outcomes = await Promise.all(
      values.map((value, index) =>
        store.commit(posting('a', index + 1, value, `2026-01-${String(((index * 7) % 28) + 1).padStart(2, '0')}`)),
      ),
    )
    t.true(outcomes.every((outcome) => outcome.ok))
    const made = await statement(store, 'a')
    t.is(made.length, 64)
    t.is(faultOf(made), null)
    const balance = values.reduce((sum, value) => sum + value, 0)
    const { balanceCents, seq } = (await store.find(byId(accounts, 'a'))) ?? {}
    t.deepEqual({ balanceCents, seq }, { balanceCents: balance, seq: 64 })
    for (const [index, outcome] of outcomes.entries()) {
      const one = made.find(({ id }) => id === index + 1)
      t.true(outcome.ok && outcome.taken(at(entries, index + 1), 'seq') === one?.seq)
      t.true(outcome.ok && outcome.taken(at(entries, index + 1), 'balanceCents') === one?.balanceCents)
    }
  })

  check('several takes in one commit see what came before each', async (t, store) => {
    await store.commit([insert(accounts, account('a')), insert(accounts, account('b'))])
    const outcome = await store.commit([
      ...posting('a', 1, 100, '2026-02-02'),
      ...posting('b', 2, 7),
      ...posting('a', 3, -40, '2026-01-01'),
    ])
    t.true(outcome.ok)
    const fields = ({ id, seq, balanceCents, at }: Entry) => [id, seq, balanceCents, at]
    t.deepEqual((await statement(store, 'a')).map(fields), [
      [1, 1, 100, '2026-02-02'],
      [3, 2, 60, '2026-02-02'],
    ])
    t.deepEqual((await statement(store, 'b')).map(fields), [[2, 1, 7, '2026-01-01']])
  })

  check('a take may copy from a record inserted in the same commit, null as well', async (t, store) => {
    const outcome = await store.commit([
      insert(accounts, account('a', { seq: 9, balanceCents: -3 })),
      insert(entries, entry(1, 'a', { at: 'x' }), {
        seq: [at(accounts, 'a'), 'seq'],
        at: [at(accounts, 'a'), 'lastAt'],
      }),
    ])
    t.true(outcome.ok && outcome.taken(at(entries, 1), 'at') === null)
    t.deepEqual(await store.find(byId(entries, 1)), entry(1, 'a', { seq: 9 }))
    t.throws(() => outcome.ok && outcome.taken(at(entries, 1), 'balanceCents'))
    t.throws(() => outcome.ok && outcome.taken(at(accounts, 'a'), 'seq'))
  })

  check('what keeps a count begins with whoever counts first, of any number at once', async (t, store) => {
    const counted = (id: number) =>
      store.commit([ensure(accounts, account('a')), ...posting('a', id, 1), insert(claims, claim(`${id}`))])
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => counted(index + 1)))
    t.true(outcomes.every((outcome) => outcome.ok))
    t.is(faultOf(await statement(store, 'a')), null)
    t.like(await store.find(byId(accounts, 'a')), { seq: 12, balanceCents: 12 })
    t.true((await store.commit([ensure(accounts, account('a', { balanceCents: 99 }))])).ok)
    t.like(await store.find(byId(accounts, 'a')), { seq: 12, balanceCents: 12 })
    t.true((await store.commit([ensure(accounts, account('b', { seq: 3 }))])).ok)
    t.like(await store.find(byId(accounts, 'b')), { seq: 3 })
  })

  check('commits that break among those that wait leave no gap', async (t, store) => {
    await store.commit([insert(accounts, account('a')), insert(entries, entry(1_000, 'b', { seq: 1 }))])
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const changes = posting('a', index + 1, index)
        return store.commit(index % 3 === 1 ? [...changes, insert(entries, entry(1_000, 'b'))] : changes)
      }),
    )
    t.is(outcomes.filter((outcome) => outcome.ok).length, 20)
    const made = await statement(store, 'a')
    t.is(made.length, 20)
    t.is(faultOf(made), null)
  })
}
