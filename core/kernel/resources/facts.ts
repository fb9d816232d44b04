import { byId, byKey, type Store } from '../../ports/store.ts'
import type { Fields } from '../input/input.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  check,
  eq,
  type Field,
  type Id,
  patch,
  type Rec,
  type Where,
} from '../records/record.ts'
import type { Facts, Reference, ResolvedReference, ResourceSpec } from './resource.ts'

type Spec = Pick<ResourceSpec<string, Fields, Fields, string, string>, 'unique' | 'references'>

/** Returns the text of a unique key: unique among the records of the tenant that are not removed. */
export const tenantKey = (tenant: Id, text: string): string => `${tenant}|${text}`

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number'
const live = eq('removedAt', null)
const targetCondition = (is: Reference['is'] = {}): Where =>
  all(live, ...Object.entries(is).map(([field, value]) => eq(field, value)))

/** Builds the readers of a resource. */
export const factsOf = <R extends Rec>(
  collection: Collection<R>,
  tenant: string,
  { unique = [], references = {} }: Spec,
) => {
  const referenceFields: readonly (readonly [string, readonly Reference[] | undefined])[] = Object.entries(references)
  const isOwn = (record: Rec | null, owner: Id): boolean =>
    record !== null && record[tenant] === owner && record.removedAt === null

  const find = async (store: Store, owner: Id, id: Id): Promise<R | null> => {
    const record = await store.find(byId(collection, id))
    return isOwn(record, owner) ? record : null
  }

  const foundAt = async (
    store: Store,
    owner: Id,
    id: Id,
    targets: readonly Reference[],
  ): Promise<ResolvedReference['target']> => {
    for (const target of targets) {
      const record = await store.find(byId<Rec>(target.to, id))
      const hasValues = Object.entries(target.is ?? {}).every(([field, value]) => record?.[field] === value)
      if (isOwn(record, owner) && hasValues) return target
    }
    return null
  }

  const storedReferencesOf = async (
    store: Store,
    owner: Id,
    record: R | null,
  ): Promise<readonly ResolvedReference[]> => {
    const stored: ResolvedReference[] = []
    for (const [field, targets = []] of referenceFields) {
      const id = record?.[field]
      if (!isId(id) || targets.every(({ counts }) => counts === undefined)) continue
      // With a single target the reference cannot mean another collection.
      const only = targets.length === 1 ? (targets[0] ?? null) : null
      stored.push({ field, id, target: only ?? (await foundAt(store, owner, id, targets)) })
    }
    return stored
  }

  return {
    find,
    async readFacts(store: Store, owner: Id, id: Id | null, input: object): Promise<Facts<R>> {
      const record = id === null ? null : await find(store, owner, id)
      const sent: Readonly<Record<string, unknown>> = { ...input }
      const keyHolders: Record<string, R | null> = {}
      for (const field of unique) {
        const text = sent[field]
        if (typeof text === 'string')
          keyHolders[field] = await store.find(byKey(collection, field, tenantKey(owner, text)))
      }
      const resolved: ResolvedReference[] = []
      for (const [field, targets = []] of referenceFields) {
        const target = sent[field]
        if (target === null) resolved.push({ field, id: null, target: null })
        else if (isId(target))
          resolved.push({ field, id: target, target: await foundAt(store, owner, target, targets) })
      }
      return {
        record,
        keyHolders,
        references: resolved,
        storedReferences: await storedReferencesOf(store, owner, record),
      }
    },
  }
}

/** Returns the changes that decrement the counters of stored references: of some fields, or of all. */
export const releaseReferences = (
  references: readonly ResolvedReference[],
  fields: readonly Pick<ResolvedReference, 'field'>[] | null = null,
): readonly Change[] =>
  references.flatMap(({ field, id, target }) => {
    const isReleased = fields === null || fields.some((each) => each.field === field)
    if (!isReleased || id === null || target?.counts === undefined) return []
    return [patch<Rec>(target.to, id, { add: { [target.counts]: -1 }, when: always })]
  })

/** Returns the changes that guard the referenced records and increment their counters. */
export const countReferences = (references: readonly ResolvedReference[]): readonly Change[] =>
  references.flatMap(({ id, target }) => {
    if (id === null || !target) return []
    const { to, is, counts } = target
    const when = targetCondition(is)
    return [counts === undefined ? check<Rec>(to, id, when) : patch<Rec>(to, id, { add: { [counts]: 1 }, when })]
  })

/** Returns the conditions that fields still have the values that were read. */
export const sameIn =
  <R extends Rec>(fields: readonly string[]) =>
  (record: R): readonly Where<Field<R>>[] =>
    fields.map((field) => same(record, field as Field<R>))

export const same = <R extends Rec>(record: R, field: Field<R>): Where<Field<R>> => {
  const value = record[field]
  return eq(field, typeof value === 'object' || value === undefined ? null : value)
}
