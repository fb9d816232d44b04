import test from 'ava'
import fc from 'fast-check'
import {
  always,
  type Change,
  type Id,
  insert,
  patch,
  type Rec,
  remove,
} from '../../../../core/kernel/records/record.ts'
import { type Thing, thing, things } from '../../../fixtures/things.ts'
import { plainStore } from '../running/plain-store.ts'

const nameOf = (id: Id): string => `${things.name}/${id}`
const textOf = (code: string): string => `${things.name}/code/${code}`

/** A store with records older than their key: of those that share a text, the first holds it. */
const collided = (made: readonly Thing[]) => {
  const keys = new Map<string, Id>()
  for (const { id, code } of made.toSorted((a, b) => a.id - b.id))
    if (code !== null && !keys.has(textOf(code))) keys.set(textOf(code), id)
  return plainStore({ records: made.map((one): [string, Rec] => [nameOf(one.id), one]), keys })
}

const coded = (id: number, code: string | null) => thing(id, { code })
const code = (id: number, value: string | null) => patch(things, id, { set: { code: value }, when: always })
const size = (id: number, value: number) => patch(things, id, { set: { size: value }, when: always })
const taken = { ok: false, conflict: { collection: things.name, key: 'code' } }

test('a record that shares a text but does not hold it can change, and neither takes nor frees the text', (t) => {
  const { commit, keys } = collided([coded(1, 'x'), coded(2, 'x'), coded(3, 'x')])
  const holder = () => keys.get(textOf('x'))
  const { outcomes, keys: moves } = commit({ changes: [size(2, 5)] }, { changes: [size(1, 5)] })
  t.true(outcomes.every((outcome) => 'ok' in outcome && outcome.ok))
  t.deepEqual(moves, [])
  t.like(commit({ changes: [code(2, 'y')] }).outcomes[0], { ok: true })
  t.like(commit({ changes: [remove(things, 3, always)] }).outcomes[0], { ok: true })
  t.is(holder(), 1)
  t.deepEqual(commit({ changes: [code(2, 'x')] }).outcomes, [taken as never])
  t.deepEqual(commit({ changes: [insert(things, coded(4, 'x'))] }).outcomes, [taken as never])
})

test('a text stays taken when a record that does not hold it is removed in the same batch', (t) => {
  const { commit, keys } = collided([coded(1, 'x'), coded(2, 'x')])
  const { outcomes } = commit(
    { changes: [remove(things, 2, always)] },
    { changes: [insert(things, coded(3, 'x'))] },
    { changes: [size(1, 1)] },
  )
  t.deepEqual(
    outcomes.map((outcome) => 'ok' in outcome && outcome.ok),
    [true, false, true],
  )
  t.is(keys.get(textOf('x')), 1)
})

test('a text is free once its holder frees it, and goes to the next record that writes it', (t) => {
  const { commit, keys } = collided([coded(1, 'x'), coded(2, 'x')])
  commit({ changes: [code(1, null)] })
  commit({ changes: [size(2, 1)] })
  t.false(keys.has(textOf('x')))
  t.like(commit({ changes: [code(2, null), code(2, 'x')] }).outcomes[0], { ok: true })
  t.is(keys.get(textOf('x')), 2)
  t.deepEqual(commit({ changes: [code(1, 'x')] }).outcomes, [taken as never])
})

test('a failed commit frees no text, whether or not its holder was read', (t) => {
  const { commit, keys } = collided([coded(1, 'x'), coded(2, 'y')])
  const stale = remove(things, 99, always)
  commit({ changes: [code(1, null), stale] }, { changes: [code(2, 'x')] })
  t.deepEqual(
    [...keys],
    [
      [textOf('x'), 1],
      [textOf('y'), 2],
    ],
  )
  commit({ changes: [code(1, null), code(2, 'x'), stale] }, { changes: [code(2, 'x')] })
  t.deepEqual(
    [...keys],
    [
      [textOf('x'), 1],
      [textOf('y'), 2],
    ],
  )
  commit({ changes: [code(1, null)] }, { changes: [code(2, 'x'), stale] }, { changes: [code(1, 'x')] })
  t.deepEqual(
    [...keys],
    [
      [textOf('x'), 1],
      [textOf('y'), 2],
    ],
  )
})

/** A naive reference: applies one change after the other on a copy, which is discarded if a change fails. */
const naive = (made: readonly Thing[], holders: ReadonlyMap<string, Id>) => {
  let state = { records: new Map(made.map((one) => [one.id, one])), holders: new Map(holders) }
  const run = ({ records, holders: held }: typeof state, change: Change): boolean => {
    const id = Number(change.at[1])
    const now = records.get(id)
    if (change.kind === 'insert' ? now : !now) return false
    const after =
      change.kind === 'remove'
        ? null
        : ({
            ...now,
            ...(change.kind === 'insert' ? change.record : change.kind === 'patch' ? change.set : {}),
          } as Thing)
    const [old, text] = [now?.code ?? null, after?.code ?? null]
    if (old !== text) {
      if (text !== null && (held.get(textOf(text)) ?? id) !== id) return false
      if (text !== null) held.set(textOf(text), id)
      if (old !== null && held.get(textOf(old)) === id) held.delete(textOf(old))
    }
    if (after) records.set(id, after)
    else records.delete(id)
    return true
  }
  return (changes: readonly Change[]): { ok: boolean; holders: ReadonlyMap<string, Id> } => {
    const next = { records: new Map(state.records), holders: new Map(state.holders) }
    const ok = changes.every((change) => run(next, change))
    if (ok) state = next
    return { ok, holders: state.holders }
  }
}

const someId = fc.integer({ min: 1, max: 6 })
const someCode = fc.constantFrom('x', 'y', null)
const someChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(someId, someCode).map(([id, value]) => insert(things, coded(id, value))),
  fc.tuple(someId, someCode).map(([id, value]) => code(id, value)),
  fc.tuple(someId, fc.integer({ min: 0, max: 3 })).map(([id, value]) => size(id, value)),
  someId.map((id) => remove(things, id, always)),
)
const someBatch = fc.array(fc.array(someChange, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })

test('random batches over records that share texts give the same holders as a naive store', (t) => {
  const property = fc.property(
    fc.uniqueArray(fc.tuple(someId, someCode), { selector: ([id]) => id }),
    fc.array(someBatch, { maxLength: 4 }),
    (rows, batches) => {
      const made = rows.map(([id, value]) => coded(id, value))
      const store = collided(made)
      const reference = naive(made, store.keys)
      for (const batch of batches) {
        const expected = batch.map(reference)
        const { outcomes } = store.commit(...batch.map((changes) => ({ changes })))
        t.deepEqual(
          outcomes.map((outcome) => 'ok' in outcome && outcome.ok),
          expected.map(({ ok }) => ok),
        )
        t.deepEqual([...store.keys].sort(), [...(expected.at(-1)?.holders ?? [])].sort())
        for (const [name, id] of store.keys) t.is(textOf(String(store.records.get(nameOf(id))?.code)), name)
      }
    },
  )
  fc.assert(property, { numRuns: 300 })
})
