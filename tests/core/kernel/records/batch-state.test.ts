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
