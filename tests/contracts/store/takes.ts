import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { ensure, insert, patch } from '../../../core/kernel/records/change.ts'
import { at } from '../../../core/kernel/records/record.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { byId, listOf, type Store } from '../../../core/ports/store.ts'
import { account, accounts, claim, claims, type Entry, entries, entry } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

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
  check('64 postings at once on one account: a gapless statement with an exact balance', async (store) => {
    await store.commit([insert(accounts, account('a'))])
    const values = Array.from({ length: 64 }, (_, index) => ((index * 37) % 101) - 50)
    const outcomes = await Promise.all(
      values.map((value, index) =>
        store.commit(posting('a', index + 1, value, `2026-01-${String(((index * 7) % 28) + 1).padStart(2, '0')}`)),
      ),
    )
    ok(outcomes.every((outcome) => outcome.ok))
    const made = await statement(store, 'a')
    equal(made.length, 64)
    equal(faultOf(made), null)
    const balance = values.reduce((sum, value) => sum + value, 0)
    const { balanceCents, seq } = (await store.find(byId(accounts, 'a'))) ?? {}
    deepEqual({ balanceCents, seq }, { balanceCents: balance, seq: 64 })
    for (const [index, outcome] of outcomes.entries()) {
      const one = made.find(({ id }) => id === index + 1)
      ok(outcome.ok && outcome.taken(at(entries, index + 1), 'seq') === one?.seq)
      ok(outcome.ok && outcome.taken(at(entries, index + 1), 'balanceCents') === one?.balanceCents)
    }
  })

  check('several takes in one commit see what came before each', async (store) => {
    await store.commit([insert(accounts, account('a')), insert(accounts, account('b'))])
    const outcome = await store.commit([
      ...posting('a', 1, 100, '2026-02-02'),
      ...posting('b', 2, 7),
      ...posting('a', 3, -40, '2026-01-01'),
    ])
    ok(outcome.ok)
    const fields = ({ id, seq, balanceCents, at }: Entry) => [id, seq, balanceCents, at]
    deepEqual((await statement(store, 'a')).map(fields), [
      [1, 1, 100, '2026-02-02'],
      [3, 2, 60, '2026-02-02'],
    ])
    deepEqual((await statement(store, 'b')).map(fields), [[2, 1, 7, '2026-01-01']])
  })

  check('a take may copy from a record inserted in the same commit, null as well', async (store) => {
    const outcome = await store.commit([
      insert(accounts, account('a', { seq: 9, balanceCents: -3 })),
      insert(entries, entry(1, 'a', { at: 'x' }), {
        seq: [at(accounts, 'a'), 'seq'],
        at: [at(accounts, 'a'), 'lastAt'],
      }),
    ])
    ok(outcome.ok && outcome.taken(at(entries, 1), 'at') === null)
    deepEqual(await store.find(byId(entries, 1)), entry(1, 'a', { seq: 9 }))
    throws(() => outcome.ok && outcome.taken(at(entries, 1), 'balanceCents'))
    throws(() => outcome.ok && outcome.taken(at(accounts, 'a'), 'seq'))
  })

  check('what keeps a count begins with whoever counts first, of any number at once', async (store) => {
    const counts = async (id: string) => {
      const { seq, balanceCents } = (await store.find(byId(accounts, id))) ?? {}
      return [seq, balanceCents]
    }
    const counted = (id: number) =>
      store.commit([ensure(accounts, account('a')), ...posting('a', id, 1), insert(claims, claim(`${id}`))])
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => counted(index + 1)))
    ok(outcomes.every((outcome) => outcome.ok))
    equal(faultOf(await statement(store, 'a')), null)
    deepEqual(await counts('a'), [12, 12])
    ok((await store.commit([ensure(accounts, account('a', { balanceCents: 99 }))])).ok)
    deepEqual(await counts('a'), [12, 12])
    ok((await store.commit([ensure(accounts, account('b', { seq: 3 }))])).ok)
    deepEqual(await counts('b'), [3, 0])
  })

  check('commits that break among those that wait leave no gap', async (store) => {
    await store.commit([insert(accounts, account('a')), insert(entries, entry(1_000, 'b', { seq: 1 }))])
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const changes = posting('a', index + 1, index)
        return store.commit(index % 3 === 1 ? [...changes, insert(entries, entry(1_000, 'b'))] : changes)
      }),
    )
    equal(outcomes.filter((outcome) => outcome.ok).length, 20)
    const made = await statement(store, 'a')
    equal(made.length, 20)
    equal(faultOf(made), null)
  })
}
