import { byKey, type Store } from '../../ports/store.ts'
import type { Decoded } from '../input/input.ts'
import type { DayRange } from '../input/query.ts'
import { all, any, eq, type Field, gte, type Id, lte, type Where } from '../records/record.ts'
import { endOfDay, startOfDay } from '../values/day.ts'
import { parseId } from '../values/text.ts'
import { searchIn } from './list-queries.ts'
import type { Facts, Resource, ResourceTypes } from './resource.ts'

/** The actor of a request: the tenant and, if the actor is limited to their own records, an own id. */
export type Scope<T extends string, I extends Id> = { readonly [tenant in T]: I } & OwnLimit<I>

export interface OwnLimit<I extends Id> {
  /**
   * The id in the `own` field of the actor's records; null if the actor has none. Absent if the actor sees all of the
   * tenant's.
   */
  readonly own?: I | null | undefined
}

/** The kind of name in a path. A code contains a letter, so it is never taken for an id. */
export type LookupBy = 'id' | 'code' | 'either'

/** The filters of a list: field values, ranges of São Paulo days, and a search text. */
export interface ResourceFilter {
  readonly search?: string
  readonly within?: { readonly [field: string]: DayRange | undefined }
  readonly where?: { readonly [field: string]: string | number | boolean | null | undefined }
}

const NONE = any<never>()
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Builds the readers of a resource that return only records the actor may see. */
export const scopeOf = <S extends ResourceTypes>({ business, collection, spec, readFacts, find }: Resource<S>) => {
  type I = S['id']
  type R = S['record']
  type Actor = Scope<S['tenant'], I>
  const [ownField] = Object.entries(spec.filters ?? {}).flatMap(([field, kind]) => (kind === 'own' ? [field] : []))
  const asField = (field: string) => field as Field<R>
  const tenantOf = (actor: Actor): I => actor[business.tenant]
  // An actor with `own: null` or `own: undefined` sees nothing: only an absent `own` means no limit.
  const limitsOf = (actor: OwnLimit<I>): readonly (readonly [field: string, own: I | null])[] =>
    'own' in actor && ownField !== undefined ? [[ownField, actor.own ?? null]] : []
  const visible = (actor: OwnLimit<I>, record: R | null): R | null =>
    record && limitsOf(actor).every(([field, own]) => own !== null && record[field] === own) ? record : null
  const bounded = (field: string, { from, to }: DayRange = {}): readonly Where<Field<R>>[] => {
    const isInstant = Object.entries(spec.filters ?? {}).some(([each, kind]) => each === field && kind === 'instants')
    return [
      ...(from ? [gte(asField(field), isInstant ? startOfDay(from) : from)] : []),
      ...(to ? [lte(asField(field), isInstant ? endOfDay(to) : to)] : []),
    ]
  }
  const idOf = (text: string): I | null => {
    // Embedders may pass the number that `update` takes.
    const guid = `${text}`.toLowerCase()
    return (business.ids === 'integer' ? parseId(text) : GUID.test(guid) ? guid : null) as I | null
  }
  return {
    tenantOf,
    /** Returns the condition of a list. */
    where(actor: Actor, { search, where = {}, within = {} }: ResourceFilter): Where<Field<R>> {
      const limits = limitsOf(actor)
      // A filter by another's id and the limit to one's own are both applied, so the list is empty.
      const parts = Object.entries(where).flatMap(([field, value]) =>
        value === undefined ? [] : [eq(asField(field), value)],
      )
      const own = limits.map(([field, id]) => (id === null ? NONE : eq(asField(field), id)))
      // Without a tenant the condition matches no record, rather than those of all tenants.
      const ofTenant = eq(asField(business.tenant), tenantOf(actor) ?? null)
      return all(
        ofTenant,
        ...parts,
        ...own,
        ...Object.entries(within).flatMap(([field, range]) => bounded(field, range)),
        ...(search === undefined ? [] : [searchIn(asField('search'), search)]),
      )
    },
    /** Returns the record that a path names, or null if it is malformed, unknown or not visible to the actor. */
    async find(store: Store, actor: Actor, named: string, by: LookupBy = 'id'): Promise<R | null> {
      const id = by === 'code' ? null : idOf(named)
      if (id !== null) return visible(actor, await find(store, tenantOf(actor), id))
      if (by === 'id' || !business.coded) return null
      const record = await store.find(byKey(collection, 'code', named))
      return visible(actor, record && (await find(store, tenantOf(actor), record.id)))
    },
    /** Reads the facts of a decision. */
    async readFacts(store: Store, actor: Actor, id: I | null, input: Partial<Decoded<S['input']>>): Promise<Facts<R>> {
      const facts = await readFacts(store, tenantOf(actor), id, input)
      return { ...facts, record: visible(actor, facts.record) }
    },
  }
}
