import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { isRight } from '../../../../core/failure.ts'
import {
  clearable,
  type JsonSchema,
  list,
  nullIfAbsent,
  optional,
  withDefault,
} from '../../../../core/kernel/input/field.ts'
import { input, object } from '../../../../core/kernel/input/input.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import { integer, money, oneOf, text } from '../../../../core/kernel/input/scalars.ts'
import type { Json } from '../../../../core/kernel/records/record.ts'
import { everyField, everyFilter } from './every-field.ts'

// Its own opinions on style (`strictTypes`) are left out; unknown keywords and formats are not.
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats: { date: true, 'date-time': true, email: true, uri: true, uuid: true, password: true },
})
const judge = (schema: JsonSchema) => ajv.compile(schema)

test('the schema of every field accepts its examples', (t) => {
  for (const [key, { field, takes }] of Object.entries(everyField)) {
    const validate = judge(field.schema)
    for (const [sent] of takes)
      t.true(validate(sent), `${key}: ${JSON.stringify(sent)} ${JSON.stringify(field.schema)}`)
  }
})

test('the schema of every filter is valid', (t) => {
  for (const [key, { field }] of Object.entries(everyFilter)) t.notThrows(() => judge(field.schema), key)
})

const NOTHINGS: readonly Json[] = [null, true, 1.5, -1, 'x', [], {}, ['x'], { a: 1 }, 1e12, 'y'.repeat(3_000)]
test('a field refuses every value that its schema refuses', (t) => {
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

test('the schema of a body', (t) => {
  const charge = input(null, {
    name: text({ max: 10 }),
    phone: clearable(text({ max: 20 })),
    note: nullIfAbsent(text({ max: 20 })),
    value: money({ minCents: 1, aliases: ['amount'] }),
    installments: withDefault(integer({ min: 1, max: 120 }), 1),
    rows: optional(list(object(input(null, { kind: oneOf(['a']) })), { min: 1, max: 3 })),
  })
  const reais = {
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
      value: reais,
      amount: reais,
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
  const list = input(null, {
    status: inQuery.words(['a', 'b']),
    page: inQuery.page(),
    cents: withDefault(money(), 150),
  })
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
