import { type Either, type Failure, isLeft, right } from '../../failure.ts'
import { MAX_PAGE } from '../../limits.ts'
import { byKey, type Listing, listPage, type Page, type Store } from '../../ports/store.ts'
import type { Decoded, InputOf } from '../input/input.ts'
import { type DayRange, type Paging, paging } from '../input/query.ts'
import { all, any, type Change, eq, type Field, type Id, type Rec, type Where } from '../records/record.ts'
import { newestFirst } from '../running/slices.ts'
import {
  accept,
  type DecisionResult,
  type Runtime,
  readUseCase,
  type UseCase,
  useCase,
  withValidInput,
} from '../running/use-case.ts'
import { parseId } from '../values/text.ts'
import { type Facts, inRange, onDaysOf, searchIn } from './queries.ts'
import type { RecordDecision, RemoveCode, Resource, ResourceTypes } from './resource.ts'

interface PlainKind extends ResourceTypes {
  readonly record: Rec & { readonly createdAt: string }
}

/** Builds the standard use cases of a resource: create, list, read, update, replace, remove. */
export const plainUseCases =
  <S extends PlainKind>(resource: Resource<S>) =>
  (ports: Runtime) => {
    type I = S['id']
    type R = S['record']
    type Actor = Scope<S['tenant'], I>
    const { collection, createInput, updateInput } = resource
    const { store } = ports
    const scope = scopeOf(resource)
    const save = (actor: Actor, id: I, sent: Partial<Decoded<S['input']>>) =>
      useCase(
        ports,
        (at) => scope.readFacts(at, actor, id, sent),
        (facts, fresh) => acceptMade(resource.update(facts, sent, fresh)),
      )
    return {
      /** Creates a record. Fails: `fields` (`unknown` for a reference to no record), `<one>.<field>.taken`. */
      create: (actor: Actor, input: InputOf<typeof createInput>) =>
        withValidInput(ports, createInput, input, (sent) =>
          useCase(
            ports,
            (at) => scope.readFacts(at, actor, null, sent),
            (facts, fresh) => acceptMade(resource.create(facts, scope.tenantOf(actor), sent, fresh)),
          ),
        ),
      /** Lists the records of the tenant, newest first: a page, or all if `page` is null. Fails: `fields`. */
      list: (actor: Actor, page: Paging | null, filter: ResourceFilter = {}) => {
        const of = { where: scope.where(actor, filter), when: 'live' }
        const onePage =
          (requested: Page): UseCase<Listing<R>, never> =>
          async () =>
            right(await listPage(store, collection, requested, { ...of, sort: { by: 'createdAt', dir: 'desc' } }))
        if (page !== null) return withValidInput(ports, paging, page, onePage)
        return whole<R>(newestFirst(store, { from: collection, ...of }))
      },
      /** Reads a record by its id as a text, or by its code. Fails: `<one>.unknown`, also for a malformed id. */
      read: (actor: Actor, named: string, by: LookupBy = 'id'): UseCase<R, `${S['one']}.unknown`> =>
        readUseCase(`${resource.spec.one}.unknown` as const, () => scope.find(store, actor, named, by)),
      /** Updates a record: absent fields keep their values. Fails: `fields`, `<one>.unknown`, `<one>.<field>.taken`. */
      update: (actor: Actor, id: I, input: InputOf<typeof updateInput>) =>
        withValidInput(ports, updateInput, input, (sent) => save(actor, id, sent)),
      /**
       * Replaces a record: absent fields get their defaults. Fails: `fields`, `<one>.unknown`, `<one>.<field>.taken`.
       */
      replace: (actor: Actor, id: I, input: InputOf<typeof createInput>) =>
        withValidInput(ports, createInput, input, (sent) => save(actor, id, sent)),
      /** Removes a record. Fails: `<one>.unknown`, `<one>.in-use`. */
      remove: (actor: Actor, id: I) =>
        useCase<Facts<R>, null, RemoveCode<S['one'], S['blockedBy']>>(
          ports,
          (at) => scope.readFacts(at, actor, id, {}),
          (facts, fresh) => {
            const made = resource.remove(facts, fresh)
            return isLeft(made) ? made : accept(null, ...made.right.changes)
          },
        ),
    }
  }

/** Returns the module of a plain resource: its collection and its standard use cases. */
export const plainModule = <S extends PlainKind>(
  resource: Resource<S>,
  // Spelled out by the compiler, the type would not compile in the package.
): Record<'collections', readonly Resource<S>['collection'][]> &
  Record<'useCases', ReturnType<typeof plainUseCases<S>>> => ({
  collections: [resource.collection],
  useCases: plainUseCases(resource),
})

/**
 * Accepts the decision of a resource with its record, or the value that `show` returns for it, and with further
 * changes.
 */
export const acceptMade = <R, C extends string, J extends string, V = R>(
  made: Either<Failure<C, J>, RecordDecision<R>>,
  show: (record: R) => V = (record) => record as never,
  ...more: readonly Change[]
): DecisionResult<V, C, J> => (isLeft(made) ? made : accept<V>(show(made.right.record), ...more, ...made.right.changes))

const whole =
  <R>(all: AsyncIterable<R>): UseCase<Listing<R>, never> =>
  async () =>
    right({ all })

/** Reads the details of many records at once, and returns them in the order of the records. */
type ReadDetails<R, D> = (records: readonly R[]) => Promise<readonly D[]>

/** Returns the list of a use case with the details of each record. */
export const listWithDetails =
  <R, D, C extends string, I extends string>(
    list: UseCase<Listing<R>, C, I>,
    details: ReadDetails<R, D>,
  ): UseCase<Listing<D>, C, I> =>
  async () => {
    const outcome = await list()
    if (isLeft(outcome)) return outcome
    const listed = outcome.right
    if ('all' in listed) return right({ all: detailsOf(listed.all, details) })
    return right({ ...listed, records: await details(listed.records) })
  }

async function* detailsOf<R, D>(all: AsyncIterable<R>, details: ReadDetails<R, D>): AsyncIterable<D> {
  let slice: R[] = []
  for await (const record of all) {
    slice.push(record)
    if (slice.length < MAX_PAGE) continue
    yield* await details(slice)
    slice = []
  }
  yield* await details(slice)
}

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
  const bounded = (field: string, range: DayRange = {}): readonly Where<Field<R>>[] => {
    const isInstant = Object.entries(spec.filters ?? {}).some(([each, kind]) => each === field && kind === 'instants')
    return isInstant ? onDaysOf(asField(field), range) : inRange(asField(field), range)
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
