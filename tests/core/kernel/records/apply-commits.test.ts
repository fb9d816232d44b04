import test from 'ava'
import fc from 'fast-check'
import { applyCommits } from '../../../../core/kernel/records/apply-commits.ts'
import type { StoreReader } from '../../../../core/kernel/records/batch-state.ts'
import { type AnyCollection, always, at, eq, insert, patch, remove } from '../../../../core/kernel/records/record.ts'
import { placeOf, randomBatches } from '../../../contracts/random/changes.ts'
import { type NaiveState, naiveCommit } from '../../../contracts/random/naive-store.ts'
import {
  account,
  accounts,
  claim,
  claims,
  entries,
  entry,
  type Thing,
  thing,
  thingCollections,
  things,
} from '../../../fixtures/things.ts'
import { plainStore, table } from '../running/plain-store.ts'

test('the random batches of the contract of stores contain successes and every kind of failure', (t) => {
  const seen = new Map<string, number>()
  for (const batches of fc.sample(randomBatches(placeOf(0), 6, 8), { numRuns: 100, seed: 5 })) {
    let state: NaiveState = new Map()
    for (const commit of batches.flat()) {
      const run = naiveCommit(thingCollections, state, commit)
      state = run.state
      const { verdict } = run
      const name =
        verdict === 'error' ? verdict : 'conflict' in verdict ? verdict.conflict.key : Object.keys(verdict)[0]
      seen.set(name ?? '', (seen.get(name ?? '') ?? 0) + 1)
    }
  }
  for (const name of ['taken', 'stale', 'id', 'document', 'code', 'error']) t.true((seen.get(name) ?? 0) > 20, name)
})

test('writes no record, key or tally that ends unchanged', (t) => {
  const { commit } = plainStore()
  const code = (value: string | null) => patch(things, 1, { set: { code: value }, when: always })
  const first = commit({
    changes: [insert(things, thing(1, { code: 'x', size: 1 })), insert(things, thing(2)), remove(things, 2, always)],
  })
  const ids = first.writes.map(({ id }) => id)
  t.deepEqual(ids, [1])
  const idle = commit(
    { changes: [{ kind: 'check', at: at(things, 1), when: always }] },
    { changes: [patch(things, 1, { set: { size: 1 }, max: { size: 0 }, when: eq('size', 1) })] },
  )
  t.deepEqual([idle.writes, idle.keys, idle.tallies], [[], [], []])
  const back = commit({ changes: [code(null), code('y')] }, { changes: [code('x')] })
  t.deepEqual(back.keys, [])
  t.deepEqual(back.tallies, [])
})

test('moves a key that passes between records once', (t) => {
  const { commit } = plainStore()
  commit({ changes: [insert(things, thing(1, { code: 'x' }))] })
  const { keys } = commit(
    { changes: [remove(things, 1, always)] },
    { changes: [insert(things, thing(2, { code: 'x' }))] },
  )
  t.deepEqual(keys, [{ collection: things.name, key: 'code', text: 'x', from: 1, id: 2 }])
})

test('takes from a record that the commit patched, even without effect, but not from one that it only guarded', (t) => {
  const { commit } = plainStore()
  commit({ changes: [insert(accounts, account('a', { seq: 4 }))] })
  const take = insert(entries, entry(1, 'a'), { seq: [at(accounts, 'a'), 'seq'] })
  const [guarded, patched] = commit(
    { changes: [{ kind: 'check', at: at(accounts, 'a'), when: always }, take] },
    { changes: [patch(accounts, 'a', { when: always }), take] },
  ).outcomes
  t.true(guarded && 'error' in guarded)
  t.true(patched && 'ok' in patched && patched.ok && patched.taken(at(entries, 1), 'seq') === 4)
})

test('reports the paths of fields that do not decode, and no value', (t) => {
  const { commit } = plainStore()
  const wrong = { ...thing(1, { name: 'secret' }), size: 'secret' as never, address: { city: 3 as never, number: 1 } }
  const [outcome] = commit({ changes: [insert(things, wrong)] }).outcomes
  const message = outcome && 'error' in outcome ? String(outcome.error) : ''
  t.regex(message, /test\.things\/1 .*size/)
  t.regex(message, /address.*city/)
  t.notRegex(message, /secret/)
})

test('a failed read of the store fails the whole batch', (t) => {
  const lost = new RangeError('gone')
  const reader: StoreReader = {
    record: () => {
      throw lost
    },
    owner: () => null,
  }
  const batch = [{ changes: [insert(claims, claim('a'))] }]
  t.is(
    t.throws(() => applyCommits(table, reader, batch), { instanceOf: RangeError }),
    lost,
  )
})

test('reads each record and each key text once a batch', (t) => {
  const asked: string[] = []
  const reader: StoreReader = {
    record: (at) => {
      asked.push(at.join('/'))
      return null
    },
    owner: (...key) => {
      asked.push(key.join('/'))
      return null
    },
  }
  const make = { changes: [insert(things, thing(1, { code: 'x' }))] }
  applyCommits(table, reader, [make, make, { changes: [insert(things, thing(2, { code: 'x' }))] }])
  t.deepEqual(asked.sort(), ['test.things/1', 'test.things/2', 'test.things/code/x'])
})

test('a commit of a record that a tally cannot count fails with an error', (t) => {
  const weighed = { ...things, tallies: [{ by: ['status'], sum: ['weight'] }] }
  const listed = { ...things, tallies: [{ by: ['labels'], sum: [] }] }
  const reader: StoreReader = { record: () => null, owner: () => null }
  const resolve = (collection: AnyCollection, fields: Partial<Thing>) => {
    const batch = [{ changes: [insert(things, thing(1, fields))] }, { changes: [insert(things, thing(2))] }]
    return applyCommits(new Map([[things.name, collection]]), reader, batch).outcomes.map(
      (outcome) => 'error' in outcome,
    )
  }
  t.deepEqual(resolve(weighed, { weight: 0.5 }), [true, false])
  t.deepEqual(resolve(weighed, { weight: 5 }), [false, false])
  t.deepEqual(resolve(listed, { labels: ['a'] }), [true, false])
})
