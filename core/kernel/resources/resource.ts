import {
  type Either,
  type Failure,
  failure,
  type Issue,
  invalid,
  isLeft,
  issue,
  left,
  map,
  right,
} from '../../failure.ts'
import type { Store } from '../../ports/store.ts'
import type { Field as InputField } from '../input/field.ts'
import {
  allOptional,
  type Decoded,
  type FieldCodes,
  type Fields,
  type FieldsInput,
  type Input,
  input,
  storedTypes,
} from '../input/input.ts'
import { type AnyView, view } from '../input/view.ts'
import {
  type AnyCollection,
  all,
  type Change,
  type Collection,
  eq,
  type Field,
  type Id,
  type IndexRow,
  insert,
  type OldestShape,
  orNull,
  patch,
  type Rec,
  record as recordOf,
  type TallyRow,
  t,
  type Where,
} from '../records/record.ts'
import { type Fresh, randomCode } from '../running/use-case.ts'
import {
  countReferences,
  type Facts,
  factsOf,
  type Reference,
  releaseReferences,
  same,
  sameIn,
  searchText,
  tenantKey,
} from './queries.ts'

type Ids = AnyCollection['ids']

export type IdOf<D extends Ids> = D extends 'integer' ? number : string

/** The properties that all resources of a business share. */
export interface Business<T extends string, D extends Ids = Ids, C extends boolean = boolean> {
  /** `payments`: begins the names of collections. */
  readonly name: string
  /** The tenant field of every record: `accountId`. */
  readonly tenant: T
  /** The type of the ids of records and tenants. */
  readonly ids: D
  /** True if each record has a random code that cannot be guessed. */
  readonly coded: C
  /** The fields of every record in replies. */
  readonly shown: {
    readonly id: InputField<IdOf<D>>
    readonly createdAt: InputField<string>
    readonly updatedAt: InputField<string>
  }
}

type Flat<A> = { [K in keyof A]: A[K] }

/** The fields of every record of a resource. */
export interface Common<I extends Id> {
  readonly id: I
  readonly createdAt: string
  readonly updatedAt: string
  readonly removedAt: string | null
}

export type ResourceRecord<
  T extends string,
  I extends Id,
  C extends boolean,
  F extends Fields,
  K extends Fields,
> = Flat<
  Common<I> & { readonly [tenant in T]: I } & (C extends true ? Coded : unknown) & Decoded<F> & Decoded<K> & Searched
>

export interface Coded {
  /** Random, with at least one letter, so that it is never taken for an id. */
  readonly code: string
}

export interface Searched {
  /** The folded texts of the searched fields, one a line. */
  readonly search: string
}

/**
 * The way a list is filtered by a field.
 * - `scan`: tests each record.
 * - `index`: has its own index and is cheap at any size.
 * - `own`: like `index`; the field names the owner within the tenant, and an actor limited to their own sees no other
 *   records.
 * - `tally`: has few values, by which records are counted. Totals are cheap; a page of a rare value scans.
 * - `days`, `instants`: a range of days over a field of days or of instants. It scans, except for `createdAt`, which
 *   every list has an index on.
 */
export type FilterKind = 'scan' | 'index' | 'own' | 'tally' | RangeKind
type RangeKind = 'days' | 'instants'

type Searchable<N extends string> = N | `${N}.${string}`

/**
 * The definition of a plain resource. It has no hooks: behaviour beyond it is a use case built on the parts of the
 * resource.
 */
export interface ResourceSpec<
  One extends string,
  F extends Fields,
  K extends Fields,
  U extends keyof F & string,
  B extends keyof K & string,
> {
  /** `client`: begins its failure codes, `client.unknown`. */
  readonly one: One
  /** `clients`: ends the name of its collection. */
  readonly many: string
  /** The fields that a caller sets. */
  readonly input: F
  /** The fields that only use cases set. Each must decode to its initial value when absent. */
  readonly internal: K
  /** The values that these fields take when the record is removed. */
  readonly removed?: Partial<Decoded<K>>
  /** Text fields whose values are unique among the tenant's records that are not removed. */
  readonly unique?: readonly U[]
  /** Fields with an index across all tenants that includes removed records. */
  readonly acrossTenants?: readonly (keyof F & string)[]
  /**
   * The searched fields: a text, an object with all of its texts, or one of them by its path, such as `address.street`.
   */
  readonly search?: readonly Searchable<keyof (F & K) & string>[]
  readonly filters?: { readonly [field in keyof (F & K) & string]?: FilterKind } & {
    readonly [field in 'createdAt' | 'updatedAt']?: 'instants'
  }
  /** Fields that reference records, with the collections that the id may belong to. */
  readonly references?: { readonly [field in keyof F & string]?: readonly Reference[] }
  /** Counters of references to the record. It cannot be removed while one of them is not 0. */
  readonly blockedBy?: readonly B[]
  /** Conditions, indexes, tallies and day fields beyond those that follow from the filters. */
  readonly extra?: ExtraDefinitions<keyof (F & K) & string>
}

interface ExtraDefinitions<N extends string> {
  readonly conditions?: { readonly [condition in string]: Where<N | keyof Common<Id>> }
  readonly indexes?: readonly IndexRow<N | keyof Common<Id>>[]
  readonly tallies?: readonly (Omit<TallyRow<N>, 'by'> & { readonly by: readonly string[] })[]
  readonly days?: { readonly [field in N]?: N | keyof Common<Id> }
  readonly oldest?: OldestShape<N | keyof Common<Id>>
}

/** The type parameters of a resource: the names and tables of its spec, its ids and its record. */
export interface ResourceTypes {
  readonly tenant: string
  readonly id: Id
  readonly one: string
  readonly input: Fields
  readonly internal: Fields
  readonly unique: string
  readonly blockedBy: string
  readonly record: Rec
}

/** The result of a decision: the record afterwards, and the changes to commit. */
export interface RecordDecision<R> {
  readonly record: R
  readonly changes: readonly Change[]
}

type Changed<F extends Fields> = ReturnType<typeof allOptional<F>>

/** A plain resource, as parts that use cases compose. */
export interface Resource<S extends ResourceTypes> {
  readonly business: Business<S['tenant']>
  readonly collection: Collection<S['record']>
  readonly spec: ResourceSpec<
    S['one'],
    S['input'],
    S['internal'],
    S['unique'] & keyof S['input'],
    S['blockedBy'] & keyof S['internal']
  >
  /** The input that creates a record, or replaces one. */
  readonly createInput: Input<Decoded<S['input']>, FieldsInput<S['input']>, FieldCodes<S['input']> | 'object'>
  /** The input that updates a record: absent fields keep their values. */
  readonly updateInput: Input<
    Decoded<Changed<S['input']>>,
    FieldsInput<Changed<S['input']>>,
    FieldCodes<Changed<S['input']>> | 'object'
  >
  /** A record as an API shows it: its id, the fields that a caller sets, and when it was created and updated. */
  readonly view: AnyView<S['record']>
  /** Returns a record of the tenant by id, or null if it belongs to another tenant or is removed. */
  find(store: Store, tenant: S['id'], id: S['id']): Promise<S['record'] | null>
  /** Reads the facts of a decision: the record, the holders of unique texts, and the references. */
  readFacts(
    store: Store,
    tenant: S['id'],
    id: S['id'] | null,
    input: Partial<Decoded<S['input']>>,
  ): Promise<Facts<S['record']>>
  /**
   * Builds and inserts a record without checks: unique texts and references must have been checked, and are not
   * counted.
   */
  build(
    tenant: S['id'],
    input: Decoded<S['input']>,
    fresh: Fresh,
    internal?: Partial<Decoded<S['internal']>>,
  ): RecordDecision<S['record']>
  /** Creates a record. Fails: `fields` (`unknown` for a reference to no record), `<one>.<field>.taken`. */
  create(
    facts: Facts<S['record']>,
    tenant: S['id'],
    input: Decoded<S['input']>,
    fresh: Fresh,
    internal?: Partial<Decoded<S['internal']>>,
  ): Either<WriteFailure<S['one'], S['unique']>, RecordDecision<S['record']>>
  /** Updates the fields in the input. Fails: `<one>.unknown`, and as `create` does. */
  update(
    facts: Facts<S['record']>,
    input: Partial<Decoded<S['input']>>,
    fresh: Fresh,
    internal?: Partial<Decoded<S['internal']>>,
  ): Either<NotFound<S['one']> | WriteFailure<S['one'], S['unique']>, RecordDecision<S['record']>>
  /** Removes the record from lists and frees its unique texts. Fails: `<one>.unknown`, `<one>.in-use`. */
  remove(
    facts: Facts<S['record']>,
    fresh: Fresh,
  ): Either<Failure<RemoveCode<S['one'], S['blockedBy']>, never>, RecordDecision<S['record']>>
}

export type NotFound<One extends string> = Failure<`${One}.unknown`, never>
/** `in-use` exists only for resources with `blockedBy`. */
export type RemoveCode<One extends string, B extends string> =
  | `${One}.unknown`
  | ([B] extends [never] ? never : `${One}.in-use`)
export type TakenCode<One extends string, U extends string> = `${One}.${U}.taken`
export type WriteFailure<One extends string, U extends string> = Failure<
  'fields' | TakenCode<One, U>,
  'unknown' | TakenCode<One, U>
>

/** The record of a resource: `type Client = RecordOf<typeof client>`. */
export type RecordOf<R extends { readonly find: (...by: never) => Promise<unknown> }> = NonNullable<
  Awaited<ReturnType<R['find']>>
>

const CODE_LENGTH = 22

/**
 * Returns the constructor of the resources of a business: `const resource = resourcesOf({ name: 'payments', tenant:
 * 'accountId', … })`.
 */
export const resourcesOf =
  <T extends string, D extends 'integer' | 'text', C extends boolean>(business: Business<T, D, C>) =>
  <
    One extends string,
    F extends Fields,
    K extends Fields,
    U extends keyof F & string = never,
    B extends keyof K & string = never,
  >(
    spec: ResourceSpec<One, F, K, U, B>,
  ) =>
    resourceOf<T, IdOf<D>, One, F, K, U, B, AsRecord<ResourceRecord<T, IdOf<D>, C, F, K>>>(business, spec)

/** Narrows a record type to one that a store accepts, which the compiler cannot infer from generic fields. */
type AsRecord<R> = R extends Rec ? R : never

const resourceOf = <
  T extends string,
  I extends Id,
  One extends string,
  F extends Fields,
  K extends Fields,
  U extends keyof F & string,
  B extends keyof K & string,
  R extends Rec,
>(
  business: Business<T>,
  spec: ResourceSpec<One, F, K, U, B>,
): Resource<{
  tenant: T
  id: I
  one: One
  input: F
  internal: K
  unique: U
  blockedBy: B
  record: R
}> => {
  const { one, internal, unique = [], search = [], blockedBy = [], removed = {} } = spec
  const { tenant, ids, coded, shown } = business
  const timestamps = { createdAt: shown.createdAt, updatedAt: shown.updatedAt }
  const collection: Collection<R> = collectionOf(business, spec)
  const readers = factsOf(collection, tenant, spec)
  const initial = initialOf(one, internal)
  // The types of the spec say which fields the record has.
  const asField = (field: string) => field as Field<R>
  const asRecord = (fields: object) => fields as R
  const live = eq(asField('removedAt'), null)
  // Counters are decremented on the records that were referenced when read, so the references must not change
  // meanwhile.
  const sameReferences = sameIn<R>(Object.keys(spec.references ?? {}))

  const build = (tenantId: I, sent: Decoded<F>, fresh: Fresh, more: Partial<Decoded<K>> = {}): RecordDecision<R> => {
    const fields: Rec = {
      id: ids === 'integer' ? fresh.id(collection) : fresh.uuid(),
      [tenant]: tenantId,
      ...(coded && { code: randomCode(fresh, CODE_LENGTH) }),
      ...sent,
      ...initial,
      ...more,
      createdAt: fresh.now,
      updatedAt: fresh.now,
      removedAt: null,
    }
    const record = asRecord({ ...fields, search: searchText(fields, search) })
    return { record, changes: [insert(collection, record)] }
  }

  return {
    business,
    collection,
    spec,
    createInput: input(`New${pascalCase(one)}`, spec.input),
    updateInput: input(`${pascalCase(one)}Change`, allOptional(spec.input)),
    view: view<R, Fields>(pascalCase(one), { id: shown.id, ...spec.input, ...timestamps }, (of) => of),
    find: readers.find,
    readFacts: readers.readFacts,
    build,
    create(facts, tenantId, sent, fresh, more) {
      const refused = refusalOf(one, unique, facts, sent)
      if (refused) return left(refused)
      const { record, changes } = build(tenantId, sent, fresh, more)
      return right({ record, changes: [...changes, ...countReferences(facts.references)] })
    },
    update(facts, sent, { now }, more = {}) {
      const { record } = facts
      if (!record) return left(missingOf(one))
      const refused = refusalOf(one, unique, facts, sent)
      if (refused) return left(refused)
      const set = Object.fromEntries(Object.entries({ ...sent, ...more }).filter(([, value]) => value !== undefined))
      if (Object.keys(set).length === 0) return right({ record, changes: [] })
      const after: Rec = { ...record, ...set, updatedAt: now }
      const changed = asRecord({ ...after, search: searchText(after, search) })
      // The search text derives from several fields, so the second of two simultaneous updates must compute it again.
      const own = patch<R>(collection, record.id, {
        set: asRecord({ ...set, search: changed.search, updatedAt: now }),
        when: all(live, same(record, asField('search')), ...sameReferences(record)),
      })
      const changedReferences = facts.references.filter(({ field, id }) => id !== record[field])
      return right({
        record: changed,
        changes: [
          own,
          ...releaseReferences(facts.storedReferences, changedReferences),
          ...countReferences(changedReferences),
        ],
      })
    },
    remove(facts, { now }) {
      const { record } = facts
      if (!record) return left(missingOf(one))
      if (blockedBy.some((counter) => record[counter] !== 0)) return left(inUseOf<One, B>(one))
      const set = { ...removed, removedAt: now, updatedAt: now }
      const unused = blockedBy.map((counter) => eq(asField(counter), 0))
      const when = all(live, ...unused, ...sameReferences(record))
      const own = patch<R>(collection, record.id, { set: asRecord(set), when })
      return right({
        record: asRecord({ ...record, ...set }),
        changes: [own, ...releaseReferences(facts.storedReferences)],
      })
    },
  }
}

const pascalCase = (one: string): string => one.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const missingOf = <One extends string>(one: One): NotFound<One> => failure('not-found', `${one}.unknown`)

const inUseOf = <One extends string, B extends string>(one: One) =>
  failure('conflict', `${one}.in-use` as RemoveCode<One, B>)

/** Returns the failure of an input with a unique text that is taken or a reference to no record; else null. */
const refusalOf = <One extends string, U extends string>(
  one: One,
  unique: readonly U[],
  facts: Facts<Rec>,
  sent: object,
): WriteFailure<One, U> | null => {
  const own = facts.record?.id
  const taken = unique
    .filter((field) => field in sent && facts.keyHolders[field] && facts.keyHolders[field].id !== own)
    .map((field) => issue(field, `${one}.${field}.taken` as const))
  const dangling = facts.references
    .filter(({ id, target }) => id !== null && target === null)
    .map(({ field }) => issue(field, 'unknown' as const))
  const wrong: readonly Issue<TakenCode<One, U> | 'unknown'>[] = [...taken, ...dangling]
  if (wrong.length === 0) return null
  // If taken texts are the only fault, the failure has their code instead of `fields`.
  return invalid(wrong, dangling.length === 0 ? taken[0]?.code : 'fields')
}

/** Returns the initial values of the fields that only use cases set. */
const initialOf = <K extends Fields>(one: string, internal: K): Decoded<K> => {
  const decoded = input(null, internal).decode({})
  if (isLeft(decoded)) throw new TypeError(`${one}: every field in internal needs an initial value`)
  return decoded.right
}

type CollectionSpec = Pick<
  ResourceSpec<string, Fields, Fields, string, string>,
  'many' | 'input' | 'internal' | 'unique' | 'acrossTenants' | 'filters' | 'extra'
>

const collectionOf = <R extends Rec>(
  { name, tenant, ids, coded }: Business<string>,
  { many, input: writable, internal, unique = [], acrossTenants = [], filters = {}, extra = {} }: CollectionSpec,
): Collection<R> => {
  const id = ids === 'integer' ? t.number : t.string
  const codec = recordOf({
    id,
    [tenant]: id,
    ...(coded && { code: t.string }),
    ...storedTypes(writable),
    ...storedTypes(internal),
    search: t.string,
    createdAt: t.string,
    updatedAt: t.string,
    removedAt: orNull(t.string),
  })
  // The types of the spec say which fields the record has.
  const asTyped = map((each: object) => each as R)
  const asField = (field: string) => field as Field<R>
  const keyOf = (field: string) => (each: Rec) =>
    each.removedAt === null && each[field] !== null ? tenantKey(each[tenant] as Id, `${each[field]}`) : null
  const fieldsBy = (...kinds: readonly FilterKind[]) =>
    Object.entries(filters).flatMap(([field, kind]) =>
      kind !== undefined && kinds.includes(kind) ? [asField(field)] : [],
    )
  const createdAt = asField('createdAt')
  const more = extra as Partial<Pick<Collection<R>, 'conditions' | 'indexes' | 'tallies' | 'days' | 'oldest'>>
  return {
    name: `${name}.${many}`,
    ids,
    codec: { ...codec, decode: (sent) => asTyped(codec.decode(sent)) },
    owner: asField(tenant),
    conditions: { live: eq(asField('removedAt'), null), ...more.conditions },
    ...(more.days && { days: more.days }),
    ...(more.oldest && { oldest: more.oldest }),
    keys: {
      ...(coded && { code: (each: Rec) => `${each.code}` }),
      ...Object.fromEntries(unique.map((field) => [field, keyOf(field)])),
    },
    indexes: [
      { sort: createdAt, when: 'live', search: asField('search') },
      ...fieldsBy('index', 'own').map((field) => ({ eq: field, sort: createdAt, when: 'live' })),
      ...acrossTenants.map((field) => ({ eq: asField(field), sort: createdAt, acrossOwners: true as const })),
      ...(more.indexes ?? []),
    ],
    tallies: [{ by: [asField(tenant), ...fieldsBy('tally')], sum: [], when: 'live' }, ...(more.tallies ?? [])],
  }
}
