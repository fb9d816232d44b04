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

/** A field of each kind with values that it accepts, and what they decode to. */
type Accepting<Sent> = Readonly<
  Record<string, { readonly field: AnyField; readonly takes: readonly (readonly [sent: Sent, decoded: unknown])[] }>
>

/** Values that decode to themselves. */
const same = <const A>(...values: readonly A[]) => values.map((value) => [value, value] as const)

export const everyField: Accepting<Json> = {
  text: {
    field: text({ max: 8 }),
    takes: [
      ...same('Ana', 'a\tb\nc', '%_\'"', '😀'.repeat(8), `x${'\u0316'.repeat(7)}`, '\u202e', '１'),
      ['\u00a0Ana\ufeff\r\n', 'Ana'],
      ['a\r\nb', 'a\nb'],
      ['e\u0301\u1100\u1161', 'é가'],
    ],
  },
  'long text': { field: text({ max: 1_000_000 }), takes: same('Ana\n\tBia') },
  line: {
    field: line({ max: 12 }),
    takes: [
      ...same('Ana Souza', 'São\tJoão', '👨‍👩‍👧', 'می‌خواهم', 'a\u00adb', '\u3164한'),
      ['\n\u2003Ana\ufeff', 'Ana'],
    ],
  },
  'text of a pattern': {
    field: text({ max: 4, pattern: { regex: /^[0-9]{1,4}$/, code: 'agency' } }),
    takes: same('0101'),
  },
  secret: { field: secret({ min: 8 }), takes: same(' my pass word ', 'senha e\u0301\u202e', '\t\n\u0007     ') },
  digits: { field: digits({ length: 6 }), takes: same('012345') },
  email: {
    field: email(),
    takes: [
      ...same("!#$%&'*+/=?^_`{|}~-@b.co", 'a.b+c@x-1.example.com.br', 'josé@ação.br'),
      [' Ana@Example.COM\n', 'ana@example.com'],
    ],
  },
  url: {
    field: url(),
    takes: [
      ...same('https://example.com', 'HTTP://example.com:65535/a?b=@c#d', 'http://[2001:db8::1]/%20?x=\\&y'),
      ...same('http://127.0.0.1/../ação', 'https://a#x', 'https://ação.com?q'),
      [' https://a.co\n', 'https://a.co'],
    ],
  },
  alphanumeric: {
    field: alphanumeric({ max: 20 }),
    takes: [
      ['(11) 98765-4321', '11987654321'],
      [' ab-1.ç東１ ', 'AB1ç東１'],
      ['e\u0301', 'é'],
    ],
  },
  taxId: {
    field: taxId(),
    takes: [
      ['529.982.247-25', '52998224725'],
      [' 12.abc.345/01de-35\n', '12ABC34501DE35'],
    ],
  },
  cnpj: { field: taxId({ kind: 'CNPJ' }), takes: [['11.222.333/0001-81', '11222333000181']] },
  guid: { field: guid(), takes: [...same(GUID), [GUID.toUpperCase(), GUID]] },
  integer: { field: integer({ min: -5, max: 5 }), takes: [...same(-5, 0, 5), [-0, 0]] },
  'any integer': { field: integer(), takes: same(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
  id: { field: id(), takes: same(1) },
  reais: {
    field: money({ minCents: 1 }),
    takes: [
      [0.01, 1],
      [1.15, 115],
      [19.99, 1_999],
      [9_999_999_999.99, 999_999_999_999],
    ],
  },
  decimal: {
    field: decimal({ min: 0, max: 1_000_000, decimals: 4 }),
    takes: [...same(72.1234, 0.1, 1_000_000), [-0, 0]],
  },
  scaled: {
    field: scaled({ min: -100, max: 100, decimals: 4 }),
    takes: [
      [-2.5001, -25_001],
      [0.07, 700],
      [100, 1_000_000],
      [-0, 0],
    ],
  },
  hundredths: {
    field: hundredths({ min: 0, max: 100 }),
    takes: [
      [0.29, 29],
      [2.5, 250],
      [100, 10_000],
    ],
  },
  flag: { field: flag(), takes: same(true, false) },
  'one of words': { field: oneOf(['PIX', 'BOLETO']), takes: same('PIX', 'BOLETO') },
  'one of numbers': { field: oneOf([0, 1]), takes: same(0, 1) },
  'one of both': { field: oneOf([0, 'all']), takes: same<Json>(0, 'all') },
  day: { field: day(), takes: same('1900-01-01', '2000-02-29', '2024-02-29', '9999-12-31') },
  month: { field: month(), takes: same('1900-01', '2026-11', '9999-12') },
  instant: {
    field: instant(),
    takes: [
      ...same('2026-11-21T13:05:09.123Z', '1900-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'),
      ['2026-11-21T10:05:09-03:00', '2026-11-21T13:05:09.000Z'],
      ['2026-11-21T00:00+14:00', '2026-11-20T10:00:00.000Z'],
      ['2024-02-29T23:59:59.999999999-00:00', '2024-02-29T23:59:59.999Z'],
      ['2026-12-31T00:01:00.5-23:59', '2027-01-01T00:00:00.500Z'],
    ],
  },
  dayOrInstant: {
    field: dayOrInstant(),
    takes: [
      ...same('2026-11-21'),
      ['2026-11-21T01:00:00Z', '2026-11-20'],
      ['2026-11-21T00:00:00-03:00', '2026-11-21'],
      // Midnight UTC means its own date.
      ...['00:00Z', '00:00:00.000Z', '00:00:00+00:00', '00:00-00:00'].map(
        (time) => [`2026-11-21T${time}`, '2026-11-21'] as const,
      ),
      ['2026-11-21T00:00:00.001Z', '2026-11-20'],
    ],
  },
  json: {
    field: json(),
    takes: [
      [1, '1'],
      [-0, '0'],
      [true, 'true'],
      [[], '[]'],
      ['e\u0301', '"é"'],
      [{ b: [1, { c: null }], a: 'x' }, '{"a":"x","b":[1,{"c":null}]}'],
      // Keys are sorted by their bytes.
      [{ '😀': 1, ﬁ: 2, a: 3, A: 4 }, '{"A":4,"a":3,"ﬁ":2,"😀":1}'],
    ],
  },
  jsonObject: {
    field: jsonObject({ maxBytes: 64 }),
    takes: [
      [{}, '{}'],
      [{ a: 1 }, '{"a":1}'],
    ],
  },
  list: {
    field: list(text({ max: 3 }), { min: 1, max: 2 }),
    takes: [
      ...same(['a']),
      [
        [' a', 'b '],
        ['a', 'b'],
      ],
    ],
  },
  'list of lists': { field: list(list(integer(), { max: 2 }), { max: 2 }), takes: same<Json>([], [[], [1, 2]]) },
  object: {
    field: object(
      input(null, { city: text({ max: 9 }), zip: optional(text({ max: 9 })) }, requiredWith(['city'], 'zip')),
    ),
    takes: [
      [{ city: ' Natal' }, { city: 'Natal' }],
      [
        { city: 'Natal', zip: '1', more: 2 },
        { city: 'Natal', zip: '1' },
      ],
    ],
  },
  'object of aliases': {
    field: object(
      input(null, { value: money({ aliases: ['amount', 'sum'] }), n: optional(integer({ aliases: ['m'] })) }),
    ),
    takes: [
      [{ sum: 1 }, { value: 100 }],
      [
        { sum: 3, amount: 1, m: 2 },
        { value: 100, n: 2 },
      ],
      [
        { sum: 3, amount: 2, value: 1, m: 5, n: 4 },
        { value: 100, n: 4 },
      ],
    ],
  },
  optional: { field: optional(day()), takes: same('2026-01-01') },
  nullable: { field: nullable(text({ max: 3 })), takes: same('a', null) },
  'nullable choice': { field: nullable(oneOf(['male', 'female'])), takes: same('male', null) },
  'nullable object': { field: nullable(object(input(null, { a: id() }))), takes: same<Json>(null, { a: 1 }) },
  'nullable list': { field: nullable(list(nullable(id()), { max: 2 })), takes: same<Json>(null, [1, null]) },
  'nullable json': { field: nullable(json()), takes: [...same(null), [1, '1']] },
  orNull: { field: clearable(email()), takes: same(null, 'a@b.co') },
  nullIfAbsent: { field: nullIfAbsent(url()), takes: same(null, 'https://a.co') },
  withDefault: { field: withDefault(money(), 150), takes: [[1.5, 150]] },
}

/** A blank filter filters nothing. */
const BLANK = ['', undefined] as const

/** A filter of each kind with texts that it accepts, and what they decode to. */
export const everyFilter: Accepting<string | readonly string[]> = {
  'in query: text': { field: inQuery.text(), takes: [BLANK, [' \ufeff', undefined], [' Jose\u0301', 'José']] },
  'in query: day': { field: inQuery.day(), takes: [BLANK, ...same('2026-01-01')] },
  'in query: required month': { field: required(inQuery.month()), takes: same('2026-01') },
  'in query: guid': { field: inQuery.guid(), takes: [BLANK, [GUID.toUpperCase(), GUID]] },
  'in query: one of': { field: inQuery.oneOf(['asc', 'desc']), takes: [BLANK, ...same('asc')] },
  'in query: with default': {
    field: withDefault(inQuery.oneOf(['asc', 'desc']), 'desc'),
    takes: [...same('asc'), ['', 'desc']],
  },
  'in query: integer': {
    field: inQuery.integer({ min: -1 }),
    takes: [BLANK, ['-1', -1], ['007', 7], ['9007199254740991', Number.MAX_SAFE_INTEGER]],
  },
  'in query: flag': {
    field: inQuery.flag(),
    takes: [BLANK, ['true', true], ['1', true], ['false', false], ['0', false]],
  },
  'in query: integers': {
    field: inQuery.integers({ min: 1 }),
    takes: [
      BLANK,
      [',,', undefined],
      [' 1 ,01,2', [1, 2]],
      [
        ['1', '2,3'],
        [1, 2, 3],
      ],
    ],
  },
  'in query: words': {
    field: inQuery.words(['PIX', 'BOLETO']),
    takes: [
      BLANK,
      ['PIX', ['PIX']],
      ['PIX, BOLETO,PIX', ['PIX', 'BOLETO']],
      [
        ['PIX', 'BOLETO'],
        ['PIX', 'BOLETO'],
      ],
    ],
  },
  'in query: page': {
    field: inQuery.page(),
    takes: [
      ['1', 1],
      ['100000000000', 100_000_000_000],
    ],
  },
  'in query: per page': {
    field: inQuery.perPage({ default: 100, max: 500 }),
    takes: [
      ['1', 1],
      ['0500', 500],
    ],
  },
  'in query: e-mail': { field: inQuery.of(email()), takes: [BLANK, ['A@b.co', 'a@b.co']] },
  'in query: tax id': { field: inQuery.of(taxId()), takes: [BLANK, ['529.982.247-25', '52998224725']] },
}
