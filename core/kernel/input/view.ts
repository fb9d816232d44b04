import { right } from '../../fp.ts'
import type { Json } from '../records/record.ts'
import { localDateTime } from '../values/day.ts'
import { reaisFromCents } from '../values/money.ts'
import {
  anyField,
  type Field,
  type FieldOptions,
  type JsonSchema,
  list,
  objectSchema,
  perSide,
  type ReadResult,
  type Side,
  withTitle,
} from './field.ts'
import { type Decoded, encodeEntries, type Fields, tableOn } from './table.ts'

type JsonObject = { readonly [name: string]: Json }

/** What a caller is shown, as one side speaks of it. */
export interface Encoder<D, J extends Json = JsonObject> {
  readonly schema: JsonSchema
  encode(detail: D): J
}

/** What is shown of something, as each side is told of it: an object, unless it is said to be a list. */
export interface AnyView<D, J extends Json = JsonObject> {
  /** `Charge`: the name of its schema; null where it needs none. */
  readonly name: string | null
  on(side: Side): Encoder<D, J>
}

/** A view that is a table of fields, of which others may be made. */
export interface View<D, F extends Fields = Fields> extends AnyView<D> {
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
      schema: withTitle(shownSchema(schema, entries), name),
      // Fields encode to JSON: that is what they are.
      encode: (detail) => encodeEntries(entries, of(detail)) as JsonObject,
    }
  }),
})

/** One of several views, by what is to be shown. */
export const viewBy = <D>(views: readonly AnyView<D>[], which: (detail: D) => AnyView<D>): AnyView<D> => ({
  name: null,
  on: perSide((side) => ({
    schema: { anyOf: views.map((each) => each.on(side).schema) },
    encode: (detail) => which(detail).on(side).encode(detail),
  })),
})

/** A whole list of what another view shows of each. */
export const viewEach = <D>(each: AnyView<D>): AnyView<readonly D[], readonly JsonObject[]> => ({
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
const outputField = <A>(
  name: string,
  schema: JsonSchema,
  about: FieldOptions,
  encode?: (value: A) => unknown,
  on?: (side: Side) => Field<A>,
): Field<A> =>
  anyField<A>(
    {
      name,
      schema,
      is: (value): value is A => value !== undefined,
      read: (value) => right(value) as ReadResult<A>,
      ...(encode && { encode }),
    },
    { ...about, ...(on && { on }) },
  )

const REAIS: JsonSchema = { type: 'number', description: 'Reais, com até 2 casas decimais.' }

const amount = (about: FieldOptions = {}): Field<number> =>
  outputField<number>('amount', REAIS, about, reaisFromCents, ({ is }) =>
    is === 'program' ? outputField<number>('amount', { type: 'integer' }, about) : amount(about),
  )

const viewOn = <D>(of: AnyView<D>, side: Side | null, about: FieldOptions): Field<D> => {
  const on = (other: Side) => viewOn(of, other, about)
  if (side === null) return anyField<D>(outputField<D>('view', {}, about), { ...about, on })
  const { schema, encode } = of.on(side)
  return anyField<D>(outputField('view', schema, about, encode), { ...about, on })
}

async function* mapped<A, B>(all: AsyncIterable<A>, to: (each: A) => B): AsyncGenerator<B, void> {
  for await (const each of all) yield to(each)
}

const streamOn = <D>(of: AnyView<D>, side: Side | null, about: FieldOptions): Field<AsyncIterable<D>> => {
  const on = (other: Side) => streamOn(of, other, about)
  if (side === null)
    return anyField<AsyncIterable<D>>(outputField<AsyncIterable<D>>('flow', {}, about), { ...about, on })
  const { schema, encode } = of.on(side)
  const listed: JsonSchema = { type: 'array', items: schema }
  return anyField<AsyncIterable<D>>(
    outputField<AsyncIterable<D>>('flow', listed, about, (all) => mapped(all, encode)),
    { ...about, on },
  )
}

/** Fields of answers alone, beside those that are also sent. */
export const output = {
  /** Any text: a token, a message. */
  text: (about: FieldOptions = {}) => outputField<string>('text', { type: 'string' }, about),
  /** How many there are. */
  count: (about: FieldOptions = {}) => outputField<number>('count', { type: 'integer', minimum: 0 }, about),
  /** Money of any sign and size, a balance or a sum: integer cents, on the wire reais. */
  money: amount,
  /** A number as it is. */
  number: (about: FieldOptions = {}) => outputField<number>('number', { type: 'number' }, about),
  /** What is always null: some generations have a place for it, and nothing to put there. */
  nothing: (about: FieldOptions = {}) => outputField<null>('nothing', { type: 'null' }, about),
  /** Any JSON, as it is. */
  json: (about: FieldOptions = {}) => outputField<Json>('json', {}, about),
  /** `YYYY-MM-DD HH:MM:SS` in São Paulo. */
  localTime: (about: FieldOptions = {}) =>
    outputField<string>('local time', { type: 'string', pattern: LOCAL_TIME }, about, localDateTime),
  /** What another view shows. */
  view: <D>(of: AnyView<D>, about: FieldOptions = {}) => viewOn(of, null, about),
  /** What another view shows of each. */
  views: <D>(of: AnyView<D>, about: FieldOptions = {}) => list(viewOn(of, null, {}), { max: MANY, ...about }),
  /** The same of what is read while it is sent: an answer that has such a field is one that flows. */
  flow: <D>(of: AnyView<D>, about: FieldOptions = {}) => streamOn(of, null, about),
}

const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'
/** More than any answer has. */
const MANY = 1_000_000
