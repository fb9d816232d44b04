import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../core/failure.ts'
import { list, nullable } from '../../../../core/kernel/input/field.ts'
import { input, object, storedTypes } from '../../../../core/kernel/input/input.ts'
import { text } from '../../../../core/kernel/input/scalars.ts'
import { orNull, record, t, word } from '../../../../core/kernel/records/record.ts'

const fields = {
  id: t.Int,
  name: orNull(t.string),
  status: word('open', 'closed'),
  kind: orNull(word('a', 'b')),
  ratio: t.union([t.number, t.literal('none')]),
  active: t.boolean,
  labels: orNull(t.array(t.string)),
  address: orNull(record({ city: t.string, lines: t.array(t.string) })),
  legs: t.array(record({ cents: t.Int, at: orNull(t.string) })),
  // The first member accepts the values of the second one without `b`.
  one: t.union([record({ a: t.string }), record({ a: t.string, b: t.string })]),
  partial: t.partial({ a: t.string }),
  title: text({ max: 20 }),
  payer: nullable(object(input(null, { name: text({ max: 20 }) }))),
  notes: nullable(list(text({ max: 20 }), { max: 3 })),
  ...storedTypes({
    nick: text({ max: 20 }),
    rows: nullable(list(object(input(null, { name: text({ max: 20 }) })), { max: 3 })),
  }),
}

const mostly = <A>(right: fc.Arbitrary<A>) =>
  fc.oneof(
    { arbitrary: right, weight: 30 },
    { arbitrary: fc.constantFrom(null, undefined, 'x', 7, 1.5, true, [], {}), weight: 1 },
  )
const objectOf = <A extends object>(fields: { [K in keyof A]: fc.Arbitrary<A[K]> }) =>
  fc.record(fields, { noNullPrototype: true })
const words = fc.constantFrom('open', 'closed', 'a', 'b', ' padded ')
const nullOr = <A>(right: fc.Arbitrary<A>) => fc.option(right)
const withMore = <A extends object>(right: fc.Arbitrary<A>) =>
  fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: right.map((value) => ({ ...value, more: 1 })), weight: 1 })

const values = withMore(
  objectOf({
    id: mostly(fc.integer()),
    name: mostly(nullOr(words)),
    status: mostly(fc.constantFrom('open', 'closed')),
    kind: mostly(nullOr(fc.constantFrom('a', 'b'))),
    ratio: mostly(fc.oneof(fc.double(), fc.constant('none'))),
    active: mostly(fc.boolean()),
    labels: mostly(nullOr(fc.array(mostly(words), { maxLength: 3 }))),
    address: mostly(nullOr(withMore(objectOf({ city: mostly(words), lines: fc.array(words, { maxLength: 2 }) })))),
    legs: mostly(fc.array(withMore(objectOf({ cents: mostly(fc.integer()), at: nullOr(words) })), { maxLength: 3 })),
    one: mostly(fc.oneof(objectOf({ a: words }), objectOf({ a: words, b: words }))),
    partial: mostly(fc.record({ a: words, b: words }, { requiredKeys: [], noNullPrototype: true })),
    title: mostly(words),
    payer: mostly(fc.option(withMore(objectOf({ name: mostly(words) })), { freq: 1 })),
    notes: mostly(fc.option(fc.array(words, { maxLength: 4 }), { freq: 1 })),
    nick: mostly(words),
    rows: mostly(nullOr(fc.array(withMore(objectOf({ name: mostly(words) })), { maxLength: 2 }))),
  }),
)

const codec = record(fields)
const plain = t.strict(fields)

test('decodes as io-ts does: equal records, the same object if nothing changes, and equal errors', (t) => {
  const seen = { same: 0, changed: 0, wrong: 0 }
  const property = fc.property(values, (value) => {
    const [got, expected] = [codec.decode(value), plain.decode(value)]
    if (isLeft(expected)) {
      seen.wrong += 1
      t.deepEqual(isLeft(got) && got.left.map(pathOf), expected.left.map(pathOf))
      return
    }
    t.deepEqual(got, expected)
    const isSame = expected.right === value
    seen[isSame ? 'same' : 'changed'] += 1
    if (isSame && !isLeft(got)) t.is(got.right, expected.right)
  })
  fc.assert(property, { numRuns: 1_000, seed: 40 })
  for (const [way, count] of Object.entries(seen)) t.true(count > 50, `${way}: ${count}`)
})

const pathOf = ({ context }: t.ValidationError): string => context.map(({ key }) => key).join('.')

test('refuses values that are no plain objects as io-ts does', (t) => {
  const own = record({ id: word('a') })
  for (const value of [null, undefined, 'a', 7, [], [['id', 'a']], new Map([['id', 'a']]), new Date(0)])
    t.true(isLeft(own.decode(value)))
})
