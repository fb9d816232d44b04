import test, { type ExecutionContext } from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import { printSeed, some } from '../../size.ts'
import type { RowsApi } from './api-under-test.ts'
import { bodyLeaves, type Leaf, queryLeaves, typesOf, withAt } from './fields.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf } from './places.ts'
import { noteLongRun } from './sampling.ts'
import type { RowsSuite } from './suite.ts'
import type { Reply } from './wire.ts'

/** A value of each JSON type that no field with a format accepts. */
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

/**
 * Runs a test at each path and method of a row, and checks that nothing is written. `names` returns the listed fields.
 */
const trying = <A extends RowsApi>({ open, prepare, writesNothing, wording }: RowsSuite<A>) => {
  const names = (t: ExecutionContext, { status, body, text }: Reply, about: string): readonly string[] => {
    t.is(status, wording.invalid, `${about}: ${text}`)
    const fields = wording.fieldsIn(body)
    const reasons = Object.values(fields)
    t.true(
      reasons.every((list) => list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')),
      about,
    )
    return Object.keys(fields)
  }
  const onEveryPlace = async (
    t: ExecutionContext,
    row: AnyRow,
    ask: (api: A, sent: Prepared, at: Place, index: number) => Promise<void>,
  ) => {
    const api = await open(t)
    const sent = await prepare(api, placeOf(row))
    await writesNothing(t, api, async () => {
      for (const [index, place] of placesOf(row).entries()) await ask(api, sent, place, index)
    })
  }
  return { names, onEveryPlace, status: wording.invalid }
}

type Trying<A extends RowsApi> = ReturnType<typeof trying<A>>

const without = (body: Prepared['body'] = {}, ...keys: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))

/** Tests that each row lists exactly the missing and wrong fields of its body and query. */
export const invalidSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const how = trying(under)
  test.before((t) => printSeed(t))
  noteLongRun('wrong values: a random sample of each field, all of them in test:long')
  for (const row of under.rows.filter(({ input }) => input.body)) {
    namesMissing(row, how)
    namesWrongValues(row, how)
  }
  // A page shows errors as text.
  const rows = under.rows.filter(({ reply }) => reply.doc.shape !== 'text')
  for (const row of rows.filter(({ input }) => input.query)) namesWrongKeys(row, how)
  for (const row of rows) namesReversedRanges(row, how)
}

const namesMissing = <A extends RowsApi>(row: AnyRow, { names, onEveryPlace, status }: Trying<A>): void => {
  const leaves = bodyLeaves(row)
  const known = new Set(leaves.map(({ name }) => name))
  const required = leaves.filter(({ codec, isRequired }) => codec && isRequired)
  if (required.length === 0) return
  test.serial(`${row.name} returns ${status} and lists all required fields that are missing`, (t) =>
    onEveryPlace(t, row, async (api, sent, place) => {
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
        const body = without(sent.body, name, ...(codec?.aliases ?? []))
        t.deepEqual(names(t, await askAt(api, place, { ...sent, body }), `without ${name}`), [name])
      }
    }),
  )
}

/** The number of random wrong values of each field on the first path, and of all fields on each alias. */
const OF_A_FIELD = 3
const AT_AN_ALIAS = 3

/** Returns a random sample of the wrong values; all of them in test:long. */
const drawnOf = <V>(leaves: readonly Leaf[], wrongOf: (leaf: Leaf) => readonly V[], index: number) => {
  const drawn = leaves.flatMap((leaf, salt) => some(wrongOf(leaf), OF_A_FIELD, salt).map((value) => ({ leaf, value })))
  return index === 0 ? drawn : some(drawn, AT_AN_ALIAS, index)
}

const namesWrongValues = <A extends RowsApi>(row: AnyRow, { names, onEveryPlace, status }: Trying<A>): void => {
  test.serial(`${row.name} returns ${status} and lists the field for a wrong value of each field`, (t) =>
    onEveryPlace(t, row, async (api, sent, place, index) => {
      for (const { leaf, value } of drawnOf(bodyLeaves(row), wrongValues, index)) {
        const body = withAt(without(sent.body, ...(leaf.codec?.aliases ?? [])), leaf.path, value)
        const about = `${leaf.name}: ${JSON.stringify(value)}`
        const named = names(t, await askAt(api, place, { ...sent, body }), about)
        if (leaf.codec) t.deepEqual(named, [leaf.name], about)
        else t.true(named.includes(leaf.name), about)
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

/** Returns wrong uses of a query parameter: wrong values, twice, missing. */
const wrongEntries = ({ schema, name, isRequired }: Leaf): readonly (readonly (readonly [string, string])[])[] => [
  ...wrongTexts(schema).map((text) => [[name, text] as const]),
  ...(schema.type === 'array' ? [] : [[[name, '1'] as const, [name, '1'] as const]]),
  ...(isRequired ? [[]] : []),
]

const namesWrongKeys = <A extends RowsApi>(row: AnyRow, { names, onEveryPlace, status }: Trying<A>): void => {
  // A secret has no wrong format: it matches or does not.
  const leaves = queryLeaves(row).filter(({ schema }) => schema.format !== 'password')
  test.serial(`${row.name} returns ${status} and lists the parameter for a wrong value of each query parameter`, (t) =>
    onEveryPlace(t, row, async (api, sent, place, index) => {
      for (const { leaf, value } of drawnOf(leaves, wrongEntries, index)) {
        const query = without(sent.query, leaf.name) as Readonly<Record<string, string>>
        const more = `${new URLSearchParams(value.map(([key, text]): [string, string] => [key, text]))}`
        const answer = await askAt(api, place, { ...sent, query }, { more })
        t.deepEqual(names(t, answer, `${leaf.name}: ${more}`), [leaf.name])
      }
    }),
  )
}

/** Returns the name of the end of a range that this field starts: `end_date` for `start_date`. */
const endOf = (start: string): string => start.replace('start', 'end').replace(/^from/, 'to')

const rangesIn = (leaves: readonly Leaf[]) =>
  leaves.flatMap(({ name, schema }) => {
    const end = endOf(name)
    const isRange = end !== name && schema.format === 'date' && leaves.some((leaf) => leaf.name === end)
    return isRange ? [{ start: name, end }] : []
  })

const namesReversedRanges = <A extends RowsApi>(row: AnyRow, { names, onEveryPlace, status }: Trying<A>): void => {
  const ranges = [
    ...rangesIn(queryLeaves(row)).map((range) => ({ ...range, part: 'query' as const })),
    ...rangesIn(bodyLeaves(row)).map((range) => ({ ...range, part: 'body' as const })),
  ]
  if (ranges.length === 0) return
  test.serial(`${row.name} returns ${status} and lists the end of a range that is before its start`, (t) =>
    onEveryPlace(t, row, async (api, sent, place) => {
      for (const { start, end, part } of ranges) {
        const reversed = { ...sent[part], [start]: '2026-11-24', [end]: '2026-11-23' }
        t.deepEqual(names(t, await askAt(api, place, { ...sent, [part]: reversed }), start), [end])
      }
    }),
  )
}
