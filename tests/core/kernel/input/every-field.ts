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
import { input, object, requiredWith } from '../../../../core/kernel/input/input.ts'
import { json, jsonObject } from '../../../../core/kernel/input/json.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import {
  alphanumeric,
  day,
  dayOrInstant,
  decimal,
  digits,
  email,
  flag,
  guid,
  hundredths,
  id,
  instant,
  integer,
  line,
  money,
  month,
  oneOf,
  scaled,
  secret,
  taxId,
  text,
  url,
} from '../../../../core/kernel/input/scalars.ts'
import type { Json } from '../../../../core/kernel/records/record.ts'

const GUID = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A field of each kind, with values that it accepts. */
export const everyField: Readonly<Record<string, { readonly field: AnyField; readonly takes: readonly Json[] }>> = {
  text: { field: text({ max: 8 }), takes: ['Ana', 'São João', '😀'] },
  'long text': { field: text({ max: 1_000_000 }), takes: ['Ana\n\tBia'] },
  line: { field: line({ max: 12 }), takes: ['Ana Souza', 'São\tJoão', '👨‍👩‍👧', 'می‌خواهم'] },
  'text of a pattern': { field: text({ max: 4, pattern: { regex: /^[0-9]{1,4}$/, code: 'agency' } }), takes: ['0101'] },
  secret: { field: secret({ min: 8 }), takes: [' my pass word '] },
  digits: { field: digits({ length: 6 }), takes: ['012345'] },
  email: { field: email(), takes: ['ana@example.com', 'a.b+c@sub.example.com.br'] },
  url: { field: url(), takes: ['https://example.com', 'http://example.com:8080/a?b=c#d'] },
  alphanumeric: { field: alphanumeric({ max: 20 }), takes: ['(11) 98765-4321', '01310-100'] },
  taxId: { field: taxId(), takes: ['529.982.247-25', '12.ABC.345/01DE-35'] },
  cnpj: { field: taxId({ kind: 'CNPJ' }), takes: ['11.222.333/0001-81'] },
  guid: { field: guid(), takes: [GUID] },
  integer: { field: integer({ min: -5, max: 5 }), takes: [-5, 0, 5] },
  'any integer': { field: integer(), takes: [Number.MAX_SAFE_INTEGER] },
  id: { field: id(), takes: [1] },
  reais: { field: money({ minCents: 1 }), takes: [0.01, 19.99, 9_999_999_999.99] },
  decimal: { field: decimal({ min: 0, max: 1_000_000, decimals: 4 }), takes: [0, 72.1234] },
  scaled: { field: scaled({ min: -100, max: 100, decimals: 4 }), takes: [-2.5001, 0.5, 100] },
  hundredths: { field: hundredths({ min: 0, max: 100 }), takes: [2.5, 100] },
  flag: { field: flag(), takes: [true, false] },
  'one of words': { field: oneOf(['PIX', 'BOLETO']), takes: ['PIX'] },
  'one of numbers': { field: oneOf([0, 1]), takes: [0, 1] },
  'one of both': { field: oneOf([0, 'all']), takes: [0, 'all'] },
  day: { field: day(), takes: ['2024-02-29'] },
  month: { field: month(), takes: ['2026-11'] },
  instant: { field: instant(), takes: ['2026-11-21T13:05:09.123Z', '2026-11-21T10:05:09-03:00'] },
  dayOrInstant: { field: dayOrInstant(), takes: ['2026-11-21', '2026-11-21T01:00:00Z'] },
  json: { field: json(), takes: [1, 'a', true, [], { b: [1, { c: null }], a: 'é' }] },
  jsonObject: { field: jsonObject({ maxBytes: 64 }), takes: [{}, { a: 1 }] },
  list: { field: list(text({ max: 3 }), { min: 1, max: 2 }), takes: [['a'], ['a', 'b']] },
  'list of lists': { field: list(list(integer(), { max: 2 }), { max: 2 }), takes: [[], [[], [1, 2]]] },
  object: {
    field: object(
      input(null, { city: text({ max: 9 }), zip: optional(text({ max: 9 })) }, requiredWith(['city'], 'zip')),
    ),
    takes: [{ city: 'Natal' }, { city: 'Natal', zip: '1' }],
  },
  'object of aliases': {
    field: object(
      input(null, { value: money({ aliases: ['amount', 'sum'] }), n: optional(integer({ aliases: ['m'] })) }),
    ),
    takes: [{ value: 1 }, { amount: 1, m: 2 }, { sum: 1 }],
  },
  optional: { field: optional(day()), takes: ['2026-01-01'] },
  nullable: { field: nullable(text({ max: 3 })), takes: ['a', null] },
  'nullable choice': { field: nullable(oneOf(['male', 'female'])), takes: ['male', null] },
  'nullable object': { field: nullable(object(input(null, { a: id() }))), takes: [null, { a: 1 }] },
  'nullable list': { field: nullable(list(nullable(id()), { max: 2 })), takes: [null, [1, null]] },
  'nullable json': { field: nullable(json()), takes: [null, 1] },
  orNull: { field: clearable(email()), takes: [null, 'a@b.co'] },
  nullIfAbsent: { field: nullIfAbsent(url()), takes: [null, 'https://a.co'] },
  withDefault: { field: withDefault(money(), 150), takes: [1.5] },
}

/** A filter of each kind, with values that it accepts. */
export const everyFilter: Readonly<
  Record<string, { readonly field: AnyField; readonly takes: readonly (string | readonly string[])[] }>
> = {
  'in query: text': { field: inQuery.text(), takes: ['ana', ' ', ''] },
  'in query: day': { field: inQuery.day(), takes: ['2026-01-01', ''] },
  'in query: required month': { field: required(inQuery.month()), takes: ['2026-01'] },
  'in query: guid': { field: inQuery.guid(), takes: ['0f8fad5b-d9cb-469f-a165-70867728950e'] },
  'in query: one of': { field: inQuery.oneOf(['asc', 'desc']), takes: ['asc', ''] },
  'in query: with default': { field: withDefault(inQuery.oneOf(['asc', 'desc']), 'desc'), takes: ['asc', ''] },
  'in query: integer': { field: inQuery.integer({ min: -1 }), takes: ['-1', '007'] },
  'in query: flag': { field: inQuery.flag(), takes: ['true', 'false', '1', '0', ''] },
  'in query: integers': { field: inQuery.integers({ min: 1 }), takes: ['1,2', ['1', '2,3'], '', ',,'] },
  'in query: words': { field: inQuery.words(['PIX', 'BOLETO']), takes: ['PIX', ['PIX', 'BOLETO'], 'PIX, BOLETO'] },
  'in query: page': { field: inQuery.page(), takes: ['1', '100000000000'] },
  'in query: per page': { field: inQuery.perPage({ default: 100, max: 500 }), takes: ['1', '500'] },
  'in query: e-mail': { field: inQuery.of(email()), takes: ['a@b.co'] },
  'in query: tax id': { field: inQuery.of(taxId()), takes: ['529.982.247-25'] },
}
