import { type Issue, issue } from '../../failure.ts'
import { type Either, isLeft, left, right, t } from '../../fp.ts'
import type { Json } from '../records/collection.ts'
import { type JsonSchema, withNull } from './json-schema.ts'

/** What reading an input gives: every issue it has, with paths that begin at the value itself (`''`). */
export type Read<A> = Either<readonly Issue[], A>

interface FieldFacts {
  readonly schema: JsonSchema
  /** Whether it may be left out of its object. */
  readonly absent: boolean
  /** Further names under which it may be sent; its issues are named by its own. */
  readonly also: readonly string[]
}

/** An io-ts type for an input: it knows its JSON Schema, and its issues are stable codes with their numbers. */
export interface Field<A> extends t.Type<A, unknown, unknown>, FieldFacts {
  /** Reads what was sent; undefined is what was not. */
  read(value: unknown): Read<A>
}

/** Fields of every type side by side. */
export interface AnyField extends t.Mixed, FieldFacts {
  read(value: unknown): Read<unknown>
}

/** What makes a field: how it reads a value that is there and not null, and how it would be sent again. */
export interface FieldSpec<A> {
  readonly name: string
  readonly schema: JsonSchema
  readonly is: (value: unknown) => value is A
  readonly read: (value: unknown) => Read<A>
  readonly encode?: (value: A) => unknown
}

/** A value that breaks one rule. */
export const wrong = (code: string, params?: Issue['params']): Either<readonly Issue[], never> =>
  left([issue('', code, params)])

/** The same issue, seen from one level up. */
export const under = (key: string | number, { path, ...rest }: Issue): Issue => ({
  ...rest,
  path: path === '' ? `${key}` : `${key}.${path}`,
})

/** A field that takes whatever it is sent, absence and null included. */
export const anyField = <A>(spec: FieldSpec<A>, facts: Partial<FieldFacts> = {}): Field<A> => {
  const validate = (value: unknown, context: t.Context): t.Validation<A> => {
    const got = spec.read(value)
    if (!isLeft(got)) return got
    return left(
      got.left.map(({ path, code }) => ({
        value,
        context: path === '' ? context : t.appendContext(context, path, type),
        message: code,
      })),
    )
  }
  const type = new t.Type<A, unknown, unknown>(spec.name, spec.is, validate, spec.encode ?? t.identity)
  return Object.assign(type, { schema: spec.schema, absent: false, also: [], ...facts, read: spec.read })
}

/** A field that must be there. Fails: `required` when it is absent or null. */
export const field = <A>(spec: FieldSpec<A>): Field<A> =>
  anyField({ ...spec, read: (value) => (value === undefined || value === null ? wrong('required') : spec.read(value)) })

/** May be left out; null and blank texts are still refused, since they would clear what cannot be empty. */
export const optional = <A>(inner: Field<A>): Field<A | undefined> =>
  anyField<A | undefined>(
    {
      name: `optional ${inner.name}`,
      schema: inner.schema,
      is: (value): value is A | undefined => value === undefined || inner.is(value),
      read: (value) => (value === undefined ? right(undefined) : inner.read(value)),
      encode: (value) => (value === undefined ? undefined : inner.encode(value)),
    },
    { absent: true, also: inner.also },
  )

/** Must be there and may be null; a blank text is null too. */
export const nullable = <A>(inner: Field<A>): Field<A | null> =>
  anyField<A | null>(
    {
      name: `nullable ${inner.name}`,
      schema: withNull(inner.schema),
      is: (value): value is A | null => value === null || inner.is(value),
      read: (value) => {
        if (value === null) return right(null)
        const got = inner.read(value)
        return value !== undefined && isLeft(got) && isMissing(got.left) ? right(null) : got
      },
      encode: (value) => (value === null ? null : inner.encode(value)),
    },
    { absent: inner.absent, also: inner.also },
  )

const isMissing = (issues: readonly Issue[]): boolean => issues[0]?.code === 'required' && issues[0].path === ''

/** May be left out (undefined: as it was) or be null or blank (null: cleared): a clearable field of a PUT. */
export const orNull = <A>(inner: Field<A>): Field<A | null | undefined> => optional(nullable(inner))

const isThere = <A>(value: A): value is Exclude<A, undefined> => value !== undefined

/** Must be there, though the inner field may be left out (a filter of a query). Fails: `required`. */
export const required = <A>(inner: Field<A>): Field<Exclude<A, undefined>> =>
  there(inner, () => wrong('required'), inner.schema, false)

/** May be left out: `value` stands for it then. */
export const withDefault = <A>(inner: Field<A>, value: Exclude<A, undefined>): Field<Exclude<A, undefined>> =>
  there(optional(inner), () => right(value), { ...inner.schema, default: inner.encode(value) as Json }, true)

const there = <A>(
  inner: Field<A>,
  otherwise: () => Read<Exclude<A, undefined>>,
  schema: JsonSchema,
  absent: boolean,
): Field<Exclude<A, undefined>> =>
  anyField<Exclude<A, undefined>>(
    {
      name: inner.name,
      schema,
      is: (value): value is Exclude<A, undefined> => value !== undefined && inner.is(value),
      read: (sent) => {
        const got = inner.read(sent)
        if (isLeft(got)) return got
        return isThere(got.right) ? right(got.right) : otherwise()
      },
      encode: inner.encode,
    },
    { absent, also: inner.also },
  )

/** Null when it is left out, null or blank: an optional field of a POST, or of a PUT that replaces everything. */
export const nullIfAbsent = <A>(inner: Field<A>): Field<A | null> => {
  const orNothing = nullable(inner)
  const read = (value: unknown) => (value === undefined ? right(null) : orNothing.read(value))
  return anyField<A | null>({ ...orNothing, read }, { absent: true, also: inner.also })
}

/** May also be sent under other names (`{ value: alsoAs(reais({…}), 'amount') }`); the first one sent counts. */
export const alsoAs = <A>(inner: Field<A>, ...names: readonly string[]): Field<A> =>
  anyField(inner, { absent: inner.absent, also: names })

/** A list of at most `max` items. Fails: `list`, `list.min`, `list.max`, and those of its items (`2.label`). */
export const list = <A>(item: Field<A>, { min = 0, max }: { min?: number; max: number }): Field<readonly A[]> =>
  field<readonly A[]>({
    name: `list of ${item.name}`,
    schema: { type: 'array', items: item.schema, minItems: min, maxItems: max },
    is: (value): value is readonly A[] => Array.isArray(value) && value.every(item.is),
    read: (value) => {
      if (!Array.isArray(value)) return wrong('list')
      if (value.length < min) return wrong('list.min', { min })
      if (value.length > max) return wrong('list.max', { max })
      const reads = Array.from(value, (sent) => item.read(sent))
      const issues = reads.flatMap((got, index) => (isLeft(got) ? got.left.map((each) => under(index, each)) : []))
      return issues.length > 0 ? left(issues) : right(reads.flatMap((got) => (isLeft(got) ? [] : [got.right])))
    },
    encode: (items) => items.map(item.encode),
  })
