import test from 'ava'
import fc from 'fast-check'
import { isLeft, isRight } from '../../../../core/failure.ts'
import {
  type AnyField,
  clearable,
  list,
  nullable,
  nullIfAbsent,
  optional,
  required,
  withDefault,
} from '../../../../core/kernel/input/field.ts'
import { input, object } from '../../../../core/kernel/input/input.ts'
import { day, digits, integer, money, text } from '../../../../core/kernel/input/scalars.ts'
import { t as io } from '../../../../core/kernel/records/record.ts'
import { isWellFormed } from '../../../../core/kernel/values/text.ts'
import { everyField, everyFilter } from './every-field.ts'
import { decodes, each, outcome, refuses } from './reads.ts'

const name = text({ max: 5 })

decodes('optional', optional(name), [
  [undefined, undefined],
  [' a', 'a'],
])
refuses('optional', optional(name), [...each('required', null, '', ' '), [1, 'text'], ['abcdef', 'text.max 5']])

decodes('nullable', nullable(name), [...[null, '', ' \n'].map((sent) => [sent, null] as const), ['a', 'a']])
refuses('nullable', nullable(name), [
  [undefined, 'required'],
  [0, 'text'],
])

decodes('clearable', clearable(digits({ length: 2 })), [
  [undefined, undefined],
  [null, null],
  ['', null],
  ['01', '01'],
])
refuses('clearable', clearable(digits({ length: 2 })), [['1', 'digits 2']])
refuses('clearable without a blank', clearable(day()), [['', 'day']])

decodes('nullIfAbsent', nullIfAbsent(name), [...[undefined, null, ''].map((sent) => [sent, null] as const), ['a', 'a']])
refuses('nullIfAbsent', nullIfAbsent(name), [[[], 'text']])

decodes('withDefault', withDefault(money(), 150), [
  [undefined, 150],
  [0, 0],
])
refuses('withDefault', withDefault(money(), 150), [
  [null, 'required'],
  ['', 'money'],
])

decodes('required', required(optional(name)), [['a', 'a']])
refuses('required', required(optional(name)), each('required', undefined, null, ''))

test('a nullable field does not decode to null if only a nested field is missing', (t) => {
  const field = nullable(object(input(null, { city: name })))
  t.deepEqual(outcome(field.read({})), { issues: ['city required'] })
  t.deepEqual(outcome(nullable(list(name, { max: 2 })).read([''])), { issues: ['0 required'] })
})

test('modifiers decide which fields are optional', (t) => {
  const absent = [optional, clearable, nullIfAbsent].map((modifier) => modifier(name).isOptional)
  t.deepEqual([...absent, withDefault(name, 'a').isOptional], [true, true, true, true])
  t.deepEqual([name.isOptional, nullable(name).isOptional, required(optional(name)).isOptional], [false, false, false])
})

const numbers = list(integer({ min: 1 }), { min: 1, max: 3 })
refuses('list', numbers, [
  ...each('required', undefined, null),
  ...each('list', 1, 'a', '', {}, { length: 1, 0: 1 }, true),
  [[], 'list.min 1'],
  [[1, 2, 3, 4], 'list.max 3'],
])
test('reports every wrong item of a list by its index', (t) => {
  t.deepEqual(outcome(numbers.read(['1', 2, 0])), { issues: ['0 integer', '2 integer.min 1'] })
  t.deepEqual(outcome(numbers.read([1, null])), { issues: ['1 required'] })
  t.deepEqual(outcome(list(numbers, { max: 2 }).read([[1], [1, {}]])), { issues: ['1.1 integer'] })
  t.deepEqual(outcome(numbers.read(new Array(2))), { issues: ['0 required', '1 required'] })
})

test('a field is an io-ts type whose errors have the code and the path', (t) => {
  const codec = io.strict({ tags: list(text({ max: 3 }), { max: 2 }) })
  const got = codec.decode({ tags: ['a', 'abcd'], more: 1 })
  t.true(isLeft(got))
  if (isLeft(got)) {
    const messages = got.left.map(({ message }) => message)
    t.deepEqual(messages, ['text.max'])
    t.is(got.left[0]?.context.map(({ key }) => key).join('.'), '.tags.1')
  }
  t.deepEqual(codec.decode({ tags: [' a '], more: 1 }), { _tag: 'Right', right: { tags: ['a'] } })
})

const fieldNames = fc.constantFrom(...Object.keys(everyField))
const hostile = fc.constantFrom<unknown>(
  ...[Number.NaN, Number.POSITIVE_INFINITY, -0, 1e-7, 0.005, 2 ** 53, '1,50', '１２３', '\0', '\ud800', '\u202e'],
  ...[{ $gt: '' }, { $ne: null }, [], [[]], {}, JSON.parse('{"__proto__":{"a":1}}'), 'q'.padEnd(10_001, '\u0316')],
)
/** Parsed JSON, texts of any code units, and near misses of valid values. */
const anything = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 30 }),
  fc.double(),
  fc.integer(),
  hostile,
  fc.constantFrom<unknown>(...Object.values(everyField).flatMap(({ takes }) => takes.map(([sent]) => sent))),
  fc.emailAddress(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((number) => Math.round(number * 100) / 100),
)

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.entries(value).flat().flatMap(textsIn) : []
}

const fieldOf = (key: string): AnyField => {
  const row = everyField[key]
  if (!row) throw new Error(key)
  return row.field
}

const CODE = /^[a-z-]+(\.[a-z-]+)?$/

test('decodes any value whole or refuses it with codes, and never throws', (t) => {
  let decoded = 0
  const property = fc.property(fieldNames, anything, (key, sent) => {
    const field = fieldOf(key)
    const got = field.read(sent)
    if (isLeft(got)) {
      t.true(got.left.length > 0)
      for (const { path, code } of got.left) t.true(CODE.test(code) && !path.startsWith('.'), `${path} ${code}`)
      return
    }
    decoded += 1
    t.true(field.is(got.right), key)
    for (const part of key === 'secret' ? [] : textsIn(got.right))
      t.true(isWellFormed(part) && part === part.normalize('NFC'))
    t.deepEqual(field.read(field.encode(got.right)), got, `${key}: ${JSON.stringify(field.encode(got.right))}`)
  })
  fc.assert(property, { numRuns: 20_000 })
  t.true(decoded > 1_000, `${decoded} decoded`)
})

test('every field and filter decodes its examples to their values, and again after encoding', (t) => {
  for (const [key, { field, takes }] of Object.entries({ ...everyField, ...everyFilter }))
    for (const [sent, decoded] of takes) {
      const got = field.read(sent)
      t.deepEqual(outcome(got), { decoded }, `${key}: ${JSON.stringify(sent)}`)
      if (isRight(got)) t.deepEqual(field.read(field.encode(got.right)), got, key)
    }
})
