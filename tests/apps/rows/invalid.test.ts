import test, { type ExecutionContext } from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { JsonSchema } from '../../../core/kernel/input/json-schema.ts'
import type { TestApi } from '../payments/test-api.ts'
import { dumpOf, writtenBetween } from './dump.ts'
import { bodyLeaves, type Leaf, queryLeaves, typesOf, withAt } from './fields.ts'
import { openRows } from './open-rows.ts'
import { askAt, type Prepared, placeOf, placesOf, prepare, rows } from './places.ts'
import type { Reply } from './wire.ts'

/** A value of each JSON type, and of none that a field with a format takes. */
const OF_TYPE: Readonly<Record<string, unknown>> = {
  string: '¿?',
  number: -7.125,
  boolean: true,
  array: [[]],
  object: {},
}

const wrongValues = ({ schema, isRequired }: Leaf): readonly unknown[] => {
  const types = typesOf(schema)
  const takesAll = types.length === 0 && schema.enum === undefined
  const isWord = schema.enum !== undefined || schema.format !== undefined || schema.pattern !== undefined
  const others = takesAll ? [] : Object.entries(OF_TYPE).filter(([type]) => !types.includes(type))
  return [
    ...others.map(([, value]) => value),
    ...(isWord && schema.format !== 'password' && types.includes('string') ? [OF_TYPE.string] : []),
    ...(types.includes('number') ? [OF_TYPE.number] : []),
    ...(types.includes('number') && !types.includes('string') ? ['1'] : []),
    ...(types.includes('string') && typeof schema.maxLength === 'number' ? ['x'.repeat(schema.maxLength + 1)] : []),
    ...(typeof schema.minLength === 'number' && schema.minLength > 1 ? ['x'.repeat(schema.minLength - 1)] : []),
    ...(typeof schema.minimum === 'number' ? [schema.minimum - 1] : []),
    ...(typeof schema.maximum === 'number' ? [schema.maximum + 1] : []),
    ...(isRequired ? [null] : []),
    ...(isRequired && types.includes('string') ? [''] : []),
  ]
}

/** That a row is told of wrong fields by name, each with a reason, and wrote nothing. */
const names = (t: ExecutionContext, { status, body, text }: Reply, about: string): readonly string[] => {
  t.is(status, 422, `${about}: ${text}`)
  const reasons = Object.values((body?.errors ?? {}) as Readonly<Record<string, readonly unknown[]>>)
  t.true(
    reasons.every((list) => list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')),
    about,
  )
  return Object.keys(body?.errors ?? {})
}

const onEveryPlace = async (
  t: ExecutionContext,
  row: AnyRow,
  ask: (api: TestApi, sent: Prepared, at: ReturnType<typeof placeOf>) => Promise<void>,
) => {
  const api = await openRows(t)
  const sent = await prepare(api, placeOf(row))
  const before = await dumpOf(api)
  for (const place of placesOf(row)) await ask(api, sent, place)
  t.deepEqual(writtenBetween(before, await dumpOf(api)), [])
}

const without = (body: Prepared['body'] = {}, ...keys: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))

for (const row of rows.filter(({ input }) => input.body)) {
  const leaves = bodyLeaves(row)
  const required = leaves.filter(({ codec, isRequired }) => codec && isRequired)

  if (required.length > 0)
    test.serial(`${row.name} is 422 without what it requires, and names all of it`, (t) =>
      onEveryPlace(t, row, async (api, sent, place) => {
        const known = new Set(leaves.map(({ name }) => name))
        for (const body of [undefined, {}, { unknown: 1 }]) {
          const { body: _, ...rest } = sent
          const named = names(t, await askAt(api, place, body ? { ...rest, body } : rest), JSON.stringify(body))
          t.deepEqual(
            required.map(({ name }) => name).filter((name) => !named.includes(name)),
            [],
          )
          t.deepEqual(
            named.filter((name) => !known.has(name)),
            [],
          )
        }
        for (const { name, codec } of required) {
          const body = without(sent.body, name, ...(codec?.also ?? []))
          t.deepEqual(names(t, await askAt(api, place, { ...sent, body }), `without ${name}`), [name])
        }
      }),
    )

  test.serial(`${row.name} is 422 for a wrong value of each field, and names it`, (t) =>
    onEveryPlace(t, row, async (api, sent, place) => {
      for (const leaf of leaves) {
        for (const value of wrongValues(leaf)) {
          const body = withAt(without(sent.body, ...(leaf.codec?.also ?? [])), leaf.path, value)
          const about = `${leaf.name}: ${JSON.stringify(value)}`
          const named = names(t, await askAt(api, place, { ...sent, body }), about)
          if (leaf.codec) t.deepEqual(named, [leaf.name], about)
          else t.true(named.includes(leaf.name), about)
        }
      }
    }),
  )
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  number: ['x', '1.5', '1e3', '0x1', '٣', '9'.repeat(17), '1 2', '[$ne]'],
  boolean: ['sim', 'TRUE', '2'],
  string: [],
}

const wrongTexts = (schema: JsonSchema): readonly string[] => {
  if (schema.type === 'array') return wrongTexts((schema.items ?? {}) as JsonSchema)
  const { minimum, maximum, maxLength } = schema
  return [
    ...typesOf(schema).flatMap((type) => WORDS[type] ?? []),
    ...(schema.enum ? ['nenhum', 'PIX ,x'] : []),
    ...(schema.format ? ['x', '2026-02-30', '2026-1-1', '0000-00-00'] : []),
    ...(typeof minimum === 'number' ? [`${minimum - 1}`] : []),
    ...(typeof maximum === 'number' ? [`${maximum + 1}`] : []),
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    ...(typesOf(schema).includes('string') && !schema.format ? ['\0', 'a\u0007'] : []),
  ]
}

// A page says itself what is wrong.
for (const row of rows.filter(({ input, reply }) => input.query && reply.doc.shape !== 'text'))
  test.serial(`${row.name} is 422 for a wrong value of each key of its query, and names it`, (t) =>
    onEveryPlace(t, row, async (api, sent, place) => {
      const ask = (query: Readonly<Record<string, string>>, more: URLSearchParams) =>
        askAt(api, place, { ...sent, query }, { more: more.toString() })
      for (const { name, schema, isRequired } of queryLeaves(row)) {
        const query = without(sent.query, name) as Readonly<Record<string, string>>
        for (const text of wrongTexts(schema)) {
          t.deepEqual(names(t, await ask(query, new URLSearchParams([[name, text]])), `${name}=${text}`), [name])
        }
        if (schema.type !== 'array') {
          const twice = new URLSearchParams([
            [name, '1'],
            [name, '1'],
          ])
          t.deepEqual(names(t, await ask(query, twice), `${name} twice`), [name])
        }
        if (isRequired) t.deepEqual(names(t, await ask(query, new URLSearchParams()), `no ${name}`), [name])
      }
    }),
  )
