import { type Either, type Failure, isLeft, right } from '../../failure.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Store } from '../../ports/store.ts'
import type { Decoded, InputOf } from '../input/input.ts'
import { type Paging, paging } from '../input/query.ts'
import type { Change, Rec } from '../records/record.ts'
import { newestQuery, scanNewestFirst } from '../running/slices.ts'
import {
  accept,
  type DecisionResult,
  type Runtime,
  readUseCase,
  type UseCase,
  useCase,
  withValidInput,
} from '../running/use-case.ts'
import { type Listing, offsetOf, type Page } from '../values/page.ts'
import type { Facts, RecordDecision, RemoveCode, Resource, ResourceTypes } from './resource.ts'
import { type LookupBy, type ResourceFilter, type Scope, scopeOf } from './scope.ts'

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
        const of = { from: collection, where: scope.where(actor, filter), when: 'live' }
        const onePage =
          (requested: Page): UseCase<Listing<R>, never> =>
          async () => {
            const query = { ...newestQuery(of), limit: requested.perPage, offset: offsetOf(requested), total: true }
            const { records, total } = await store.list(query)
            return right({ ...requested, records, total: total ?? 0 })
          }
        return page === null ? whole<R>(every(store, of)) : withValidInput(ports, paging, page, onePage)
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
export const plainModule = <S extends PlainKind>(resource: Resource<S>) => ({
  collections: [resource.collection],
  useCases: plainUseCases(resource),
})

/** Accepts the decision of a resource with its record, or the value that `show` returns for it, and with further changes. */
export const acceptMade = <R, C extends string, J extends string, V = R>(
  made: Either<Failure<C, J>, RecordDecision<R>>,
  show: (record: R) => V = (record) => record as unknown as V,
  ...more: readonly Change[]
): DecisionResult<V, C, J> => (isLeft(made) ? made : accept<V>(show(made.right.record), ...more, ...made.right.changes))

const whole =
  <R>(all: AsyncIterable<R>): UseCase<Listing<R>, never> =>
  async () =>
    right({ all })

async function* every<R extends Rec & { readonly createdAt: string }>(
  store: Store,
  of: Parameters<typeof newestQuery<R>>[0],
): AsyncIterable<R> {
  for await (const slice of scanNewestFirst(store, of)) yield* slice
}

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
