import { deepEqual, equal, notEqual, ok, rejects, throws } from 'node:assert/strict'
import {
  always,
  at,
  ensure,
  eq,
  gte,
  check as guard,
  insert,
  patch,
  remove,
} from '../../../core/kernel/records/record.ts'
import { MAX_CHANGES_PER_COMMIT, MAX_WAITING_COMMITS } from '../../../core/limits.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { account, accounts, claim, claims, type Entry, entries, entry, thing, things } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

/** A posting: updates the balance, seq and last time of the account, and inserts an entry that takes them. */
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

/** Returns the first fault of a statement: a gap, or a wrong running balance or time. */
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

/** Rules of takes: values that are copied at the moment of commit. */
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

  check('one of several simultaneous commits creates a record that each of them ensures', async (store) => {
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

  check('failed commits of a batch leave no gap', async (store) => {
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

const count = async (store: Store): Promise<number | null> =>
  (await store.list(listOf(things, { where: always, limit: 1, total: true }))).total

/** Rules of atomicity and of hooks. */
export const storeAtomicity = (check: Case): void => {
  wholes(check)
  errors(check)
  hooks(check)
}

const wholes = (check: Case): void => {
  check('applies all changes or none, and Stale names the failed guard', async (store) => {
    await store.commit([insert(accounts, account('a', { availableCents: 10 })), insert(things, thing(1))])
    const outcome = await store.commit([
      patch(accounts, 'a', { add: { availableCents: -10 }, when: gte('availableCents', 10) }),
      insert(things, thing(2)),
      remove(things, 1, always),
      patch(accounts, 'a', { add: { availableCents: -1 }, when: gte('availableCents', 1) }),
      guard(things, 77, always),
    ])
    deepEqual(outcome, { ok: false, stale: at(accounts, 'a') })
    equal((await store.find(byId(accounts, 'a')))?.availableCents, 10)
    notEqual(await store.find(byId(things, 1)), null)
    equal(await store.find(byId(things, 2)), null)
    equal(await count(store), 1)
  })

  check('a guard keeps a balance from becoming negative under simultaneous commits', async (store) => {
    await store.commit([insert(accounts, account('a', { availableCents: 25 }))])
    const spend = patch(accounts, 'a', { add: { availableCents: -1 }, when: gte('availableCents', 1) })
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => store.commit([spend])))
    equal(outcomes.filter((outcome) => outcome.ok).length, 25)
    equal((await store.find(byId(accounts, 'a')))?.availableCents, 0)
  })

  check('commits as many changes as allowed, and not one more', async (store) => {
    const many = Array.from({ length: MAX_CHANGES_PER_COMMIT }, (_, index) => insert(claims, claim(`c${index}`)))
    await rejects(store.commit([...many, insert(claims, claim('more'))]))
    await rejects(store.commit(many, () => [insert(claims, claim('more'))]))
    equal(await store.find(byId(claims, 'c0')), null)
    ok((await store.commit(many)).ok)
    notEqual(await store.find(byId(claims, `c${MAX_CHANGES_PER_COMMIT - 1}`)), null)
  })

  check('rejects commits beyond the limit of waiting ones, and applies all accepted ones', async (store) => {
    await store.commit([insert(accounts, account('a'))])
    const post = patch(accounts, 'a', { add: { seq: 1 }, when: always })
    const settled = await Promise.allSettled(
      Array.from({ length: MAX_WAITING_COMMITS + 200 }, () => store.commit([post])),
    )
    const done = settled.filter((one) => one.status === 'fulfilled' && one.value.ok)
    const refused = settled.filter((one) => one.status === 'rejected')
    equal(done.length + refused.length, settled.length)
    ok(refused.length > 0)
    for (const one of refused) ok(one.status === 'rejected' && one.reason instanceof StoreUnavailable)
    equal((await store.find(byId(accounts, 'a')))?.seq, done.length)
  })
}

const errors = (check: Case): void => {
  check('an error of a programmer rejects its own commit only', async (store) => {
    await store.commit([insert(accounts, account('a', { seq: Number.MAX_SAFE_INTEGER, lastAt: 'x' }))])
    const wrong = [
      [insert(things, { ...thing(1), size: 1.5 })],
      [insert(things, { ...thing(1), name: undefined as never })],
      [insert(things, thing(1, { name: 'e\u0301' }))],
      [insert(things, thing(1, { labels: ['\ud800'] }))],
      [insert(things, thing(1, { address: { city: 'a\0', number: 1 } }))],
      [insert(things, thing(1, { weight: Number.NaN }))],
      [insert(things, thing(1)), { kind: 'patch', at: at(things, 1), set: { id: 2 }, when: always } as const],
      [insert(things, thing(1)), patch(things, 1, { set: { size: 'big' as never }, when: always })],
      [patch(accounts, 'a', { add: { seq: 1 }, when: always })],
      [patch(accounts, 'a', { max: { lastAt: 3 }, when: always })],
      [insert({ ...things, name: 'test.nothing' }, thing(1))],
      [insert(things, { ...thing(1), id: 'one' as never })],
      [guard(things, '100', always)],
      [guard(claims, 100, always)],
      [insert(things, thing(1.5))],
      [insert(entries, entry(1, 'a'), { seq: [at(accounts, 'a'), 'seq'] })],
      [guard(accounts, 'a', always), insert(entries, entry(1, 'a'), { seq: [at(accounts, 'a'), 'seq'] })],
      [insert(things, thing(1)), insert(entries, entry(1, 'a'), { seq: [at(things, 1), 'labels'] })],
      [insert(things, thing(1)), insert(entries, entry(1, 'a'), { at: [at(things, 1), 'nothing'] })],
    ]
    const good = wrong.map((_, index) => [insert(things, thing(100 + index))])
    const settled = await Promise.allSettled([...wrong, ...good].map(async (changes) => store.commit(changes)))
    for (const [index, one] of settled.entries()) {
      const isRejected = one.status === 'rejected' && !(one.reason instanceof StoreUnavailable)
      equal(isRejected, index < wrong.length, `commit ${index}`)
    }
    equal(await count(store), good.length)
    equal(await store.find(byId(things, 1)), null)
    equal(await store.find(byId(entries, 1)), null)
    deepEqual(await store.find(byId(accounts, 'a')), account('a', { seq: Number.MAX_SAFE_INTEGER, lastAt: 'x' }))
  })
}

const hooks = (check: Case): void => {
  const post = (value: number) => [
    patch(accounts, 'a', { add: { seq: 1, balanceCents: value }, when: always }),
    insert(entries, entry(value, 'a', { valueCents: value }), {
      seq: [at(accounts, 'a'), 'seq'],
      balanceCents: [at(accounts, 'a'), 'balanceCents'],
    }),
  ]

  check('a hook receives the taken values, and its changes are part of the commit', async (store) => {
    await store.commit([insert(accounts, account('a', { balanceCents: 5 }))])
    const outcome = await store.commit(post(3), (taken) => [
      insert(claims, claim('reply', { note: `${taken(at(entries, 3), 'balanceCents')}` })),
      patch(entries, 3, { set: { at: 'ridden' }, when: eq('balanceCents', 8) }),
    ])
    ok(outcome.ok && outcome.taken(at(entries, 3), 'seq') === 1)
    equal((await store.find(byId(claims, 'reply')))?.note, '8')
    equal((await store.find(byId(entries, 3)))?.at, 'ridden')
  })

  check('a failure of a hook fails the whole commit', async (store) => {
    await store.commit([insert(accounts, account('a')), insert(claims, claim('reply'))])
    const conflict = await store.commit(post(1), () => [insert(claims, claim('reply'))])
    deepEqual(conflict, { ok: false, conflict: { collection: claims.name, key: 'id' } })
    const stale = await store.commit(post(1), () => [guard(claims, 'reply', eq('note', 'x'))])
    deepEqual(stale, { ok: false, stale: at(claims, 'reply') })
    const [thrown, wrongTake, beside] = await Promise.allSettled([
      store.commit(post(1), () => {
        throw new RangeError('not now')
      }),
      store.commit(post(1), (taken) => [insert(claims, claim(`${taken(at(entries, 1), 'at')}`))]),
      store.commit(post(2)),
    ])
    ok(thrown?.status === 'rejected' && thrown.reason instanceof RangeError)
    equal(wrongTake?.status, 'rejected')
    ok(beside?.status === 'fulfilled' && beside.value.ok)
    equal((await store.find(byId(accounts, 'a')))?.balanceCents, 2)
    equal(await store.find(byId(entries, 1)), null)
  })

  check('a hook of a failed commit writes nothing', async (store) => {
    const outcome = await store.commit(post(1), () => [insert(claims, claim('reply'))])
    deepEqual(outcome, { ok: false, stale: at(accounts, 'a') })
    equal(await store.find(byId(claims, 'reply')), null)
  })
}
