import test from 'ava'
import { payments } from '../../../../apps/payments/app.ts'
import { fillMissingFields, upgradeValues } from '../../../../core/kernel/records/missing-fields.ts'
import { t as io, orNull, type Rec, record } from '../../../../core/kernel/records/record.ts'

const leg = record({ book: io.string, cents: orNull(io.number) })
const codec = record({
  id: io.number,
  name: orNull(io.string),
  labels: orNull(io.array(io.string)),
  legs: io.array(leg),
  pix: orNull(record({ txid: io.string, payer: orNull(record({ name: io.string, bank: orNull(io.string) })) })),
  either: io.union([leg, record({ other: io.string })]),
})
const fill = fillMissingFields({ codec })

const full: Rec = {
  id: 1,
  name: 'a',
  labels: ['x'],
  legs: [{ book: 'main', cents: 5 }],
  pix: { txid: 'T', payer: { name: 'Ana', bank: null } },
  either: { other: 'x' },
}

test('returns the same object if no field is missing', (t) => {
  t.is(fill(full), full)
  const empty: Rec = { id: 1, name: null, labels: null, legs: [], pix: null, either: { book: 'main' } }
  t.is(fill(empty), empty)
  t.is(fill({ ...full, more: 1 }).more, 1)
})

test('fills missing fields with null, also in nested objects and lists of objects', (t) => {
  const { name: _, labels: __, ...least } = full
  t.deepEqual(fill(least as Rec), { ...full, name: null, labels: null })
  const inner = { legs: [{ book: 'a' }, { book: 'b', cents: 1 }], pix: { txid: 'T', payer: { name: 'Ana' } } }
  t.deepEqual(fill({ ...full, ...inner }), {
    ...full,
    legs: [
      { book: 'a', cents: null },
      { book: 'b', cents: 1 },
    ],
    pix: { txid: 'T', payer: { name: 'Ana', bank: null } },
  })
  t.deepEqual(fill({ ...full, pix: { txid: 'T' } }).pix, { txid: 'T', payer: null })
  t.deepEqual(fill({ id: 2 }), { id: 2, name: null, labels: null, legs: null, pix: null, either: null })
})

test('fills each record regardless of the records before it and of the order of their fields', (t) => {
  const few = fillMissingFields({ codec: record({ id: io.number, a: orNull(io.string), b: orNull(io.string) }) })
  const read = (stored: object) => few(stored as Rec)
  const records = [{}, { id: 1, a: 'x', b: 'y' }, { id: 2, a: 'x' }, { b: 'y', id: 3, a: 'x' }, { b: 'y', id: 4 }, {}]
  for (const stored of [...records, ...records.toReversed()])
    t.deepEqual<object, object>(read(stored), { id: null, a: null, b: null, ...stored })
  // The right number of fields, but not the right ones.
  t.deepEqual<object, object>(read({ id: 1, a: 'x', c: 'z' }), { id: 1, a: 'x', b: null, c: 'z' })
  t.deepEqual<object, object>(read({ id: 1, a: 'x', b: 'y', c: 'z' }), { id: 1, a: 'x', b: 'y', c: 'z' })
})

test('does not change the stored object', (t) => {
  const stored = Object.freeze({ id: 1, legs: Object.freeze([Object.freeze({ book: 'a' })]) })
  t.deepEqual(fill<Rec>(stored).legs, [{ book: 'a', cents: null }])
  t.deepEqual(stored, { id: 1, legs: [{ book: 'a' }] })
})

const upgraded = {
  codec: record({ id: io.number, name: io.string, initial: io.string, note: orNull(io.string), sum: io.number }),
  upgrades: {
    initial: ({ name }: Rec) => String(name).charAt(0),
    // `cents` is a retired field, which may be absent.
    sum: ({ cents, note, initial }: Rec) => Number(cents ?? 0) + (note === null ? 1 : 0) + (initial === null ? 1 : 0),
  },
}

test('computes an upgraded field from the stored fields only', (t) => {
  const read = fillMissingFields(upgraded)
  const stored: Rec = { id: 1, name: 'Ana', cents: 5 }
  t.deepEqual<Rec, Rec>(read(stored), { ...stored, note: null, initial: 'A', sum: 7 })
  t.deepEqual<Rec, Rec>(read({ ...stored, sum: 3 }), { ...stored, note: null, initial: 'A', sum: 3 })
  const whole: Rec = { id: 1, name: 'Ana', initial: 'X', note: null, sum: 0 }
  t.is(read(whole), whole)
  // Null is a value: only absent fields are filled.
  t.is(read<Rec>({ ...whole, initial: null }).initial, null)
  t.deepEqual<Rec, Rec>(read(stored), { ...stored, note: null, initial: 'A', sum: 7 })
})

test('returns the values to set, for all upgrades or for some', (t) => {
  const stored: Rec = { id: 1, name: 'Ana', cents: 5 }
  t.deepEqual(upgradeValues(upgraded, stored), { initial: 'A', sum: 7 })
  t.deepEqual(upgradeValues(upgraded, stored, ['initial']), { initial: 'A' })
  t.deepEqual(upgradeValues(upgraded, { ...stored, initial: 'B' }), { sum: 6 })
  t.is(upgradeValues(upgraded, { ...stored, initial: 'B', sum: 0 }), null)
  t.is(upgradeValues({ codec }, stored), null)
})

test('fills nothing in a union of several objects, or for a codec that does not list its fields', (t) => {
  t.deepEqual(fill({ ...full, either: {} }).either, {})
  const silent = { decode: codec.decode }
  t.deepEqual(fillMissingFields({ codec: silent })({ id: 1 }), { id: 1 })
})

test('the codec of every collection of payments lists its fields', (t) => {
  for (const collection of payments.collections)
    t.true(Object.keys(fillMissingFields(collection)({ id: 'x' })).length > 1, collection.name)
})
