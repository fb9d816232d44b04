import { failure, type Issue, invalid, isLeft, issue, left, map, right } from '../../failure.ts'
import { allOptional, type Decoded, type Fields, input, isObject, storedTypes } from '../input/input.ts'
import { view } from '../input/view.ts'
import {
  all,
  type Collection,
  eq,
  type Field,
  type Id,
  insert,
  orNull,
  patch,
  type Rec,
  record as recordOf,
  t,
  type Where,
} from '../records/record.ts'
import { type Fresh, randomCode } from '../running/use-case.ts'
import { foldLines } from '../values/text.ts'
import { countReferences, factsOf, releaseReferences, tenantKey } from './facts.ts'
import type {
  Business,
  Facts,
  FilterKind,
  IdOf,
  NotFound,
  RecordDecision,
  RemoveCode,
  Resource,
  ResourceRecord,
  ResourceSpec,
  TakenCode,
  WriteFailure,
} from './resource.ts'

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
  const moments = { createdAt: shown.createdAt, updatedAt: shown.updatedAt }
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
    view: view<R, Fields>(pascalCase(one), { id: shown.id, ...spec.input, ...moments }, (of) => of),
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

/** Converts `charge-group` to `ChargeGroup`. */
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

/** Returns the folded search text: one field a line, so that a search never matches across two fields. */
const searchText = (record: Rec, search: readonly string[]): string =>
  foldLines(search.map((path) => valueAt(record, path)).flatMap(textsIn))

const valueAt = (record: Rec, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

/** Returns a text, or all texts within an object: a search finds an address by its street. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const sameIn =
  <R extends Rec>(fields: readonly string[]) =>
  (record: R): readonly Where<Field<R>>[] =>
    fields.map((field) => same(record, field as Field<R>))

const same = <R extends Rec>(record: R, field: Field<R>): Where<Field<R>> => {
  const value = record[field]
  return eq(field, typeof value === 'object' || value === undefined ? null : value)
}

type CollectionSpec = Pick<
  ResourceSpec<string, Fields, Fields, string, string>,
  'many' | 'input' | 'internal' | 'unique' | 'acrossTenants' | 'filters' | 'extra'
>

/** Builds the collection of a resource: its codec, unique keys, indexes and tallies. */
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
