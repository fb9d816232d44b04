import { parse as parseQuery } from 'node:querystring'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { MAX_JSON_DEPTH } from '../../../../apps/http/bodies/json.ts'
import { bodyRuleOf } from '../../../../apps/http/rows/row.ts'
import { isRight } from '../../../../core/failure.ts'
import { shareOf, some } from '../../../size.ts'
import type { RowsApi } from '../api-under-test.ts'
import { headersOf, type Place, type Prepared, placesOf, targetOf, withQuery } from '../places.ts'
import { sampleRows } from '../sampling.ts'
import { type RowsSuite, writtenBetween } from '../suite.ts'
import { inBatches, type RawRequest, type Reply } from '../wire.ts'

/** The number of requests of `npm test`, for all rows together. */
const REQUESTS = 600
const LEAST = 230
/** More than the places of a row. */
const MOST_PLACES = 100

/** Tests that malformed and hostile bodies and queries are rejected and not stored. */
export const bodiesSuite = <A extends RowsApi>({
  rows,
  wording,
  open,
  prepare,
  dump,
  documented,
}: RowsSuite<A>): void => {
  const tried = sampleRows(rows)
  const each = shareOf(REQUESTS, tried.flatMap(placesOf).length)
  for (const [number, row] of tried.entries())
    test.serial(`${row.name} rejects hostile bodies and queries and stores none`, async (t) => {
      const api = await open(t)
      const document = await documented(api)
      const check = ({ about }: Case, reply: Reply, mayPass: boolean) => {
        if (mayPass && reply.status < 400) return
        const wrong = wording.wrongFailure(reply, row.dialect, document)
        if (wrong !== null) t.fail(`${about}\n→ ${wrong}`)
      }
      for (const [index, place] of placesOf(row).entries()) {
        const all = casesOf(place, await prepare(api, place))
        t.true(all.length >= LEAST)
        // Each row draws others: together they are sent nearly all.
        const cases = some(all, each, number * MOST_PLACES + index).map((build) => build())
        const rejected = cases.filter(({ mayPass }) => !mayPass)
        const before = await dump(api)
        for (const [at, reply] of (await inBatches(rejected, (one) => api.wire(one))).entries())
          check(rejected[at] as Case, reply, false)
        t.deepEqual(writtenBetween(before, await dump(api)), [])
        const passing = cases.filter(({ mayPass }) => mayPass)
        for (const [at, reply] of (await inBatches(passing, (one) => api.wire(one))).entries())
          check(passing[at] as Case, reply, true)
      }
      t.false('x' in {})
    })
}

type Fields = Readonly<Record<string, unknown>>
type Sent = string | Uint8Array

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const everyField = (body: Fields, value: unknown) =>
  JSON.stringify(Object.fromEntries(Object.keys(body).map((key) => [key, value])))
/** Sets every field to a value that JSON cannot represent. */
const everyFieldRaw = (body: Fields, raw: string) => everyField(body, '@').replaceAll('"@"', raw)

const MANY_KEYS = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index])))
const DEEP = nested('{"a":', '}', 5_000)

/** Returns malformed and hostile variants of a valid body. */
const bodiesAround = (body: Fields): readonly Sent[] => {
  const valid = JSON.stringify(body)
  const [first = 'a'] = Object.keys(body)
  return [
    ...['', ' ', '\0', '{', '}', '[]', '{"":""}', 'null', 'true', '-0', '1e309', 'NaN', '"text"', '"\\ud800"'],
    `\ufeff${valid}`,
    valid.slice(0, -1),
    `${valid},`,
    valid + valid,
    `[${valid}]`,
    JSON.stringify(valid),
    `/**/${valid}`,
    valid.replaceAll('"', "'"),
    valid.replace('}', ',}'),
    `{"data":${valid}}`,
    ...[null, [], {}, { $ne: null }, [valid], 'x'.repeat(20_000)].map((value) => everyField(body, value)),
    ...['1e309', '"\\ud800\\u0000"', '"a\tb\u0001"', '0x10'].map((raw) => everyFieldRaw(body, raw)),
    `{"${first}":${nested('[', ']', 5_000)}}`,
    DEEP,
    MANY_KEYS,
    Buffer.concat([Buffer.from(`{"${first}":`), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('}')]),
    Buffer.from(valid, 'utf16le'),
    gzipSync(valid),
    new URLSearchParams(Object.fromEntries(Object.keys(body).map((key) => [`${key}[$ne]`, '1']))).toString(),
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    `--X\r\nContent-Disposition: form-data; name="${first}"\r\n\r\na\r\n--X--\r\n`,
  ]
}

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=X',
  'text/plain',
  'text/csv',
  'application/xml',
]

const VALUES = [
  ...['', '0', '-1', '1.5', '1e3', 'NaN', 'null', 'true', '9'.repeat(400), 'a'.repeat(6_000)],
  ...['%00', '%ff', '%', '%zz', '%ED%A0%80', '%27%20OR%201=1--', '%25_', '%7B%22$gt%22:%22%22%7D', '^(a%2B)%2B$'],
  encodeURIComponent('İıß🎈e\u0301'),
]

const SHAPES: readonly ((key: string) => string)[] = [
  ...VALUES.map((value) => (key: string) => `${key}=${value}`),
  (key) => `${key}[$ne]=1`,
  (key) => `${key}[$gt]=`,
  (key) => `${key}[]=1&${key}[]=2`,
  (key) => `${key}.x=1`,
  (key) => `${key}=a&${key}=b`,
  () => '__proto__=1&__proto__[x]=1&constructor=1&constructor[prototype][x]=1&toString=1',
  () => '$where=1&%00=1',
  () => '&&&==&?&#',
  () => 'z=1&'.repeat(1_200),
  () => '%FF=%FF&%C0%80=1&=',
]

const queriesOf = ({ row }: Place): readonly string[] => {
  const keys = Object.keys(row.input.query?.fields ?? { page: 1 })
  return SHAPES.map((shape, index) => shape(keys[index % keys.length] ?? 'page'))
}

interface Case extends RawRequest {
  readonly about: string
  /** True if the row's codecs accept it after all. */
  readonly mayPass: boolean
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

// A byte order mark may be ignored (RFC 8259, 8.1).
const textOf = (body: Sent) =>
  Buffer.from(body)
    .toString('utf8')
    .replace(/^\ufeff/, '')

const objectOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) && depthOf(value) <= MAX_JSON_DEPTH ? value : null
  } catch {
    return null
  }
}

const isValid = ({ row }: Place, type: string, body: Sent, search: string): boolean => {
  const { input } = row
  if (input.query && !isRight(input.query.decode({ ...parseQuery(search) }))) return false
  if (!bodyRuleOf(row)) return true
  const value = body.length === 0 ? {} : type === 'application/json' && objectOf(textOf(body))
  return Boolean(value) && (!input.body || isRight(input.body.decode(value)))
}

const caseOf = (place: Place, sent: Prepared, type: string, body: Sent, query: string) => (): Case => {
  const full = withQuery(targetOf(place, sent), query)
  return {
    method: place.method,
    target: full,
    headers: { ...headersOf(sent), 'content-type': type },
    body,
    about: `${place.method} ${full.slice(0, 120)} ${type} ${Buffer.from(body).toString('latin1').slice(0, 120)}`,
    mayPass: isValid(place, type, body, full.split('?')[1] ?? ''),
  }
}

/**
 * Returns more than 230 requests: each body in each type, and each query. They are built on demand, since few are sent.
 */
const casesOf = (place: Place, sent: Prepared): readonly (() => Case)[] => {
  const [first = 'a'] = Object.keys(place.row.input.body?.fields ?? {})
  return [
    ...bodiesAround(sent.body ?? { [first]: 1 }).flatMap((body) =>
      TYPES.map((type) => caseOf(place, sent, type, body, '')),
    ),
    ...queriesOf(place).map((query) => caseOf(place, sent, 'application/json', `{"${first}":[[]]}`, query)),
  ]
}
