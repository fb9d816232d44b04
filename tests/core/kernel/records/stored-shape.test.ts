import test from 'ava'
import fc from 'fast-check'
import { type AnyCollection, all, eq, t as io, not, orNull, record } from '../../../../core/kernel/records/record.ts'
import {
  checkedChange,
  conditionText,
  type StoredShape,
  shapeChange,
  storedShape,
} from '../../../../core/kernel/records/stored-shape.ts'
import { things } from '../../../fixtures/things.ts'

const fields = { id: io.number, shopId: io.string, status: io.string, cents: io.number, gone: orNull(io.string) }
const live = eq('gone', null)
const then: AnyCollection = {
  name: 'test.then',
  ids: 'integer',
  codec: record(fields),
  owner: 'shopId',
  conditions: { live, open: eq('status', 'open') },
  keys: { status: ({ status }) => String(status) },
  indexes: [{ sort: 'id', when: 'live' }, { sort: 'cents' }],
  tallies: [
    { by: ['shopId'], sum: [] },
    { by: ['status'], sum: ['cents'], when: 'open' },
    { by: ['gone'], sum: [] },
  ],
}
/** Returns the shape as a store reads it back. */
const kept = (shape: StoredShape): StoredShape => JSON.parse(JSON.stringify(shape))
const stored = kept(storedShape(then))

const nothing = { kind: 'none', fieldsToFill: [], newKeys: [], tallyNumbers: [0, 1, 2] } as const

test('an unchanged definition needs no work', (t) => {
  t.deepEqual(shapeChange(stored, then), nothing)
  const turned = {
    ...then,
    conditions: { open: eq('status', 'open'), live },
    indexes: [...(then.indexes ?? [])].reverse(),
  }
  t.deepEqual(shapeChange(stored, turned), nothing)
  t.deepEqual(shapeChange(kept(storedShape(things)), things), nothing)
})

test('the recorded text of a condition does not depend on the order of keys', (t) => {
  const property = fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
    const turn = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(turn)
      if (typeof part !== 'object' || part === null) return part
      return Object.fromEntries(
        Object.entries(part)
          .map(([key, inner]) => [key, turn(inner)])
          .reverse(),
      )
    }
    t.is(conditionText(value as never), conditionText(turn(value) as never))
    t.deepEqual(JSON.parse(conditionText(value as never)), JSON.parse(JSON.stringify(value)))
  })
  fc.assert(property)
})

test('a new field that may be null and a new index are additive', (t) => {
  const noted = { ...then, codec: record({ ...fields, note: orNull(io.string) }) }
  t.like(shapeChange(stored, noted), { kind: 'additive', fieldsToFill: [] })
  t.like(shapeChange(stored, { ...then, indexes: [...(then.indexes ?? []), { sort: 'status' }] }), { kind: 'additive' })
  t.like(shapeChange({ ...stored, fields: null }, then), { kind: 'additive' })
})

test('an upgraded field is filled', (t) => {
  const now = { ...then, codec: record({ ...fields, initial: io.string }), upgrades: { initial: () => 'x' } }
  t.like(shapeChange(stored, now), { kind: 'breaking', fieldsToFill: ['initial'] })
  t.like(shapeChange({ ...kept(storedShape(now)), upgrades: [] }, now), { fieldsToFill: ['initial'] })
  t.deepEqual(shapeChange(kept(storedShape(now)), now), nothing)
})

test('any other change is breaking: of a condition, a key, a tally, or a part that is gone', (t) => {
  const [first, second, third] = then.tallies ?? []
  if (!first || !second || !third) return t.fail()
  const { gone: _, ...fewer } = fields
  const changes: readonly Partial<AnyCollection>[] = [
    { conditions: { ...then.conditions, open: not(eq('status', 'closed')) } },
    { conditions: { ...then.conditions, all: all() } },
    { conditions: { live }, tallies: [first, third] },
    { keys: { ...then.keys, shop: () => null } },
    { keys: {} },
    { indexes: [{ sort: 'cents' }] },
    {
      indexes: [
        { sort: 'id', when: 'live' },
        { sort: 'cents', acrossOwners: true },
      ],
    },
    { tallies: [first, second] },
    { tallies: [first, second, third, { by: ['cents'], sum: [] }] },
    { codec: record(fewer), conditions: {}, indexes: [], tallies: [], retired: ['gone'] },
  ]
  for (const change of changes)
    t.is(shapeChange(stored, { ...then, ...change }).kind, 'breaking', JSON.stringify(change))
  t.deepEqual(shapeChange(stored, { ...then, keys: { shop: () => null } }).newKeys, ['shop'])
})

test('a tally keeps its number, and a new or changed one gets an unused number', (t) => {
  const [first, second, third] = then.tallies ?? []
  if (!first || !second || !third) return t.fail()
  const now = { ...then, tallies: [{ by: ['cents'], sum: [] }, third, { ...second, sum: [] }, first] }
  const change = shapeChange(stored, now)
  t.deepEqual(change.tallyNumbers, [3, 2, 4, 0])
  const after = kept(storedShape(now, change.tallyNumbers))
  t.deepEqual(shapeChange(after, now), { ...nothing, tallyNumbers: [3, 2, 4, 0] })
  // A tally also changes with its condition.
  const reopened = shapeChange(stored, { ...then, conditions: { live, open: eq('status', 'new') } })
  t.deepEqual(reopened.tallyNumbers, [0, 3, 2])
})

test('a store without the marks of the oldest release is refused', (t) => {
  const marked = { ...then, oldest: { upgrades: ['cents'], indexes: [{ sort: 'status' }] } }
  const message =
    'a release before 0.10.0 has written this store (test.then): open it with release 0.10.0 until its background work is done'
  for (const shape of [null, stored, { ...stored, upgrades: ['cents'] }])
    t.throws(() => checkedChange(shape, marked), { message })
  const indexed = kept(storedShape({ ...marked, indexes: [{ sort: 'status' }] }))
  t.deepEqual(indexed.upgrades, ['cents'])
  t.is(checkedChange(indexed, marked).kind, 'breaking')
  t.throws(() => checkedChange(indexed, marked, stored), { message })
})

test('refuses ids of another kind, fields of a later release, and fields that it dropped', (t) => {
  const { gone: _, ...fewer } = fields
  const later = { ...then, codec: record({ ...fields, note: orNull(io.string) }) }
  const retiring = { ...then, codec: record(fewer), conditions: {}, indexes: [], tallies: [], retired: ['gone'] }
  const refuses = (shape: StoredShape, collection: AnyCollection, message: string) =>
    t.throws(() => checkedChange(kept(shape), collection), { message })
  refuses(stored, { ...then, ids: 'text' }, 'test.then has integer ids in the store')
  const newer = (field: string) => `a newer release has written this store (test.then: ${field}): start that one`
  refuses(storedShape(later), then, newer('note'))
  refuses(storedShape(retiring), then, newer('gone'))
  const unlisted = { ...then, codec: { decode: then.codec.decode } }
  // Indexes, tallies and keys are rebuilt from the records and do not count.
  const others = storedShape({ ...then, keys: {}, tallies: [], indexes: [{ sort: 'status' }] })
  const accepted: readonly (readonly [StoredShape, AnyCollection])[] = [
    [stored, later],
    [storedShape(later), { ...then, retired: ['note'] }],
    [stored, retiring],
    [{ ...stored, fields: null }, then],
    [stored, unlisted],
    [others, then],
  ]
  for (const [shape, collection] of accepted) t.notThrows(() => checkedChange(kept(shape), collection))
})

test('records no fields for a codec that does not list them', (t) => {
  const silent = { ...then, codec: { decode: then.codec.decode } }
  t.is(storedShape(silent).fields, null)
  t.deepEqual(shapeChange(kept(storedShape(silent)), silent), nothing)
})
