import type { Failure } from '../../failure.ts'
import { type Either, isLeft, right } from '../../fp.ts'
import type { Store } from '../../ports/store.ts'
import type { GivenFor } from '../input/input.ts'
import { type Paging, paging } from '../input/query.ts'
import type { Decoded } from '../input/table.ts'
import type { Rec } from '../records/collection.ts'
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
import type { Listing } from '../values/page.ts'
import { offsetOf, type Page } from '../values/page.ts'
import type { Facts } from './facts.ts'
import type { Kind, Made, Resource, Unremovable } from './resource.ts'
import { type NamedBy, type ResourceFilter, type Scope, scopeOf } from './scope.ts'

interface PlainKind extends Kind {
  readonly record: Rec & { readonly createdAt: string }
}

/** The use cases of a resource that does nothing but be kept: a module takes them as they are. */
export const plainUseCases =
  <S extends PlainKind>(resource: Resource<S>) =>
  (ports: Runtime) => {
    type I = S['id']
    type R = S['record']
    type Actor = Scope<S['tenant'], I>
    const { collection, created, changed } = resource
    const { store } = ports
    const scope = scopeOf(resource)
    const change = (actor: Actor, id: I, sent: Partial<Decoded<S['given']>>) =>
      useCase(
        ports,
        (at) => scope.read(at, actor, id, sent),
        (facts, fresh) => kept(resource.update(facts, sent, fresh)),
      )
    return {
      /** Makes one. Fails: `fields` (`unknown` for what points at nothing), `<one>.<field>.taken`. */
      create: (actor: Actor, given: GivenFor<typeof created>) =>
        withValidInput(ports, created, given, (sent) =>
          useCase(
            ports,
            (at) => scope.read(at, actor, null, sent),
            (facts, fresh) => kept(resource.create(facts, scope.tenantOf(actor), sent, fresh)),
          ),
        ),
      /** The tenant's, the newest first: a page, or with null all of them. Fails: `fields`. */
      list: (actor: Actor, page: Paging | null, filter: ResourceFilter = {}) => {
        const of = { from: collection, where: scope.where(actor, filter), when: 'live' }
        const onePage =
          (wanted: Page): UseCase<Listing<R>, never> =>
          async () => {
            const asked = { ...newestQuery(of), limit: wanted.perPage, offset: offsetOf(wanted), total: true }
            const { records, total } = await store.list(asked)
            return right({ ...wanted, records, total: total ?? 0 })
          }
        return page === null ? whole<R>(every(store, of)) : withValidInput(ports, paging, page, onePage)
      },
      /** One of the tenant's, by its id as a text, or by its code. Fails: `<one>.unknown` (what is no name of one too). */
      read: (actor: Actor, named: string, by: NamedBy = 'id'): UseCase<R, `${S['one']}.unknown`> =>
        readUseCase(`${resource.spec.one}.unknown` as const, () => scope.find(store, actor, named, by)),
      /** Changes one: what is left out stays. Fails: `fields`, `<one>.unknown`, `<one>.<field>.taken`. */
      update: (actor: Actor, id: I, given: GivenFor<typeof changed>) =>
        withValidInput(ports, changed, given, (sent) => change(actor, id, sent)),
      /**
       * Changes one: what is left out is as in one that is made.
       * Fails: `fields`, `<one>.unknown`, `<one>.<field>.taken`.
       */
      replace: (actor: Actor, id: I, given: GivenFor<typeof created>) =>
        withValidInput(ports, created, given, (sent) => change(actor, id, sent)),
      /** Removes one. Fails: `<one>.unknown`, `<one>.in-use`. */
      remove: (actor: Actor, id: I) =>
        useCase<Facts<R>, null, Unremovable<S['one'], S['blockedBy']>>(
          ports,
          (at) => scope.read(at, actor, id, {}),
          (facts, fresh) => {
            const made = resource.remove(facts, fresh)
            return isLeft(made) ? made : accept(null, ...made.right.changes)
          },
        ),
    }
  }

/** What was made of a record, as the decision of a use case that does nothing else. */
const kept = <R, C extends string, J extends string>(made: Either<Failure<C, J>, Made<R>>): DecisionResult<R, C, J> =>
  isLeft(made) ? made : accept<R>(made.right.record, ...made.right.changes)

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
