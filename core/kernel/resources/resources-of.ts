import { failure, type Issue, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { allOptional, input } from '../input/input.ts'
import { type Decoded, type Fields, isObject } from '../input/table.ts'
import { insert, patch } from '../records/change.ts'
import type { Collection, Field, Id, Rec } from '../records/collection.ts'
import { all, eq, type Where } from '../records/where.ts'
import type { Fresh } from '../running/fresh.ts'
import { randomCode } from '../running/fresh.ts'
import { foldedLines } from '../values/text.ts'
import { collectionOf } from './collection.ts'
import { type Facts, factsOf, pointing, released } from './facts.ts'
import type { Made, Missing, Refused, Resource, Taken, Unremovable } from './resource.ts'
import type { Business, IdOf, ResourceRecord, ResourceSpec } from './spec.ts'

const CODE_LENGTH = 22

/** Makes the resources of a business: `const resource = resourcesOf({ name: 'payments', tenant: 'accountId', … })`. */
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

/** A record is one of fields that a store keeps: which they are is known where the tables are. */
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
  given: F
  kept: K
  unique: U
  blockedBy: B
  record: R
}> => {
  const { one, given, kept, unique = [], search = [], blockedBy = [], removed = {} } = spec
  const { tenant, ids, coded } = business
  const collection: Collection<R> = collectionOf(business, spec)
  const facts = factsOf(collection, tenant, spec)
  const beginnings = beginningsOf(one, kept)
  // Each record has exactly these fields, which the types of the tables say.
  const asField = (field: string) => field as Field<R>
  const asRecord = (fields: object) => fields as R
  const live = eq(asField('removedAt'), null)
  // A counter is given back where the record hung when it was read: meanwhile it hangs nowhere else.
  const hangsThere = sameIn<R>(Object.keys(spec.references ?? {}))

  const make = (tenantId: I, sent: Decoded<F>, fresh: Fresh, more: Partial<Decoded<K>> = {}): Made<R> => {
    const fields: Rec = {
      id: ids === 'integer' ? fresh.id(collection) : fresh.uuid(),
      [tenant]: tenantId,
      ...(coded && { code: randomCode(fresh, CODE_LENGTH) }),
      ...sent,
      ...beginnings,
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
    created: input(`New${pascalCase(one)}`, given),
    changed: input(`${pascalCase(one)}Change`, allOptional(given)),
    find: facts.find,
    read: facts.read,
    make,
    create(looked, tenantId, sent, fresh, more) {
      const refused = refusalOf(one, unique, looked, sent)
      if (refused) return left(refused)
      const { record, changes } = make(tenantId, sent, fresh, more)
      return right({ record, changes: [...changes, ...pointing(looked.referred)] })
    },
    update(looked, sent, { now }, more = {}) {
      const { record } = looked
      if (!record) return left(missingOf(one))
      const refused = refusalOf(one, unique, looked, sent)
      if (refused) return left(refused)
      const set = Object.fromEntries(Object.entries({ ...sent, ...more }).filter(([, value]) => value !== undefined))
      if (Object.keys(set).length === 0) return right({ record, changes: [] })
      const after: Rec = { ...record, ...set, updatedAt: now }
      const changed = asRecord({ ...after, search: searchText(after, search) })
      // The search text is made of all of them: of two changes at once the second one makes it anew.
      const own = patch<R>(collection, record.id, {
        set: asRecord({ ...set, search: changed.search, updatedAt: now }),
        when: all(live, same(record, asField('search')), ...hangsThere(record)),
      })
      const turned = looked.referred.filter(({ field, id }) => id !== record[field])
      return right({ record: changed, changes: [own, ...released(looked.held, turned), ...pointing(turned)] })
    },
    remove(looked, { now }) {
      const { record } = looked
      if (!record) return left(missingOf(one))
      if (blockedBy.some((counter) => record[counter] !== 0)) return left(inUseOf<One, B>(one))
      const set = { ...removed, removedAt: now, updatedAt: now }
      const unused = blockedBy.map((counter) => eq(asField(counter), 0))
      const when = all(live, ...unused, ...hangsThere(record))
      const own = patch<R>(collection, record.id, { set: asRecord(set), when })
      return right({ record: asRecord({ ...record, ...set }), changes: [own, ...released(looked.held)] })
    },
  }
}

/** `charge-group` as the schemas of its inputs have it: `ChargeGroup`. */
const pascalCase = (one: string): string => one.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const missingOf = <One extends string>(one: One): Missing<One> => failure('not-found', `${one}.unknown`)

const inUseOf = <One extends string, B extends string>(one: One) =>
  failure('conflict', `${one}.in-use` as Unremovable<One, B>)

/** Why what was given cannot be: what is unique is taken, what is pointed at is not there. */
const refusalOf = <One extends string, U extends string>(
  one: One,
  unique: readonly U[],
  looked: Facts<Rec>,
  given: object,
): Refused<One, U> | null => {
  const own = looked.record?.id
  const taken = unique
    .filter((field) => field in given && looked.holders[field] && looked.holders[field].id !== own)
    .map((field) => issue(field, `${one}.${field}.taken` as const))
  const pointless = looked.referred
    .filter(({ id, found }) => id !== null && found === null)
    .map(({ field }) => issue(field, 'unknown' as const))
  const wrong: readonly Issue<Taken<One, U> | 'unknown'>[] = [...taken, ...pointless]
  if (wrong.length === 0) return null
  // Where nothing but what is taken is in its way, it says so: that is another kind of fault than a wrong value.
  return invalid(wrong, pointless.length === 0 ? taken[0]?.code : 'fields')
}

/** What is kept of a record before anything is said of it. */
const beginningsOf = <K extends Fields>(one: string, kept: K): Decoded<K> => {
  const begun = input(null, kept).decode({})
  if (isLeft(begun)) throw new TypeError(`what is kept of a ${one} begins with nothing`)
  return begun.right
}

/** One field a line, so that a search never matches across two of them. */
const searchText = (record: Rec, search: readonly string[]): string =>
  foldedLines(search.map((path) => valueAt(record, path)).flatMap(textsIn))

const valueAt = (record: Rec, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

/** A text, or those of what it is made of: an address is found by its street. */
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
