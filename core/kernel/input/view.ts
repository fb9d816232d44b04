import type { Json } from '../records/collection.ts'
import { type JsonSchema, objectSchema, titled } from './json-schema.ts'
import { perSide, type Side } from './side.ts'
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
