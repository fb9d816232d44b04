import test from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { isLeft } from '../../../../core/fp.ts'
import { shareOf, some } from '../../../size.ts'
import type { RowsApi } from '../api-under-test.ts'
import { bodyLeaves, queryLeaves, typesOf, withAt } from '../fields.ts'
import { askAt, type Prepared, placeOf, placesOf, takesJson } from '../places.ts'
import { sampleRows } from '../sampling.ts'
import { differences } from '../schemas.ts'
import type { RowsSuite } from '../suite.ts'
import { writtenBetween } from '../suite.ts'

/** What nobody may set. The values are found nowhere else, and chance makes none of them. */
const FORBIDDEN: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['id', '_id', 'account_id', 'accountId', 'company_id', 'user_id', 'userId', 'role', 'role_id', 'roleId']
      .concat(['balance', 'balanceCents', 'valueCents', 'uses_count', 'usesLeft', 'admins', 'created_by', 'createdBy'])
      .map((name) => [name, 777_000_777]),
  ),
  amount_paid: 7_770_007.77,
  status: 'taken as loot',
  uuid: 'taken as loot',
  code: 'taken as loot',
  txid: 'taken as loot',
  passwordHash: 'taken as loot',
  permissions: ['taken as loot'],
  isAdmin: true,
  created_at: '1999-01-01T00:00:00.000Z',
  createdAt: '1999-01-01T00:00:00.000Z',
  updated_at: '1999-01-01T00:00:00.000Z',
  removedAt: '1999-01-01T00:00:00.000Z',
  email_verified_at: '1999-01-01T00:00:00.000Z',
  $set: { status: 'taken as loot' },
  'status.id': 777_000_777,
  'a.b': 'taken as loot',
}
const TRACES = /taken as loot|777000777|7770007\.77|1999-01-01/
const PROTOTYPES = '"__proto__":{"loot":"taken as loot"},"constructor":{"prototype":{"loot":"taken as loot"}}'

/** The loot that is none of these fields. */
const forbiddenBeside = (known: readonly string[]) =>
  Object.fromEntries(Object.entries(FORBIDDEN).filter(([name]) => !known.includes(name)))

/** What is sent with loot everywhere: in JSON also as prototypes. */
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

/** What nobody asked for is not stored, and no operator of a database is more than text. */
export const injectionSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  storesNothingForbidden(under)
  takesNoOperators(under)
  searchesLiterally(under)
}

const storesNothingForbidden = <A extends RowsApi>({ rows, dialects, open, prepare, dump }: RowsSuite<A>): void => {
  for (const row of sampleRows(rows.filter(({ methods }) => methods.some((method) => method !== 'GET'))))
    test.serial(`${row.name} stores nothing that it did not ask for`, async (t) => {
      const api = await open(t)
      const isStrict = dialects[row.dialect]?.refusesOperators
      for (const place of placesOf(row)) {
        const sent = await prepare(api, place)
        const before = await dump(api)
        const loot = Object.entries(forbiddenBeside(Object.keys(row.input.query?.fields ?? {}))).filter(
          ([name]) => !(isStrict && name.includes('$')),
        )
        const more = loot.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')
        const { body, raw } = withForbidden(row, sent)
        const answer = await askAt(api, place, body ? { ...sent, body } : sent, raw ? { more, raw } : { more })
        t.is(answer.status, row.reply.doc.status, answer.text)
        t.deepEqual(differences(answer.body, row.example.reply), [])
        const kept = [answer.text, ...writtenBetween(before, await dump(api))]
        t.deepEqual(
          kept.filter((text) => TRACES.test(text)),
          [],
        )
      }
      t.false('loot' in {})
    })
}

/** Operators of databases, and what is no scalar. */
const OPERATORS: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $in: ['a'] },
  { $where: 'while(true){}' },
  { $regex: '^(a+)+$' },
  { $expr: { $eq: [1, 1] } },
  { length: 1 },
  { toString: 'a' },
  ['a', 'b'],
  [{ $ne: null }],
  [[]],
]

/** What `npm test` asks in all, whatever the number of rows. */
const REQUESTS = 500

const takesNoOperators = <A extends RowsApi>({ rows, wording, open, prepare, dump }: RowsSuite<A>): void => {
  // In a form everything is a text.
  const inputs = sampleRows(rows.filter((row) => row.input.body && takesJson(row)))
  const each = shareOf(REQUESTS, inputs.length)
  for (const row of inputs)
    test.serial(`${row.name} takes no operator for a value`, async (t) => {
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

/** What a database may take for more than text. */
export const PATTERNS = [
  "' OR 1=1--",
  "' OR '1'='1",
  '"; DROP TABLE x;--',
  '%',
  '_',
  '%_%',
  '.*',
  '^(a+)+$',
  '[a-z]',
  '\\',
  '*',
  '{"$gt":""}',
  '(',
  '$',
]

/** So many of each are tried of a key, by chance. */
const OF_A_KEY = 3

const firstList = (body: Readonly<Record<string, unknown>>) => Object.values(body).find(Array.isArray)

const searchesLiterally = <A extends RowsApi>({ rows, dialects, wording, open, prepare }: RowsSuite<A>): void => {
  for (const row of sampleRows(
    rows.filter(
      ({ methods, input, reply }) =>
        methods.includes('GET') && input.query && !['text', 'bytes'].includes(reply.doc.shape),
    ),
  ))
    test.serial(`${row.name} searches literally, and knows no operators in its query`, async (t) => {
      const api = await open(t)
      const place = placeOf(row)
      const sent = await prepare(api, place)
      const ask = (query: Prepared['query'], more: string) => {
        return askAt(api, place, { ...sent, query }, { more })
      }
      const isStrict = dialects[row.dialect]?.refusesOperators
      const honest = await ask(sent.query, '')
      t.is(honest.status, 200)
      // Where nothing is found nothing is looked for; a list that the example shows empty is none of things found.
      if (firstList(row.example.reply as Prepared['query'])?.length !== 0) t.not(firstList(honest.body)?.length, 0)
      for (const [salt, { name, schema, codec }] of queryLeaves(row).entries()) {
        const keys = operatorKeys(name).filter((key) => !codec?.aliases.includes(key.split('=')[0] ?? ''))
        for (const more of some(keys, OF_A_KEY, salt)) {
          const { status, body } = await ask(sent.query, more)
          if (isStrict) t.is(status, wording.invalid, more)
          else t.deepEqual(body, honest.body, more)
        }
        // What must have a length refuses most of these.
        if (schema.type !== 'string' || schema.format || schema.enum || schema.minLength) continue
        for (const pattern of some(PATTERNS, OF_A_KEY, salt)) {
          const { [name]: _, ...others } = sent.query
          const { status, body } = await ask(others, new URLSearchParams({ [name]: pattern }).toString())
          // What is no document is refused as none.
          const isNone = status === 404 || (status === wording.invalid && codec !== null && isLeft(codec.read(pattern)))
          t.true(status === 200 ? firstList(body)?.length === 0 : isNone, `${name}=${pattern}: ${status}`)
        }
      }
    })
}
