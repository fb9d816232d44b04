import { right } from '../../fp.ts'
import type { Json } from '../records/collection.ts'
import { localDateTime } from '../values/day.ts'
import { reaisFromCents } from '../values/money.ts'
import {
  type About,
  anyField,
  type Field,
  type JsonSchema,
  list,
  objectSchema,
  perSide,
  type Read,
  type Side,
  titled,
} from './field.ts'
import { type Decoded, encodedEntries, type Fields, tableOn } from './table.ts'

type JsonObject = { readonly [name: string]: Json }

/** What a caller is shown, as one side speaks of it. */
export interface Shown<D, J extends Json = JsonObject> {
  readonly schema: JsonSchema
  encode(detail: D): J
}

/** What is shown of something, as each side is told of it: an object, unless it is said to be a list. */
export interface Viewing<D, J extends Json = JsonObject> {
  /** `Charge`: the name of its schema; null where it needs none. */
  readonly name: string | null
  on(side: Side): Shown<D, J>
}

/** A view that is a table of fields, of which others may be made. */
export interface View<D, F extends Fields = Fields> extends Viewing<D> {
  /** Its fields by their names in a program. */
  readonly table: F
  /** A value for each of them, as a program has it. */
  of(detail: D): Decoded<F>
}

/**
 * A view of these fields, with one plain function that has a value for each. What is worked out is a field of the table like any other; what `of` says beside them is not
 * shown.
 */
export const view = <D, F extends Fields>(
  name: string | null,
  table: F,
  of: (detail: D) => Decoded<NoInfer<F>>,
): View<D, F> => ({
  name,
  table,
  of,
  on: perSide((side) => {
    const { entries, schema } = tableOn(table, side)
    return {
      schema: titled(shownSchema(schema, entries), name),
      // Fields encode to JSON: that is what they are.
      encode: (detail) => encodedEntries(entries, of(detail)) as JsonObject,
    }
  }),
})

/** One of several views, by what is to be shown. */
export const viewBy = <D>(views: readonly Viewing<D>[], which: (detail: D) => Viewing<D>): Viewing<D> => ({
  name: null,
  on: perSide((side) => ({
    schema: { anyOf: views.map((each) => each.on(side).schema) },
    encode: (detail) => which(detail).on(side).encode(detail),
  })),
})

/** A whole list of what another view shows of each. */
export const viewEach = <D>(each: Viewing<D>): Viewing<readonly D[], readonly JsonObject[]> => ({
  name: null,
  on: perSide((side) => {
    const { schema, encode } = each.on(side)
    return { schema: { type: 'array', items: schema }, encode: (details) => details.map(encode) }
  }),
})

/** In an answer everything is there, but what may be undefined, and each field by its own name alone. */
const shownSchema = ({ properties = {} }: JsonSchema, entries: ReturnType<typeof tableOn>['entries']): JsonSchema => {
  const others = new Set(entries.flatMap(({ names: [, ...also] }) => also))
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>).filter(([name]) => !others.has(name))
  return objectSchema(
    Object.fromEntries(named),
    entries.flatMap(({ names: [name], field }) => {
      // Of fields that stand in their parent, their own schema says which are there.
      if (name === undefined) return (field.schema.required ?? []) as readonly string[]
      return field.is(undefined) ? [] : [name]
    }),
  )
}

/** A field that is only shown: nobody sends it. */
const only = <A>(
  name: string,
  schema: JsonSchema,
  about: About,
  encode?: (value: A) => unknown,
  on?: (side: Side) => Field<A>,
): Field<A> =>
  anyField<A>(
    {
      name,
      schema,
      is: (value): value is A => value !== undefined,
      read: (value) => right(value) as Read<A>,
      ...(encode && { encode }),
    },
    { ...about, ...(on && { on }) },
  )

const REAIS: JsonSchema = { type: 'number', description: 'Reais, com até 2 casas decimais.' }

const amount = (about: About = {}): Field<number> =>
  only<number>('amount', REAIS, about, reaisFromCents, ({ is }) =>
    is === 'program' ? only<number>('amount', { type: 'integer' }, about) : amount(about),
  )

const viewOn = <D>(of: Viewing<D>, side: Side | null, about: About): Field<D> => {
  const on = (other: Side) => viewOn(of, other, about)
  if (side === null) return anyField<D>(only<D>('view', {}, about), { ...about, on })
  const { schema, encode } = of.on(side)
  return anyField<D>(only('view', schema, about, encode), { ...about, on })
}

async function* mapped<A, B>(all: AsyncIterable<A>, to: (each: A) => B): AsyncGenerator<B, void> {
  for await (const each of all) yield to(each)
}

const flowOn = <D>(of: Viewing<D>, side: Side | null, about: About): Field<AsyncIterable<D>> => {
  const on = (other: Side) => flowOn(of, other, about)
  if (side === null) return anyField<AsyncIterable<D>>(only<AsyncIterable<D>>('flow', {}, about), { ...about, on })
  const { schema, encode } = of.on(side)
  const listed: JsonSchema = { type: 'array', items: schema }
  return anyField<AsyncIterable<D>>(
    only<AsyncIterable<D>>('flow', listed, about, (all) => mapped(all, encode)),
    { ...about, on },
  )
}

/** Fields of answers alone, beside those that are also sent. */
export const shown = {
  /** Any text: a token, a message. */
  text: (about: About = {}) => only<string>('text', { type: 'string' }, about),
  /** How many there are. */
  count: (about: About = {}) => only<number>('count', { type: 'integer', minimum: 0 }, about),
  /** Money of any sign and size, a balance or a sum: integer cents, on the wire reais. */
  money: amount,
  /** A number as it is. */
  number: (about: About = {}) => only<number>('number', { type: 'number' }, about),
  /** What is always null: some generations have a place for it, and nothing to put there. */
  nothing: (about: About = {}) => only<null>('nothing', { type: 'null' }, about),
  /** Any JSON, as it is. */
  json: (about: About = {}) => only<Json>('json', {}, about),
  /** `YYYY-MM-DD HH:MM:SS` in São Paulo. */
  localTime: (about: About = {}) =>
    only<string>('local time', { type: 'string', pattern: LOCAL_TIME }, about, localDateTime),
  /** What another view shows. */
  view: <D>(of: Viewing<D>, about: About = {}) => viewOn(of, null, about),
  /** What another view shows of each. */
  views: <D>(of: Viewing<D>, about: About = {}) => list(viewOn(of, null, {}), { max: MANY, ...about }),
  /** The same of what is read while it is sent: an answer that has such a field is one that flows. */
  flow: <D>(of: Viewing<D>, about: About = {}) => flowOn(of, null, about),
}

const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'
/** More than any answer has. */
const MANY = 1_000_000
