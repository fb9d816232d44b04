import { byId, byKey, type Store } from '../../ports/store.ts'
import type { Fields } from '../input/table.ts'
import { type Change, check, patch } from '../records/change.ts'
import type { Collection, Id, Rec } from '../records/collection.ts'
import { all, always, eq, type Where } from '../records/where.ts'
import { tenantKey } from './collection.ts'
import type { Reference, ResourceSpec } from './spec.ts'

/** What was given for a field that points at a record, and what was found there. */
export interface Referred {
  readonly field: string
  /** Null where it is to point at nothing. */
  readonly id: Id | null
  /** Null where no record of the tenant has that id. */
  readonly found: Pick<Reference, 'to' | 'is' | 'counts'> | null
}

/** What was read of the store for a decision. */
export interface Facts<R> {
  /** The record that is changed or removed; null where there is none of the tenant's, or where one is made. */
  readonly record: R | null
  /** Who has each unique text that was given. */
  readonly holders: { readonly [field: string]: R | null | undefined }
  readonly referred: readonly Referred[]
  /** Where the record points now, by fields that are counted there. */
  readonly held: readonly Referred[]
}

type Pointing = Pick<ResourceSpec<string, Fields, Fields, string, string>, 'unique' | 'references'>

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number'
const live = eq('removedAt', null)
/** What a record has to be, to be pointed at. */
const pointable = (is: Reference['is'] = {}): Where =>
  all(live, ...Object.entries(is).map(([field, value]) => eq(field, value)))

/** The readers of a resource. */
export const factsOf = <R extends Rec>(
  collection: Collection<R>,
  tenant: string,
  { unique = [], references = {} }: Pointing,
) => {
  const pointers: readonly (readonly [string, readonly Reference[] | undefined])[] = Object.entries(references)
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
  ): Promise<Referred['found']> => {
    for (const target of targets) {
      const record = await store.find(byId<Rec>(target.to, id))
      const isAsAsked = Object.entries(target.is ?? {}).every(([field, value]) => record?.[field] === value)
      if (isOwn(record, owner) && isAsAsked) return target
    }
    return null
  }

  /** What is pointed at is found whatever has become of it: only whose it is does not change. */
  const heldBy = async (store: Store, owner: Id, record: R | null): Promise<readonly Referred[]> => {
    const held: Referred[] = []
    for (const [field, targets = []] of pointers) {
      const id = record?.[field]
      if (!isId(id) || targets.every(({ counts }) => counts === undefined)) continue
      // Of one that stands alone no other can be meant.
      const alone = targets.length === 1 ? (targets[0] ?? null) : null
      held.push({ field, id, found: alone ?? (await foundAt(store, owner, id, targets)) })
    }
    return held
  }

  return {
    find,
    async read(store: Store, owner: Id, id: Id | null, given: object): Promise<Facts<R>> {
      const record = id === null ? null : await find(store, owner, id)
      const sent: Readonly<Record<string, unknown>> = { ...given }
      const holders: Record<string, R | null> = {}
      for (const field of unique) {
        const text = sent[field]
        if (typeof text === 'string')
          holders[field] = await store.find(byKey(collection, field, tenantKey(owner, text)))
      }
      const referred: Referred[] = []
      for (const [field, targets = []] of pointers) {
        const target = sent[field]
        if (target === null) referred.push({ field, id: null, found: null })
        else if (isId(target)) referred.push({ field, id: target, found: await foundAt(store, owner, target, targets) })
      }
      return { record, holders, referred, held: await heldBy(store, owner, record) }
    },
  }
}

/** What a record no more points at by some fields, or by all, loses of its counters. */
export const released = (
  held: readonly Referred[],
  turned: readonly Pick<Referred, 'field'>[] | null = null,
): readonly Change[] =>
  held.flatMap(({ field, id, found }) => {
    const isLeft = turned === null || turned.some((each) => each.field === field)
    if (!isLeft || id === null || found?.counts === undefined) return []
    return [patch<Rec>(found.to, id, { add: { [found.counts]: -1 }, when: always })]
  })

/** That what the fields point at is there, and counts who points at it. */
export const pointing = (referred: readonly Referred[]): readonly Change[] =>
  referred.flatMap(({ id, found }) => {
    if (id === null || !found) return []
    const { to, is, counts } = found
    const when = pointable(is)
    return [counts === undefined ? check<Rec>(to, id, when) : patch<Rec>(to, id, { add: { [counts]: 1 }, when })]
  })
