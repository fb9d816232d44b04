import test from 'ava'
import { shareOf, some } from '../../../size.ts'
import { dumpOf, writtenBetween } from '../dump.ts'
import { takesJson } from '../encoding.ts'
import { bodyLeaves, queryLeaves, typesOf, withAt } from '../fields.ts'
import { unlike } from '../likeness.ts'
import { openRows } from '../open-rows.ts'
import { askAt, type Prepared, placeOf, placesOf, prepare, rows } from '../places.ts'

const writes = rows.filter(({ methods }) => methods.some((method) => method !== 'GET'))
const reads = rows.filter(({ methods }) => methods.includes('GET'))

/** What nobody may set. The values are found nowhere else, and chance makes none of them. */
const LOOT: Readonly<Record<string, unknown>> = {
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
const lootBeside = (known: readonly string[]) =>
  Object.fromEntries(Object.entries(LOOT).filter(([name]) => !known.includes(name)))

/** What is sent with loot everywhere: in JSON also as prototypes. */
const looted = (row: (typeof rows)[number], { body = {} }: Prepared) => {
  const leaves = bodyLeaves(row)
  const known = (depth: number) =>
    leaves.filter(({ path }) => path.length === depth).map(({ path }) => path.at(-1) ?? '')
  const also = leaves.flatMap(({ codec }) => codec?.also ?? [])
  const inside = leaves.filter(({ schema, path }) => path.length === 1 && schema.properties && path[0] && body[path[0]])
  const within = inside.reduce(
    (whole, { path, schema }) =>
      withAt(whole, path, { ...lootBeside(Object.keys(schema.properties ?? {})), ...(body[path[0] ?? ''] as object) }),
    body,
  )
  const whole = { ...lootBeside([...known(1), ...also]), ...within }
  return takesJson(row) ? { raw: `${JSON.stringify(whole).slice(0, -1)},${PROTOTYPES}}` } : { body: whole }
}

for (const row of writes)
  test.serial(`${row.name} stores nothing that it did not ask for`, async (t) => {
    const api = await openRows(t)
    for (const place of placesOf(row)) {
      const sent = await prepare(api, place)
      const before = await dumpOf(api)
      const loot = Object.entries(lootBeside(Object.keys(row.input.query?.fields ?? {})))
      const more = loot.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')
      const { body, raw } = looted(row, sent)
      const answer = await askAt(api, place, body ? { ...sent, body } : sent, raw ? { more, raw } : { more })
      t.is(answer.status, row.reply.doc.status, answer.text)
      t.deepEqual(unlike(answer.body, row.example.reply), [])
      const kept = [answer.text, ...writtenBetween(before, await dumpOf(api))]
      t.deepEqual(
        kept.filter((text) => TRACES.test(text)),
        [],
      )
    }
    t.false('loot' in {})
  })

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
const REQUESTS = 1_200
// In a form everything is a text.
const inputs = rows.filter((row) => row.input.body && takesJson(row))
const each = shareOf(REQUESTS, inputs.length)

for (const row of inputs)
  test.serial(`${row.name} takes no operator for a value`, async (t) => {
    const api = await openRows(t)
    const sent = await prepare(api, placeOf(row))
    const before = await dumpOf(api)
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
      t.is(answer.status, 422, about)
      t.true(Object.keys(answer.body.errors).includes(name), about)
    }
    t.deepEqual(writtenBetween(before, await dumpOf(api)), [])
  })

const operatorKeys = (key: string) => [
  `${key}[$ne]=1`,
  `${key}[$gt]=`,
  `${key}[$regex]=.*`,
  `${key}[]=`,
  `${key}.$ne=1`,
  '$where=1',
]

/** What a database may take for more than text. */
const PATTERNS = [
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

const firstList = (body: Readonly<Record<string, unknown>>) => Object.values(body).find(Array.isArray)

for (const row of reads.filter(({ input, reply }) => input.query && reply.doc.shape !== 'text'))
  test.serial(`${row.name} searches literally, and knows no operators in its query`, async (t) => {
    const api = await openRows(t)
    const place = placeOf(row)
    const sent = await prepare(api, place)
    const ask = (query: Prepared['query'], more: string) => {
      return askAt(api, place, { ...sent, query }, { more })
    }
    const honest = await ask(sent.query, '')
    t.is(honest.status, 200)
    t.not(firstList(honest.body)?.length, 0)
    for (const { name, schema, codec } of queryLeaves(row)) {
      for (const more of operatorKeys(name).filter((key) => !codec?.also.includes(key.split('=')[0] ?? ''))) {
        t.deepEqual((await ask(sent.query, more)).body, honest.body, more)
      }
      // What must have a length refuses most of these.
      if (schema.type !== 'string' || schema.format || schema.enum || schema.minLength) continue
      for (const pattern of PATTERNS) {
        const { [name]: _, ...others } = sent.query
        const { status, body } = await ask(others, new URLSearchParams({ [name]: pattern }).toString())
        t.true(status === 200 ? firstList(body)?.length === 0 : status === 404, `${name}=${pattern}: ${status}`)
      }
    }
  })

test.serial('a search finds what is literally there', async (t) => {
  const api = await openRows(t, 'file')
  const charges = rows.find(({ name }) => name === 'charges.issue')
  if (!charges) return t.fail('charges are issued no more')
  const { token = '', body } = await prepare(api, placeOf(charges))
  const name = PATTERNS.join(' ')
  await api.ask('POST', '/invoices', { token, body: { ...body, name } })
  await api.ask('POST', '/invoices', { token, body: { ...body, document: '529.982.247-25' } })
  for (const pattern of PATTERNS) {
    const { body: found } = await api.ask('GET', `/invoices?${new URLSearchParams({ search: pattern })}`, { token })
    t.deepEqual(
      found.data.map(({ client }: { client: { name: string } }) => client.name),
      [name],
      pattern,
    )
  }
})
