import type { Issue } from '../../failure.ts'
import { type Either, isLeft, left, right, type t } from '../../fp.ts'
import type { Day } from '../values/day.ts'
import { type AnyField, type Field, field, optional, under, wrong } from './codec.ts'
import { type JsonSchema, objectSchema } from './json-schema.ts'
import type { Rule } from './rules.ts'

export type Fields = Readonly<Record<string, AnyField>>

type LeftOut<F extends Fields> = { [K in keyof F]: undefined extends t.TypeOf<F[K]> ? K : never }[keyof F]

/** What fields decode to. What was left out is left out of it too, so that it can be spread over a record. */
export type Decoded<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, LeftOut<F>>]: t.TypeOf<F[K]> } & {
    readonly [K in LeftOut<F>]?: Exclude<t.TypeOf<F[K]>, undefined>
  }
>
type Flat<A> = { [K in keyof A]: A[K] }

/** An object of independent fields and the rules across them: every wrong field is found at once. */
export interface Shape<A> {
  readonly fields: Fields
  readonly schema: JsonSchema
  /** `today` is for the rules that ask for it. */
  decode(value: unknown, today?: Day): Either<readonly Issue[], A>
}

/** What a request's body must be. */
export interface Body<A> extends Shape<A> {
  readonly kind: 'body'
}

/** A body of these fields; a rule runs when the fields that it names decoded. Unknown keys fall away. */
export const body = <F extends Fields>(
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>>[]
): Body<Decoded<F>> => ({ kind: 'body', ...shape<Decoded<F>>(fields, rules) })

/** Every field optional: the PUT or PATCH of a POST's fields. What is not sent has no default. */
export const allOptional = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, optional(each)])) as {
    readonly [K in keyof F]: Field<t.TypeOf<F[K]> | undefined>
  }

/** A body within a body. Fails: `required`, `object`, and its fields' codes under their own paths. */
export const object = <A>(inner: Body<A>): Field<A> => {
  const fields = Object.entries(inner.fields)
  return field<A>({
    name: 'object',
    schema: inner.schema,
    is: (value): value is A => isObject(value) && fields.every(([key, each]) => each.is(own(value, [key]))),
    read: (value) => inner.decode(value),
    encode: (value) => {
      const sent = fields.map(([key, each]) => [key, isObject(value) ? each.encode(own(value, [key])) : undefined])
      return Object.fromEntries(sent.filter(([, part]) => part !== undefined))
    },
  })
}

interface Entry {
  readonly key: string
  /** All the names under which it may be sent, its own first. */
  readonly names: readonly string[]
  readonly field: AnyField
}

/** Every name under which one of these fields may be sent. */
export const namesOf = (fields: Fields): ReadonlySet<string> =>
  new Set(Object.entries(fields).flatMap(([key, { also }]) => [key, ...also]))

/** The engine of bodies and queries. */
export const shape = <A>(fields: Fields, rules: readonly Rule<A>[]): Shape<A> => {
  const entries = Object.entries(fields).map(([key, each]) => ({ key, names: [key, ...each.also], field: each }))
  const checks = rules.flatMap((rule) => rule.checks)
  return {
    fields,
    schema: schemaOfEntries(entries),
    decode: (value, today) => {
      if (!isObject(value)) return wrong('object')
      const { decoded, issues, failed } = readEntries(entries, value)
      for (const check of checks) {
        if (check.names.some((name) => failed.has(name))) continue
        // Two rules may ask for the same field: it is named once.
        const found = check.issues(decoded as A, today ?? null)
        issues.push(...found.filter((one) => !issues.some(({ path, code }) => path === one.path && code === one.code)))
      }
      return issues.length > 0 ? left(issues) : right(decoded as A)
    },
  }
}

const readEntries = (entries: readonly Entry[], sent: Sent) => {
  const decoded: Record<string, unknown> = {}
  const issues: Issue[] = []
  const failed = new Set<string>()
  for (const { key, names, field } of entries) {
    const got = field.read(own(sent, names))
    if (isLeft(got)) {
      failed.add(key)
      for (const each of got.left) issues.push(under(key, each))
    } else if (got.right !== undefined) decoded[key] = got.right
  }
  return { decoded, issues, failed }
}

type Sent = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first of the names that was sent; what an object inherits was not. */
const own = (sent: Sent, names: readonly string[]): unknown => {
  for (const name of names) if (Object.hasOwn(sent, name) && sent[name] !== undefined) return sent[name]
  return undefined
}

const schemaOfEntries = (entries: readonly Entry[]): JsonSchema => {
  const required = entries.filter(({ field }) => !field.absent)
  const anyName = required.filter(({ names }) => names.length > 1)
  return {
    ...objectSchema(
      Object.fromEntries(entries.flatMap(({ names, field }) => names.map((name) => [name, field.schema]))),
      required.filter(({ names }) => names.length === 1).map(({ key }) => key),
    ),
    ...(anyName.length > 0 && {
      allOf: anyName.map(({ names }) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
    }),
  }
}
