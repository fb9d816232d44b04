import test from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { isLeft } from '../../../../core/failure.ts'
import { shareOf, some } from '../../../size.ts'
import type { RowsApi } from '../api-under-test.ts'
import { bodyLeaves, queryLeaves, typesOf, withAt } from '../fields.ts'
import { askAt, type Prepared, placeOf, placesOf, takesJson } from '../places.ts'
import { sampleRows } from '../sampling.ts'
import { differences } from '../schemas.ts'
import { type RowsSuite, writtenBetween } from '../suite.ts'

/** Fields that no caller may set. Their values occur nowhere else. */
const FORBIDDEN: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['id', '_id', 'account_id', 'accountId', 'company_id', 'user_id', 'userId', 'role', 'role_id', 'roleId']
      .concat(['balance', 'balanceCents', 'valueCents', 'uses_count', 'usesLeft', 'admins', 'created_by', 'createdBy'])
      .map((name) => [name, 777_000_777]),
  ),
  amount_paid: 7_770_007.77,
  status: 'forbidden value',
  uuid: 'forbidden value',
  code: 'forbidden value',
  txid: 'forbidden value',
  passwordHash: 'forbidden value',
  permissions: ['forbidden value'],
  isAdmin: true,
  created_at: '1999-01-01T00:00:00.000Z',
  createdAt: '1999-01-01T00:00:00.000Z',
  updated_at: '1999-01-01T00:00:00.000Z',
  removedAt: '1999-01-01T00:00:00.000Z',
  email_verified_at: '1999-01-01T00:00:00.000Z',
  $set: { status: 'forbidden value' },
  'status.id': 777_000_777,
  'a.b': 'forbidden value',
}
const TRACES = /forbidden value|777000777|7770007\.77|1999-01-01/
const PROTOTYPES =
  '"__proto__":{"forbidden":"forbidden value"},"constructor":{"prototype":{"forbidden":"forbidden value"}}'

/** Returns the forbidden fields that are none of the row's own. */
const forbiddenBeside = (known: readonly string[]) =>
  Object.fromEntries(Object.entries(FORBIDDEN).filter(([name]) => !known.includes(name)))

/** Returns the body with forbidden fields in each object, in JSON also as prototypes. */
const withForbidden = (row: AnyRow, { body = {} }: Prepared) => {
  const leaves = bodyLeaves(row)
  const known = (depth: number) =>
    leaves.filter(({ path }) => path.length === depth).map(({ path }) => path.at(-1) ?? '')
  const also = leaves.flatMap(({ codec }) => codec?.aliases ?? [])
  const inside = leaves.filter(({ schema, path }) => path.length === 1 && schema.properties && path[0] && body[path[0]])
  const within = inside.reduce(
    (whole, { path, schema }) =>
      withAt(whole, path, {
        ...forbiddenBeside(Object.keys(schema.properties ?? {})),
        ...(body[path[0] ?? ''] as object),
      }),
    body,
  )
  const whole = { ...forbiddenBeside([...known(1), ...also]), ...within }
  return takesJson(row) ? { raw: `${JSON.stringify(whole).slice(0, -1)},${PROTOTYPES}}` } : { body: whole }
}

/** Tests that unknown fields are not stored, and that operators of databases are plain text. */
export const injectionSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  storesNothingForbidden(under)
  takesNoOperators(under)
  searchesLiterally(under)
}

const storesNothingForbidden = <A extends RowsApi>({ rows, dialects, open, prepare, dump }: RowsSuite<A>): void => {
  for (const row of sampleRows(rows.filter(({ methods }) => methods.some((method) => method !== 'GET'))))
    test.serial(`${row.name} stores no unknown field`, async (t) => {
      const api = await open(t)
      const isStrict = dialects[row.dialect]?.refusesOperators
      for (const place of placesOf(row)) {
        const sent = await prepare(api, place)
        const before = await dump(api)
        const forbidden = Object.entries(forbiddenBeside(Object.keys(row.input.query?.fields ?? {}))).filter(
          ([name]) => !(isStrict && name.includes('$')),
        )
        const more = forbidden.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')
        const { body, raw } = withForbidden(row, sent)
        const answer = await askAt(api, place, body ? { ...sent, body } : sent, raw ? { more, raw } : { more })
        t.is(answer.status, row.reply.doc.status, answer.text)
        t.deepEqual(differences(answer.body, row.example.reply), [])
        const texts = [answer.text, ...writtenBetween(before, await dump(api))]
        t.deepEqual(
          texts.filter((text) => TRACES.test(text)),
          [],
        )
      }
      t.false('forbidden' in {})
    })
}

/** Operators of databases, and values that are no scalars. */
const OPERATORS: readonly unknown[] = [
  ...[{ $gt: '' }, { $ne: null }, { $in: ['a'] }, { $where: 'while(true){}' }, { $regex: '^(a+)+$' }],
  ...[{ $expr: { $eq: [1, 1] } }, { length: 1 }, { toString: 'a' }, ['a', 'b'], [{ $ne: null }], [[]]],
]

/** The number of requests of `npm test`, for all rows together. */
const REQUESTS = 500

const takesNoOperators = <A extends RowsApi>({ rows, wording, open, prepare, dump }: RowsSuite<A>): void => {
  // The fields of a form are texts.
  const inputs = sampleRows(rows.filter((row) => row.input.body && takesJson(row)))
  const each = shareOf(REQUESTS, inputs.length)
  for (const row of inputs)
    test.serial(`${row.name} rejects an operator as a value`, async (t) => {
      const api = await open(t)
      const sent = await prepare(api, placeOf(row))
      const before = await dump(api)
      const scalars = bodyLeaves(row).filter(({ schema }) => {
        const types = typesOf(schema)
        return (types.length > 0 || schema.enum) && !types.includes('object') && !types.includes('array')
      })
      const cases = placesOf(row).flatMap((place) =>
        scalars.flatMap((leaf) => OPERATORS.map((operator) => ({ place, operator, ...leaf }))),
      )
      for (const { place, path, name, operator } of some(cases, each)) {
        const answer = await askAt(api, place, { ...sent, body: withAt(sent.body ?? {}, path, operator) })
        const about = `${place.path} ${name}: ${JSON.stringify(operator)}`
        t.is(answer.status, wording.invalid, about)
        t.true(Object.keys(wording.fieldsIn(answer.body)).includes(name), about)
      }
      t.deepEqual(writtenBetween(before, await dump(api)), [])
    })
}

const operatorKeys = (key: string) => [
  `${key}[$ne]=1`,
  `${key}[$gt]=`,
  `${key}[$regex]=.*`,
  `${key}[]=`,
  `${key}.$ne=1`,
  '$where=1',
]

/** Texts with a meaning in queries of databases. */
export const PATTERNS = [
  ...["' OR 1=1--", "' OR '1'='1", '"; DROP TABLE x;--', '%', '_', '%_%', '.*', '^(a+)+$', '[a-z]', '\\'],
  ...['*', '{"$gt":""}', '(', '$'],
]

/** The size of the random sample for each query parameter. */
const OF_A_KEY = 3

const firstList = (body: Readonly<Record<string, unknown>>) => Object.values(body).find(Array.isArray)

const searchesLiterally = <A extends RowsApi>({ rows, dialects, wording, open, prepare }: RowsSuite<A>): void => {
  for (const row of sampleRows(
    rows.filter(
      ({ methods, input, reply }) =>
        methods.includes('GET') && input.query && !['text', 'bytes'].includes(reply.doc.shape),
    ),
  ))
    test.serial(`${row.name} searches literally and ignores or rejects operators in its query`, async (t) => {
      const api = await open(t)
      const place = placeOf(row)
      const sent = await prepare(api, place)
      const ask = (query: Prepared['query'], more: string) => {
        return askAt(api, place, { ...sent, query }, { more })
      }
      const isStrict = dialects[row.dialect]?.refusesOperators
      const usual = await ask(sent.query, '')
      t.is(usual.status, 200)
      // The list must have a record to find, unless the example shows it empty.
      if (firstList(row.example.reply as Prepared['query'])?.length !== 0) t.not(firstList(usual.body)?.length, 0)
      for (const [salt, { name, schema, codec }] of queryLeaves(row).entries()) {
        const keys = operatorKeys(name).filter((key) => !codec?.aliases.includes(key.split('=')[0] ?? ''))
        for (const more of some(keys, OF_A_KEY, salt)) {
          const { status, body } = await ask(sent.query, more)
          if (isStrict) t.is(status, wording.invalid, more)
          else t.deepEqual(body, usual.body, more)
        }
        // A parameter with a least length rejects most patterns.
        if (schema.type !== 'string' || schema.format || schema.enum || schema.minLength) continue
        for (const pattern of some(PATTERNS, OF_A_KEY, salt)) {
          const { [name]: _, ...others } = sent.query
          const { status, body } = await ask(others, new URLSearchParams({ [name]: pattern }).toString())
          // A parameter with a format rejects the pattern.
          const isNone = status === 404 || (status === wording.invalid && codec !== null && isLeft(codec.read(pattern)))
          t.true(status === 200 ? firstList(body)?.length === 0 : isNone, `${name}=${pattern}: ${status}`)
        }
      }
    })
}
