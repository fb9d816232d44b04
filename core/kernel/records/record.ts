import * as t from 'io-ts'
import { type Either, isLeft } from '../../failure.ts'
import { compareCodePoints } from '../values/text.ts'

export type Id = string | number

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A stored record: a JSON object with an id. Every field is present; an absent value is null. */
export type Rec = { readonly id: Id; readonly [field: string]: Json }

/** Freezes a value and all values within it, so that its readers can share it. */
export const deepFreeze = <A>(value: A): A => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const field in value) deepFreeze(value[field])
  return Object.freeze(value)
}

/** The fields of a record that a query, an index or a change can name. */
export type Field<R> = keyof R & string

/** The value of a field that conditions can compare. Lists and objects are not scalars. */
export type Scalar = string | number | boolean | null

/** Reports whether a JSON value is an object, and no list. */
export const isJsonObject = (value: Json): value is { readonly [field: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The address of a record: its collection and its id. */
export type At = readonly [collection: string, id: Id]

export const at = (collection: { readonly name: string }, id: Id): At => [collection.name, id]

/** Returns the scalar in a field, null if the field is absent, or undefined if it holds a list or an object. */
export const scalarOf = (record: Rec, field: string): Scalar | undefined => {
  const value = record[field]
  return typeof value === 'object' && value !== null ? undefined : (value ?? null)
}

/** Compares numbers by value and texts by code point. Returns null if the two have no order. */
export const compareBounds = (value: unknown, bound: string | number): number | null => {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound
  if (typeof value === 'string' && typeof bound === 'string') return compareCodePoints(value, bound)
  return null
}

/** Booleans, numbers, texts. One field holds only one of these types; null sorts before all of them. */
const rank = (value: unknown): number => ['boolean', 'number', 'string'].indexOf(typeof value)

/** Compares two values of a field: nulls first, numbers by value, texts by code point. */
export const compareValues = (a: unknown, b: unknown): number => {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return rank(a) - rank(b) || (rank(a) < 0 ? 0 : Number(a) - Number(b))
}

export const compareIds = (a: Id, b: Id): number => compareValues(a, b)

/** Returns the comparator of a page: by the sort field, ties by id in the same direction; without a sort by id. */
export const recordOrder = (sort?: {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}): ((a: Rec, b: Rec) => number) => {
  if (!sort) return (a, b) => compareIds(a.id, b.id)
  const sign = sort.dir === 'asc' ? 1 : -1
  return (a, b) => sign * (compareValues(a[sort.by], b[sort.by]) || compareIds(a.id, b.id))
}

type Bound = string | number

/**
 * A condition on the top-level fields of a record, as data. `matches` defines its meaning; each store has one
 * translation. For a null field, `lt lte gt gte has contains` are false and `eq null` is true. `not` is the exact
 * complement. Texts compare by code point.
 */
export type Where<F extends string = string> =
  | { readonly all: readonly Where<F>[] }
  | { readonly any: readonly Where<F>[] }
  | { readonly not: Where<F> }
  | { readonly eq: readonly [F, Scalar] }
  | { readonly in: readonly [F, readonly Scalar[]] }
  | { readonly has: readonly [F, Bound] }
  | { readonly lt: readonly [F, Bound] }
  | { readonly lte: readonly [F, Bound] }
  | { readonly gt: readonly [F, Bound] }
  | { readonly gte: readonly [F, Bound] }
  | { readonly contains: readonly [F, string] }

export const all = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ all: parts })
export const any = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ any: parts })
export const not = <F extends string>(part: Where<F>): Where<F> => ({ not: part })
export const eq = <F extends string>(field: F, value: Scalar): Where<F> => ({ eq: [field, value] })
export const isIn = <F extends string>(field: F, values: readonly Scalar[]): Where<F> => ({ in: [field, values] })
/** The field is a list that contains the value. */
export const has = <F extends string>(field: F, value: Bound): Where<F> => ({ has: [field, value] })
export const lt = <F extends string>(field: F, value: Bound): Where<F> => ({ lt: [field, value] })
export const lte = <F extends string>(field: F, value: Bound): Where<F> => ({ lte: [field, value] })
export const gt = <F extends string>(field: F, value: Bound): Where<F> => ({ gt: [field, value] })
export const gte = <F extends string>(field: F, value: Bound): Where<F> => ({ gte: [field, value] })
/** The field contains the text literally. For a search, field and text must both be folded. */
export const contains = <F extends string>(field: F, text: string): Where<F> => ({ contains: [field, text] })
/** Matches every record: the explicit form of no condition. */
export const always: Where<never> = { all: [] }

/** Returns the fields that a condition names. */
export const fieldsOf = (where: Where): string[] => {
  if ('all' in where) return where.all.flatMap(fieldsOf)
  if ('any' in where) return where.any.flatMap(fieldsOf)
  if ('not' in where) return fieldsOf(where.not)
  return Object.values(where).map(([field]) => String(field))
}

export type RecordTest = (record: Rec) => boolean
type Leaf = Exclude<Where, { all: unknown } | { any: unknown } | { not: unknown }>

/** Reports whether a record meets a condition. The queries of every store must return the same result. */
export const matches = (where: Where, record: Rec): boolean => compile(where)(record)

/** Compiles a condition to a test, for use on many records. */
export const compile = (where: Where): RecordTest => {
  if ('all' in where) {
    const parts = where.all.map(compile)
    return (record) => parts.every((part) => part(record))
  }
  if ('any' in where) {
    const parts = where.any.map(compile)
    return (record) => parts.some((part) => part(record))
  }
  if ('not' in where) {
    const part = compile(where.not)
    return (record) => !part(record)
  }
  return leaf(where)
}

const leaf = (where: Leaf): RecordTest => {
  if ('eq' in where) {
    const [field, value] = where.eq
    return (record) => scalarOf(record, field) === value
  }
  if ('in' in where) {
    const [field, values] = where.in
    return (record) => values.some((value) => scalarOf(record, field) === value)
  }
  if ('has' in where) {
    const [field, value] = where.has
    return (record) => listContains(record[field], value)
  }
  if ('contains' in where) {
    const [field, text] = where.contains
    return (record) => textContains(record[field], text)
  }
  if ('lt' in where) return ordered(where.lt, (order) => order < 0)
  if ('lte' in where) return ordered(where.lte, (order) => order <= 0)
  if ('gt' in where) return ordered(where.gt, (order) => order > 0)
  return ordered(where.gte, (order) => order >= 0)
}

const listContains = (list: unknown, value: Bound): boolean => Array.isArray(list) && list.includes(value)

const textContains = (whole: unknown, part: string): boolean => typeof whole === 'string' && whole.includes(part)

const ordered =
  ([field, bound]: readonly [string, Bound], fits: (order: number) => boolean): RecordTest =>
  (record) => {
    const order = compareBounds(record[field], bound)
    return order !== null && fits(order)
  }

/**
 * An index: owner, at most one equality field, one sort field, `id`. With `when`, it is partial by that named
 * condition. `search` includes that folded field, so that `contains` scans the index instead of the records.
 */
export interface IndexRow<F extends string = string> {
  readonly eq?: F
  readonly sort: F
  readonly when?: string
  readonly search?: F
  /** Further fields in the index: a query that filters or sorts by them scans the index instead of the records. */
  readonly include?: readonly F[]
  /** The index does not begin with the owner: it serves queries across tenants, such as those of the worker. */
  readonly acrossOwners?: true
}

/**
 * A count and sums that every commit keeps exact: one bucket per combination of the `by` fields, which hold scalars.
 */
export interface TallyRow<F extends string = string> {
  readonly by: readonly F[]
  readonly sum: readonly F[]
  readonly when?: string
}

/** The definition of a collection, from which a store derives tables, indexes, keys and tallies. */
export interface Collection<R extends Rec> {
  /** `payments.clients`: begins with the business; lower-case letters, digits, dots and hyphens. */
  readonly name: string
  readonly ids: 'integer' | 'text'
  /** Validates a record when it is written, and drops unknown fields. Records that are read are trusted. */
  readonly codec: { decode(record: unknown): Either<unknown, R> }
  /** The tenant field, with which every index begins, or null if records have no tenant. */
  readonly owner: Field<R> | null
  /**
   * Lets a store acknowledge a commit of such collections alone before it is durable; the next other commit then makes
   * both durable. For records whose caller commits something that follows from them.
   */
  readonly isFlushedLater?: true
  /** Named conditions (`live`, `listed`, `waiting`), by which indexes and tallies can be partial. */
  readonly conditions?: Readonly<Record<string, Where<Field<R>>>>
  /** Unique keys: each returns a text that no other record of the collection may have, or null for none. */
  readonly keys?: Readonly<Record<string, (record: R) => string | null>>
  readonly indexes?: readonly IndexRow<Field<R>>[]
  readonly tallies?: readonly TallyRow<Field<R>>[]
  /** Day fields and the instants that they derive from: `createdDay` of `createdAt`. An index on either serves both. */
  readonly days?: { readonly [F in Field<R>]?: Field<R> }
  /**
   * Compute a field for records that were stored without it, from the fields that they have. They are pure, and stay
   * until `oldest` names the field. A missing field without an upgrade is null, so its codec must accept null.
   */
  readonly upgrades?: { readonly [F in Field<R>]?: (record: R) => R[F] }
  /** Fields of earlier releases that this one dropped: upgrades can read them; the next write removes them. */
  readonly retired?: readonly string[]
  /** The upgrades and indexes of the oldest release whose stores open: a store without them is refused. */
  readonly oldest?: OldestShape<Field<R>>
}

/** Defines a collection with text ids, whose records a sweep deletes once they expire. */
export const expiringCollection = <R extends Rec & { readonly expiresAt: string | null }>(
  name: string,
  codec: Collection<R>['codec'],
  owner: Field<R> | null = null,
): Collection<R> => ({ name, ids: 'text', codec, owner, indexes: [{ sort: 'expiresAt', acrossOwners: true }] })

/**
 * Upgrades that the oldest release finished, and indexes that it had. This release may no longer define or use them.
 */
export interface OldestShape<F extends string = string> {
  readonly upgrades?: readonly F[]
  readonly indexes?: readonly IndexRow<F>[]
}

/** A collection of any record type, as stores use it. */
export interface AnyCollection extends Omit<Collection<Rec>, 'keys' | 'upgrades'> {
  readonly keys?: Readonly<Record<string, KeyFunction['text']>>
  readonly upgrades?: Readonly<Record<string, UpgradeFunction['value'] | undefined>>
}

// Methods are bivariant in their parameters, which makes a Collection<Charge> assignable to AnyCollection.
interface KeyFunction {
  text(record: Rec): string | null
}

interface UpgradeFunction {
  value(record: Rec): Json
}

/** Copies a field of a record that an earlier change of the same commit patched or inserted. */
export type Take<F extends string = string> = { readonly [field in F]?: readonly [from: At, field: string] }

/**
 * A change, as data. The changes of a commit apply in order, all or none, each on the result of the earlier ones.
 * - `insert` fails with a conflict if the id exists or another record has the text of a unique key.
 * - `ensure` inserts the record unless the id exists, and then leaves the stored one unchanged.
 * - `patch`, `check` and `remove` fail as stale if the record does not exist or does not meet `when`.
 *
 * `set`, `add`, `max`, `take` and `when` name top-level fields. `add` to a null field starts from 0; `max` of a null
 * field sets the value. `max` compares numbers by value and texts by code point.
 */
export type Change =
  | { readonly kind: 'insert'; readonly at: At; readonly record: Rec; readonly take?: Take }
  | { readonly kind: 'ensure'; readonly at: At; readonly record: Rec }
  | {
      readonly kind: 'patch'
      readonly at: At
      readonly set?: { readonly [field: string]: Rec[string] }
      readonly add?: { readonly [field: string]: number }
      readonly max?: { readonly [field: string]: string | number }
      readonly when: Where
    }
  | { readonly kind: 'check'; readonly at: At; readonly when: Where }
  | { readonly kind: 'remove'; readonly at: At; readonly when: Where }

/** Returns the value that a field took in the commit: `taken(['payments.entries', 7], 'balanceCents')`. */
export type Taken = (at: At, field: string) => Scalar

/** Returns further changes for the same commit, from the values that its own changes took. */
export type CommitHook = (taken: Taken) => readonly Change[]

export type Outcome =
  | { readonly ok: true; readonly taken: Taken }
  | { readonly ok: false; readonly stale: At }
  | { readonly ok: false; readonly conflict: { readonly collection: string; readonly key: string } }

/** The parts of a collection that a change names. */
interface ChangeTarget<R extends Rec> {
  readonly name: string
  readonly codec: { decode(record: unknown): Either<unknown, R> }
  readonly owner: Field<R> | null
}

type Numeric<R> = { [F in Field<R>]: R[F] extends number | null ? F : never }[Field<R>]

type NullableField<R> = { [F in keyof R]: null extends R[F] ? F : never }[keyof R]

/** The fields of a new value; those that accept null may be left out. */
export type NewFields<R> = Omit<R, NullableField<R>> & Partial<Pick<R, NullableField<R>>>

const nullObjects = new WeakMap<object, Readonly<Record<string, null>>>()

/** Builds a value of an object codec: each field that is left out is null. */
export const withNulls = <A>(codec: { decode(value: unknown): Either<unknown, A> }, fields: NewFields<A>): A => {
  const nulls =
    nullObjects.get(codec) ?? Object.fromEntries(Object.keys(fieldCodecs(codec) ?? {}).map((field) => [field, null]))
  nullObjects.set(codec, nulls)
  return { ...nulls, ...fields } as A
}

/** Builds a new record of a collection: each field that is left out is null. */
export const newRecord = <R extends Rec>({ codec }: Pick<Collection<R>, 'codec'>, fields: NewFields<R>): R =>
  withNulls(codec, fields)

/** Inserts a record. The fields in `take` are overwritten when the commit is applied. */
export const insert = <R extends Rec>(
  into: ChangeTarget<R>,
  record: NoInfer<R>,
  take?: Take<Field<NoInfer<R>>>,
): Change => {
  const at: At = [into.name, record.id]
  return take ? { kind: 'insert', at, record, take: take as Take } : { kind: 'insert', at, record }
}

/** Inserts a record unless its id exists. Creates a counter on first use. */
export const ensure = <R extends Rec>(into: ChangeTarget<R>, record: NoInfer<R>): Change => ({
  kind: 'ensure',
  at: [into.name, record.id],
  record,
})

/** Patches fields. `when` is the weakest guard that the rule needs, or `always` for none. */
export const patch = <R extends Rec>(
  of: ChangeTarget<R>,
  id: Id,
  fields: {
    readonly set?: Partial<NoInfer<R>>
    readonly add?: Partial<Record<Numeric<NoInfer<R>>, number>>
    readonly max?: Partial<Record<Field<NoInfer<R>>, string | number>>
    readonly when: Where<Field<NoInfer<R>>>
  },
): Change => ({
  kind: 'patch',
  at: [of.name, id],
  ...(fields as Omit<Extract<Change, { kind: 'patch' }>, 'kind' | 'at'>),
})

/**
 * Guards a record that is read but not written. On MongoDB it costs a write, so use it for money and invariants only.
 */
export const check = <R extends Rec>(of: ChangeTarget<R>, id: Id, when: Where<Field<NoInfer<R>>>): Change => ({
  kind: 'check',
  at: [of.name, id],
  when,
})

export const remove = <R extends Rec>(from: ChangeTarget<R>, id: Id, when: Where<Field<NoInfer<R>>>): Change => ({
  kind: 'remove',
  at: [from.name, id],
  when,
})

/** A state machine, defined by the transitions of each state. */
export interface StateMachine<S extends string> {
  readonly can: (from: S, to: S) => boolean
  readonly next: (from: S) => readonly S[]
  readonly isFinal: (state: S) => boolean
}

/** Builds a state machine from a table with a row for every state; the row of a final state is empty. */
export const stateMachine = <S extends string>(table: Readonly<Record<S, readonly NoInfer<S>[]>>): StateMachine<S> => ({
  can: (from, to) => table[from].includes(to),
  next: (from) => table[from],
  isFinal: (state) => table[state].length === 0,
})

/** Every codec of the project uses this import: deep paths of io-ts fail in Node's ESM and in Deno. */
export { t }

/** Builds the codec of a stored record: exactly these fields, all present. */
export const record = <P extends t.Props>(fields: P): t.ExactC<t.TypeC<P>> => {
  const codec = t.strict(fields)
  const { decode } = codec
  let decodeQuickly: QuickDecoder | null = null
  // Every change of a record decodes it whole. io-ts makes two objects for each
  // field, although most fields need one comparison only.
  return Object.assign(codec, {
    decode: (value: unknown) => {
      decodeQuickly ??= quickDecoder(fields)
      const decoded = isPlain(value) ? decodeQuickly(value) : null
      return decoded ? t.success(decoded as t.TypeOf<typeof codec>) : decode(value)
    },
  })
}

export const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])

/** Builds the codec of a stored enumeration. */
export const word = <W extends string>(...words: readonly W[]): t.Type<W> =>
  t.keyof(Object.fromEntries(words.map((each) => [each, null])) as Record<W, null>, words.join(' | '))

/** The codec of the values that meet `is`, which it decodes to themselves. */
export class ValueType extends t.Type<unknown> {
  constructor(name: string, is: (value: unknown) => value is unknown) {
    super(name, is, (value, context) => (is(value) ? t.success(value) : t.failure(value, context)), t.identity)
  }
}

/** The tags of io-ts codecs that wrap the codec of an object. */
const WRAPPERS: ReadonlySet<unknown> = new Set(['ExactType', 'RefinementType', 'ReadonlyType'])

/** Returns the field codecs of an io-ts object codec, or null for any other codec. */
export const fieldCodecs = (codec: object): Readonly<Record<string, object>> | null => {
  if ('props' in codec && typeof codec.props === 'object' && codec.props) return { ...codec.props }
  if (!('_tag' in codec && WRAPPERS.has(codec._tag))) return null
  return 'type' in codec && typeof codec.type === 'object' && codec.type ? fieldCodecs(codec.type) : null
}

type PlainObject = Readonly<Record<string, unknown>>

/** Returns the decoded object, or null if io-ts has to decode it: it is invalid, or has other keys. */
type QuickDecoder = (value: PlainObject) => PlainObject | null

const quickDecoder = (fields: t.Props): QuickDecoder => {
  const rows = Object.entries(fields).map(([name, codec]) => ({ name, codec, test: testOf(codec) }))
  return (value) => {
    let decoded: Record<string, unknown> | null = null
    for (const { name, codec, test } of rows) {
      const part = value[name]
      if (part === undefined) return null
      if (test) {
        if (!test(part)) return null
        continue
      }
      const result = codec.decode(part)
      if (isLeft(result)) return null
      if (result.right === part) continue
      decoded ??= { ...value }
      decoded[name] = result.right
    }
    return countKeys(value) === rows.length ? (decoded ?? value) : null
  }
}

type Test = (value: unknown) => boolean

const SCALARS = [t.StringType, t.NumberType, t.BooleanType, t.NullType, t.LiteralType, t.KeyofType]

/** Returns a test of the values that a codec decodes to themselves, or null if the codec has no such test. */
const testOf = (codec: t.Mixed): Test | null => {
  if (isScalar(codec) || codec instanceof ValueType) return codec.is
  if (codec instanceof t.UnionType) return unionTest(codec.types)
  if (codec instanceof t.ArrayType) return listTest(testOf(codec.type))
  if (codec instanceof t.ExactType && codec.type instanceof t.InterfaceType) return objectTest(codec.type.props)
  return null
}

const isScalar = (codec: t.Mixed): boolean =>
  SCALARS.some((scalar) => codec instanceof scalar) || (codec instanceof t.RefinementType && isScalar(codec.type))

/** With several lists or objects, an earlier member may accept the value without some of its keys. */
const unionTest = (codecs: readonly t.Mixed[]): Test | null => {
  if (codecs.filter((codec) => !isScalar(codec)).length > 1) return null
  const tests = codecs.map(testOf)
  if (!tests.every((test) => test !== null)) return null
  return (value) => {
    for (const test of tests) if (test(value)) return true
    return false
  }
}

const listTest = (test: Test | null): Test | null =>
  test &&
  ((value) => {
    if (!Array.isArray(value)) return false
    for (const item of value) if (!test(item)) return false
    return true
  })

const objectTest = (fields: t.Props): Test | null => {
  const rows = Object.entries(fields).map(([name, codec]) => ({ name, test: testOf(codec) }))
  if (rows.some(({ test }) => test === null)) return null
  return (value) => {
    if (!isPlain(value)) return false
    for (const { name, test } of rows) if (!test?.(value[name])) return false
    return countKeys(value) === rows.length
  }
}

const isPlain = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const countKeys = (value: object): number => {
  let count = 0
  for (const _ in value) count += 1
  return count
}
