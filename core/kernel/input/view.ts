import { right } from '../../failure.ts'
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
import { type Decoded, encoderOf, type Fields, tableOn } from './input.ts'

type JsonObject = { readonly [name: string]: Json }

/** Encodes a value for one side. */
export interface Encoder<D, J extends Json = JsonObject> {
  readonly schema: JsonSchema
  encode(detail: D): J
}

/** A representation of a value in replies, with an encoder for each side: an object by default, or a list. */
export interface AnyView<D, J extends Json = JsonObject> {
  /** The name of the schema (`Charge`), or null for a schema written inline. */
  readonly name: string | null
  on(side: Side): Encoder<D, J>
}

/** A view that is a table of fields, which other views can extend. */
export interface View<D, F extends Fields = Fields> extends AnyView<D> {
  /** The fields by their names in the program. */
  readonly table: F
  /** Returns the value of each field, in the program's format. */
  of(detail: D): Decoded<F>
}

/**
 * Makes a view of these fields; `of` returns a value for each, computed ones included. Properties of the result that
 * are not in the table are not encoded. Without `of`, the view shows the properties of the value.
 */
export function view<F extends Fields>(name: string | null, table: F): View<Decoded<F>, F>
export function view<D, F extends Fields>(
  name: string | null,
  table: F,
  of: (detail: D) => Decoded<NoInfer<F>>,
): View<D, F>
export function view<F extends Fields>(
  name: string | null,
  table: F,
  of = (detail: Decoded<F>): Decoded<F> => detail,
): View<Decoded<F>, F> {
  return {
    name,
    table,
    of,
    on: perSide((side) => {
      const { entries, schema } = tableOn(table, side)
      const encode = encoderOf(entries)
      return {
        schema: withTitle(outputSchema(schema, entries), name),
        // Every field encodes to JSON.
        encode: (detail) => encode(of(detail)) as JsonObject,
      }
    }),
  }
}

/** Chooses one of several views by the value. */
export const viewBy = <D>(views: readonly AnyView<D>[], which: (detail: D) => AnyView<D>): AnyView<D> => ({
  name: null,
  on: perSide((side) => ({
    schema: { anyOf: views.map((each) => each.on(side).schema) },
    encode: (detail) => which(detail).on(side).encode(detail),
  })),
})

/** A list of values, each by the same view. */
export const viewEach = <D>(each: AnyView<D>): AnyView<readonly D[], readonly JsonObject[]> => ({
  name: null,
  on: perSide((side) => {
    const { schema, encode } = each.on(side)
    return { schema: { type: 'array', items: schema }, encode: (details) => details.map(encode) }
  }),
})

/** In a reply every field is present unless it can be undefined, and has its own name alone, no alias. */
const outputSchema = ({ properties = {} }: JsonSchema, entries: ReturnType<typeof tableOn>['entries']): JsonSchema => {
  const others = new Set(entries.flatMap(({ names: [, ...aliases] }) => aliases))
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>).filter(([name]) => !others.has(name))
  return objectSchema(
    Object.fromEntries(named),
    entries.flatMap(({ names: [name], field }) => {
      // The schema of an inline group has its own required fields.
      if (name === undefined) return (field.schema.required ?? []) as readonly string[]
      return field.is(undefined) ? [] : [name]
    }),
  )
}

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
  const { schema, encode } = side ? of.on(side) : UNKNOWN_SIDE
  return outputField<D>('view', schema, about, encode, (other) => viewOn(of, other, about))
}

/** The encoder of a view before the side is known. */
const UNKNOWN_SIDE = { schema: {}, encode: undefined }

async function* mapAsync<A, B>(items: AsyncIterable<A>, map: (item: A) => B): AsyncGenerator<B, void> {
  for await (const item of items) yield map(item)
}

const streamOn = <D>(of: AnyView<D>, side: Side | null, about: FieldOptions): Field<AsyncIterable<D>> => {
  const { schema, encode } = side ? of.on(side) : UNKNOWN_SIDE
  const listed: JsonSchema = encode ? { type: 'array', items: schema } : {}
  const encodeEach = encode && ((items: AsyncIterable<D>) => mapAsync(items, encode))
  return outputField<AsyncIterable<D>>('flow', listed, about, encodeEach, (other) => streamOn(of, other, about))
}

/** The fields of replies only. Fields of inputs can be in replies too. */
export const output = {
  /** Any text: a token, a message. */
  text: (about: FieldOptions = {}) => outputField<string>('text', { type: 'string' }, about),
  count: (about: FieldOptions = {}) => outputField<number>('count', { type: 'integer', minimum: 0 }, about),
  /** Money of any sign and size, such as a balance: integer cents in the program, reais on the wire. */
  money: amount,
  number: (about: FieldOptions = {}) => outputField<number>('number', { type: 'number' }, about),
  /** Always null: a field of an older API version without a value. */
  alwaysNull: (about: FieldOptions = {}) => outputField<null>('nothing', { type: 'null' }, about),
  /** Any JSON, unchanged. */
  json: (about: FieldOptions = {}) => outputField<Json>('json', {}, about),
  /** `YYYY-MM-DD HH:MM:SS` in São Paulo. */
  localTime: (about: FieldOptions = {}) =>
    outputField<string>('local time', { type: 'string', pattern: LOCAL_TIME }, about, localDateTime),
  view: <D>(of: AnyView<D>, about: FieldOptions = {}) => viewOn(of, null, about),
  views: <D>(of: AnyView<D>, about: FieldOptions = {}) => list(viewOn(of, null, {}), { max: MANY, ...about }),
  /** A list that is read while it is sent: a reply with such a field is streamed. */
  stream: <D>(of: AnyView<D>, about: FieldOptions = {}) => streamOn(of, null, about),
}

const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'
/** More items than any reply has. */
const MANY = 1_000_000
