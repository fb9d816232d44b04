import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { t as io, isRight } from '../../../../core/fp.ts'
import { body, object } from '../../../../core/kernel/input/body.ts'
import { alsoAs, list, nullIfAbsent, optional, orNull, withDefault } from '../../../../core/kernel/input/codec.ts'
import { oneOf } from '../../../../core/kernel/input/fields/choices.ts'
import { day } from '../../../../core/kernel/input/fields/days.ts'
import { integer, reais } from '../../../../core/kernel/input/fields/numbers.ts'
import { text } from '../../../../core/kernel/input/fields/texts.ts'
import { type JsonSchema, schemaOf } from '../../../../core/kernel/input/json-schema.ts'
import { out } from '../../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../../core/kernel/input/query.ts'
import type { Json } from '../../../../core/kernel/records/collection.ts'
import { everyField } from './every-field.ts'
import { everyFilter } from './every-filter.ts'

const judge = (schema: JsonSchema) => {
  // Its own opinions on style (`strictTypes`) are left out; unknown keywords and formats are not.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    formats: { date: true, 'date-time': true, email: true, uri: true, uuid: true, password: true },
  })
  return ajv.compile(schema)
}

test('every field of a body has a schema that takes what the field takes', (t) => {
  for (const [key, { field, takes }] of Object.entries(everyField)) {
    t.is(schemaOf(field), field.schema)
    const validate = judge(field.schema)
    for (const sent of takes) t.true(validate(sent), `${key}: ${JSON.stringify(sent)} ${JSON.stringify(field.schema)}`)
  }
})

test('every field of a query has a valid schema', (t) => {
  for (const [key, { field }] of Object.entries(everyFilter)) t.notThrows(() => judge(field.schema), key)
})

const NOTHINGS: readonly Json[] = [null, true, 1.5, -1, 'x', [], {}, ['x'], { a: 1 }, 1e12, 'y'.repeat(3_000)]
test('what the schema of a field refuses, the field refuses', (t) => {
  let refused = 0
  for (const [key, { field }] of Object.entries(everyField)) {
    const validate = judge(field.schema)
    for (const sent of NOTHINGS) {
      if (validate(sent)) continue
      refused += 1
      t.false(isRight(field.read(sent)), `${key}: ${JSON.stringify(sent).slice(0, 50)}`)
    }
  }
  t.true(refused > 200, `${refused}`)
})

const shapes: Readonly<Record<string, readonly [io.Mixed, JsonSchema]>> = {
  string: [io.string, { type: 'string' }],
  number: [io.number, { type: 'number' }],
  boolean: [io.boolean, { type: 'boolean' }],
  null: [io.null, { type: 'null' }],
  unknown: [io.unknown, {}],
  Int: [io.Int, { type: 'integer' }],
  literal: [io.literal('a'), { type: 'string', enum: ['a'] }],
  'integer literal': [io.literal(1), { type: 'integer', enum: [1] }],
  'boolean literal': [io.literal(true), { type: 'boolean', enum: [true] }],
  keyof: [io.keyof({ a: null, b: null }), { type: 'string', enum: ['a', 'b'] }],
  array: [io.array(io.string), { type: 'array', items: { type: 'string' } }],
  'readonly array': [io.readonlyArray(out.id), { type: 'array', items: { type: 'integer', minimum: 1 } }],
  tuple: [
    io.tuple([io.string, io.number]),
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 },
  ],
  dictionary: [io.record(io.string, io.number), { type: 'object', additionalProperties: { type: 'number' } }],
  'any dictionary': [io.UnknownRecord, { type: 'object' }],
  interface: [
    io.type({ a: io.string, b: io.union([io.number, io.undefined]) }),
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
  ],
  partial: [io.partial({ a: io.string }), { type: 'object', properties: { a: { type: 'string' } } }],
  strict: [
    io.strict({ a: io.string }),
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
  ],
  'exact of an intersection': [
    io.exact(io.intersection([io.type({ a: io.string }), io.partial({ b: io.number })])),
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  'intersection of strict ones': [
    io.intersection([io.strict({ a: io.string }), io.strict({ b: io.number })]),
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  ],
  'intersection with an open one': [
    io.intersection([io.strict({ a: io.string }), io.type({ b: io.number })]),
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a', 'b'] },
  ],
  'intersection of other things': [
    io.intersection([io.union([io.string, io.number]), io.string]),
    { allOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'string' }] },
  ],
  nullable: [out.nullable(io.string), { type: ['string', 'null'] }],
  'nullable words': [
    out.nullable(io.keyof({ a: null, b: null })),
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  'nullable object': [
    out.nullable(io.type({ a: io.string })),
    { type: ['object', 'null'], properties: { a: { type: 'string' } }, required: ['a'] },
  ],
  'nullable of several': [
    io.union([io.string, io.number, io.null]),
    { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
  ],
  'nullable of anything': [io.union([io.unknown, io.null]), {}],
  'words as a union': [io.union([io.literal('a'), io.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
  'words and numbers': [io.union([io.literal('a'), io.literal(1)]), { enum: ['a', 1] }],
  'union in a union': [
    io.union([io.union([io.string, io.null]), io.union([io.number, io.undefined])]),
    { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
  ],
  readonly: [
    io.readonly(io.type({ a: io.string })),
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ],
  'a field in an output': [
    io.strict({ a: oneOf(['x']), b: optional(day()) }),
    {
      type: 'object',
      properties: { a: { type: 'string', enum: ['x'] }, b: { type: 'string', format: 'date' } },
      required: ['a'],
      additionalProperties: false,
    },
  ],
}

for (const [name, [codec, schema]] of Object.entries(shapes))
  test(`the schema of an io-ts codec: ${name}`, (t) => {
    t.deepEqual(schemaOf(codec), schema)
    t.notThrows(() => judge(schema))
  })

test('a codec that nobody can document is refused with its name', (t) => {
  const own = new io.Type<string>('own', io.string.is, io.string.validate, io.identity)
  for (const codec of [
    own,
    io.undefined,
    io.bigint,
    io.type({ a: own }),
    io.recursion<string>('Tree', () => io.string),
  ]) {
    t.throws(() => schemaOf(codec), {
      instanceOf: TypeError,
      message: /^no JSON Schema for the codec (own|undefined|bigint|Tree)$/,
    })
  }
})

const samples: Readonly<Record<string, readonly [io.Mixed, good: readonly Json[], bad: readonly Json[]]>> = {
  id: [out.id, [1, 9_007_199_254_740_991], [0, -1, 1.5, '1', null]],
  count: [out.count, [0, 1], [-1, 0.5, '0']],
  integer: [out.integer, [-1, 0], [0.5, '1']],
  reais: [out.reais, [0, -19.99, 1e9], [0.001, 1e300, '1', null]],
  day: [out.day, ['2026-11-21'], ['2026-02-30', '2026-11-21T00:00:00Z', 5]],
  month: [out.month, ['2026-11'], ['2026-13', '2026-11-01']],
  instant: [
    out.instant,
    ['2026-11-21T13:05:09.123Z', '2026-11-21T10:05:09-03:00'],
    ['2026-11-21 10:05:09', '2026-11-21'],
  ],
  localTime: [out.localTime, ['2026-11-21 10:05:09'], ['2026-11-21T10:05:09', '2026-11-21 24:00:00']],
  guid: [out.guid, ['0f8fad5b-d9cb-469f-a165-70867728950e'], ['0F8FAD5B-D9CB-469F-A165-70867728950E', 'x']],
  url: [out.url, ['http://127.0.0.1:3000/pay/x?token=y'], ['/pay/x', 'ftp://a.co']],
  oneOf: [out.oneOf(['a', 1]), ['a', 1], ['b', 2, '1']],
  json: [out.json, [null, 1, {}], []],
}

for (const [name, [codec, good, bad]] of Object.entries(samples))
  test(`out.${name} checks what it documents`, (t) => {
    const validate = judge(schemaOf(codec))
    for (const value of good)
      t.true(codec.is(value) && isRight(codec.decode(value)) && validate(value), JSON.stringify(value))
    for (const value of bad) t.false(codec.is(value) || isRight(codec.decode(value)), JSON.stringify(value))
  })

test('the schema of a body', (t) => {
  const charge = body({
    name: text({ max: 10 }),
    phone: orNull(text({ max: 20 })),
    note: nullIfAbsent(text({ max: 20 })),
    value: alsoAs(reais({ minCents: 1 }), 'amount'),
    installments: withDefault(integer({ min: 1, max: 120 }), 1),
    rows: optional(list(object(body({ kind: oneOf(['a']) })), { min: 1, max: 3 })),
  })
  const money = {
    type: 'number',
    minimum: 0.01,
    maximum: 9_999_999_999.99,
    description: 'Reais, com até 2 casas decimais.',
  }
  t.deepEqual(charge.schema, {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 10 },
      phone: { type: ['string', 'null'], minLength: 1, maxLength: 20 },
      note: { type: ['string', 'null'], minLength: 1, maxLength: 20 },
      value: money,
      amount: money,
      installments: { type: 'integer', minimum: 1, maximum: 120, default: 1 },
      rows: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: { type: 'object', properties: { kind: { type: 'string', enum: ['a'] } }, required: ['kind'] },
      },
    },
    required: ['name'],
    allOf: [{ anyOf: [{ required: ['value'] }, { required: ['amount'] }] }],
  })
  const validate = judge(charge.schema)
  t.true(validate({ name: 'a', amount: 1 }))
  t.false(validate({ name: 'a' }))
})

test('the schema of a query, by its parameters', (t) => {
  const list = query({ status: inQuery.words(['a', 'b']), page: inQuery.page(), cents: withDefault(reais(), 150) })
  t.deepEqual(list.schema, {
    type: 'object',
    properties: {
      status: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 0, maxItems: 100 },
      page: { type: 'integer', minimum: 1, maximum: 100_000_000_000, default: 1 },
      cents: {
        type: 'number',
        minimum: 0,
        maximum: 9_999_999_999.99,
        description: 'Reais, com até 2 casas decimais.',
        default: 1.5,
      },
    },
  })
})
