import test from 'ava'
import fc from 'fast-check'
import { t as io } from '../../../../core/fp.ts'
import type { AnyCollection } from '../../../../core/kernel/records/collection.ts'
import { orNull, record } from '../../../../core/kernel/records/record.ts'
import {
  conditionText,
  newerFields,
  newerReleaseMessage,
  rowsShape,
  type StoredShape,
  shapeChange,
  storedShape,
  usedFields,
} from '../../../../core/kernel/records/stored-shape.ts'
import { all, eq, not } from '../../../../core/kernel/records/where.ts'
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

const nothing = {
  newFields: [],
  fieldsToFill: [],
  changedConditions: [],
  newKeys: [],
  droppedKeys: [],
  newIndexes: [],
  droppedIndexes: [],
  newTallies: [],
  droppedTallies: [],
  tallyNumbers: [0, 1, 2],
}

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

test('reports new fields and fields to fill', (t) => {
  const now = {
    ...then,
    codec: record({ ...fields, note: orNull(io.string), initial: io.string }),
    upgrades: { initial: () => 'x' },
  }
  t.deepEqual(shapeChange(stored, now), { ...nothing, newFields: ['note', 'initial'], fieldsToFill: ['initial'] })
  t.deepEqual(shapeChange({ ...kept(storedShape(now)), upgrades: [] }, now), { ...nothing, fieldsToFill: ['initial'] })
  t.deepEqual(shapeChange(kept(storedShape(now)), now), nothing)
  // Without recorded fields no field is known to be new, and every upgraded field must be filled.
  t.deepEqual(shapeChange({ ...stored, fields: null }, now), { ...nothing, fieldsToFill: ['initial'] })
})

test('compares keys by name and conditions by content', (t) => {
  const now = {
    ...then,
    conditions: { ...then.conditions, open: not(eq('status', 'closed')), all: all() },
    keys: { shop: () => null },
    tallies: [],
  }
  const change = shapeChange(stored, now)
  t.deepEqual(change.changedConditions, ['open', 'all'])
  t.deepEqual([change.newKeys, change.droppedKeys], [['shop'], ['status']])
})

test('an index is new if its fields or its condition change', (t) => {
  const change = shapeChange(stored, {
    ...then,
    conditions: { ...then.conditions, live: all(live, eq('status', 'open')) },
    indexes: [{ sort: 'cents' }, { sort: 'id', when: 'live' }, { sort: 'cents', acrossOwners: true }],
  })
  t.deepEqual(change.newIndexes, [
    { at: 1, row: { sort: 'id', when: 'live' } },
    { at: 2, row: { sort: 'cents', acrossOwners: true } },
  ])
  t.deepEqual(change.droppedIndexes, stored.indexes.slice(0, 1))
})

test('a tally keeps its number, and a new or changed one gets an unused number', (t) => {
  const [first, second, third] = then.tallies ?? []
  if (!first || !second || !third) return t.fail()
  const changed = { ...second, sum: [] }
  const now = { ...then, tallies: [{ by: ['cents'], sum: [] }, third, changed, first] }
  const change = shapeChange(stored, now)
  t.deepEqual(change.tallyNumbers, [3, 2, 4, 0])
  t.deepEqual(change.newTallies, [
    { at: 0, row: { by: ['cents'], sum: [] }, number: 3 },
    { at: 2, row: changed, number: 4 },
  ])
  t.deepEqual(
    change.droppedTallies.map(({ number }) => number),
    [1],
  )
  const after = kept(storedShape(now, change.tallyNumbers))
  t.deepEqual(shapeChange(after, now), { ...nothing, tallyNumbers: [3, 2, 4, 0] })
  // A tally also changes with its condition.
  const reopened = shapeChange(stored, { ...then, conditions: { live, open: eq('status', 'new') } })
  t.deepEqual(reopened.tallyNumbers, [0, 3, 2])
})

test('reads the shape of the first releases, which number tallies by position', (t) => {
  const { conditions = {}, tallies = [], indexes = [] } = then
  const first = rowsShape({ ids: 'integer', owner: 'shopId', conditions, keys: ['status'], indexes, tallies })
  t.deepEqual(shapeChange(kept(first), then), nothing)
})

test('reports fields of a later release that this one does not know, and fields that the later one dropped', (t) => {
  const { gone: _, ...fewer } = fields
  const later = { ...then, codec: record({ ...fields, note: orNull(io.string) }) }
  t.deepEqual(newerFields(kept(storedShape(later)), then), ['note'])
  t.deepEqual(newerFields(stored, later), [])
  t.deepEqual(newerFields(kept(storedShape(later)), { ...then, retired: ['note'] }), [])
  const retiring = { ...then, codec: record(fewer), conditions: {}, indexes: [], tallies: [], retired: ['gone'] }
  t.deepEqual(newerFields(kept(storedShape(retiring)), then), ['gone'])
  t.deepEqual(newerFields(stored, retiring), [])
  t.deepEqual(newerFields({ ...stored, fields: null }, then), [])
  // Indexes, tallies and keys are rebuilt from the records and do not count.
  t.deepEqual(
    newerFields(kept(storedShape({ ...then, keys: {}, tallies: [], indexes: [{ sort: 'status' }] })), then),
    [],
  )
  t.is(
    newerReleaseMessage('test.then', ['note']),
    'a newer release has written this store (test.then: note): start that one',
  )
})

test('records no fields for a codec that does not list them', (t) => {
  const silent = { ...then, codec: { decode: then.codec.decode } }
  t.is(storedShape(silent).fields, null)
  t.deepEqual(newerFields(stored, silent), [])
  t.deepEqual(shapeChange(kept(storedShape(silent)), silent), nothing)
})

test('returns all fields that a query, an index or a tally names, also in its condition', (t) => {
  t.deepEqual(
    [...usedFields(then, { where: not(eq('status', 'x')), when: 'live', sort: { by: 'id' }, sum: ['cents'] })].sort(),
    ['cents', 'gone', 'id', 'status'],
  )
  t.deepEqual(usedFields(then, { eq: 'status', sort: 'cents', search: 'gone' }), ['cents', 'status', 'gone'])
  t.deepEqual(usedFields(then, { by: ['shopId'], sum: [], when: 'open' }), ['status', 'shopId'])
  t.deepEqual(usedFields(then, { by: { id: 5 } }), [])
})
