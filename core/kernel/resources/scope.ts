import { byKey, type Store } from '../../ports/store.ts'
import type { DayRange } from '../input/query.ts'
import type { Decoded } from '../input/table.ts'
import type { Field, Id } from '../records/collection.ts'
import { all, any, eq, gte, lte, type Where } from '../records/where.ts'
import { endOfDay, startOfDay } from '../values/day.ts'
import { recordId } from '../values/text.ts'
import type { Facts } from './facts.ts'
import type { Kind, Resource } from './resource.ts'
import { searchIn } from './searching.ts'

/** Who asks: for which tenant, and as whom where they may see only what is their own. */
export type Scope<T extends string, I extends Id> = { readonly [tenant in T]: I } & Limited<I>

export interface Limited<I extends Id> {
  /** By which id their own records name them: null where none does. Left out where they see all of the tenant's. */
  readonly own?: I | null | undefined
}

/** What a path says of a record. A code has a letter in it, and is taken for no id. */
export type NamedBy = 'id' | 'code' | 'either'

/** What a list of a resource is narrowed by: values of its filters, ranges of São Paulo days, and a text to look for. */
export interface ResourceFilter {
  readonly search?: string
  readonly within?: { readonly [field: string]: DayRange | undefined }
  readonly where?: { readonly [field: string]: string | number | boolean | null | undefined }
}

const NONE = any<never>()
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Which records of a resource somebody may see. */
export const scopeOf = <S extends Kind>({ business, collection, spec, read, find }: Resource<S>) => {
  type I = S['id']
  type R = S['record']
  type Actor = Scope<S['tenant'], I>
  const [ownField] = Object.entries(spec.filters ?? {}).flatMap(([field, kind]) => (kind === 'own' ? [field] : []))
  const asField = (field: string) => field as Field<R>
  const tenantOf = (actor: Actor): I => actor[business.tenant]
  // Who is limited to their own and has no id sees nothing: only who names no limit sees all.
  const limitsOf = (actor: Limited<I>): readonly (readonly [field: string, own: I | null])[] =>
    'own' in actor && ownField !== undefined ? [[ownField, actor.own ?? null]] : []
  const seen = (actor: Limited<I>, record: R | null): R | null =>
    record && limitsOf(actor).every(([field, own]) => own !== null && record[field] === own) ? record : null
  const bounded = (field: string, { from, to }: DayRange = {}): readonly Where<Field<R>>[] => {
    const isInstant = Object.entries(spec.filters ?? {}).some(([each, kind]) => each === field && kind === 'instants')
    return [
      ...(from ? [gte(asField(field), isInstant ? startOfDay(from) : from)] : []),
      ...(to ? [lte(asField(field), isInstant ? endOfDay(to) : to)] : []),
    ]
  }
  const idOf = (text: string): I | null => {
    // A program may have given the number that `update` takes.
    const guid = `${text}`.toLowerCase()
    return (business.ids === 'integer' ? recordId(text) : GUID.test(guid) ? guid : null) as I | null
  }
  return {
    tenantOf,
    /** What an actor's list looks through. */
    where(actor: Actor, { search, where = {}, within = {} }: ResourceFilter): Where<Field<R>> {
      const limits = limitsOf(actor)
      // Of another's whoever sees only their own gets none, and not their own in the place of these.
      const parts = Object.entries(where).flatMap(([field, value]) =>
        value === undefined ? [] : [eq(asField(field), value)],
      )
      const own = limits.map(([field, id]) => (id === null ? NONE : eq(asField(field), id)))
      // An actor who names no tenant sees nobody's records, not everybody's.
      const ofTenant = eq(asField(business.tenant), tenantOf(actor) ?? null)
      return all(
        ofTenant,
        ...parts,
        ...own,
        ...Object.entries(within).flatMap(([field, range]) => bounded(field, range)),
        ...(search === undefined ? [] : [searchIn(asField('search'), search)]),
      )
    },
    /** The record that a path names; null for what is no name of one, and for what they may not see. */
    async find(store: Store, actor: Actor, named: string, by: NamedBy = 'id'): Promise<R | null> {
      const id = by === 'code' ? null : idOf(named)
      if (id !== null) return seen(actor, await find(store, tenantOf(actor), id))
      if (by === 'id' || !business.coded) return null
      const record = await store.find(byKey(collection, 'code', named))
      return seen(actor, record && (await find(store, tenantOf(actor), record.id)))
    },
    /** What a decision about it looks at. */
    async read(store: Store, actor: Actor, id: I | null, given: Partial<Decoded<S['given']>>): Promise<Facts<R>> {
      const facts = await read(store, tenantOf(actor), id, given)
      return { ...facts, record: seen(actor, facts.record) }
    },
  }
}
