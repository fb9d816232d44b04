import type { CodesOf, Failure, IssueCode, IssueCodesOf } from '../../failure.ts'
import { type Either, left, right } from '../../fp.ts'
import type { Id } from '../../kernel/records/collection.ts'
import { tracedUseCase } from '../../kernel/running/tracing.ts'
import { type KEY_CONFLICT, type KeyHooks, type UseCase, unavailable } from '../../kernel/running/use-case.ts'
import { StoreUnavailable } from '../../ports/store.ts'
import { type Keepable, keptValue } from './kept-value.ts'
import { type KeyClaim, type KeyCode, type KeyFailure, type KeyPorts, type Keys, keysOf } from './keys.ts'

/** Under which key something is done once. */
export interface IdempotencyKey {
  /** 1 to 255 characters that the caller chose for the request: the number of an order, a UUID; never that of a card. */
  readonly key: string
}

/** A use case that can be called under a key: `pay.charges.issue(actor, input)({ key: 'order-17' })`. */
export interface KeyedUseCase<V, C extends string = string, I extends string = IssueCode<C>> {
  /**
   * Does once what is asked twice: for a day (86,400 seconds), the same key and input give the first value again. After a failure
   * the key is free. What a call began at a bank and did not live to finish is carried on by the next one, after 120 seconds.
   * A key is known within its member of the facade and its actor's account, or the actor alone where they act in none, or
   * the record whose token they have; whoever asks there gets the same value.
   *
   * Fails: `key.malformed`, `key.reused` (with another input), `key.running` (the first is not done yet), and as the use case does.
   *
   * Source: decisions.md §2.
   */
  (once: IdempotencyKey): Promise<Either<Failure<Exclude<C, typeof KEY_CONFLICT> | KeyCode, I>, V>>
  /** Does it each time that it is asked. */
  (): Promise<Either<Failure<C, I>, V>>
  /** The same; `hooks` are for whoever keeps keys of their own, as a server does. */
  (hooks?: KeyHooks<V>): Promise<Either<Failure<C, I>, V>>
}

/** Whoever acts on a record because they have its token: nobody who signed in. */
interface Bearer {
  readonly id: Id
  readonly token: string | null
}

/** Whose keys they are: a tenant's (`accountId`, as the business names it), else a person's, else a bearer's. */
type KeyOwner<T extends string> = { readonly [tenant in T]: Id } | { readonly userId: Id } | Bearer

/** What a module does, by name: each member gives a task of a failure or a value. */
export type Members = Readonly<Record<string, (...given: never[]) => UseCase<unknown>>>

/** What whoever asks for anything can be told. */
type Away = 'store.unavailable'

/**
 * A member that writes for somebody, and whose value can be kept, takes a key: what commits nothing needs none, and where
 * nobody is known (somebody registers) there is nobody whose key it could be.
 */
export type FacadeMember<M, T extends string = 'accountId'> = M extends (...given: infer A) => UseCase<infer V>
  ? readonly [typeof KEY_CONFLICT, A, V] extends readonly [
      CodesOf<M>,
      readonly [KeyOwner<T>, ...unknown[]],
      Keepable<V>,
    ]
    ? (...given: A) => KeyedUseCase<V, CodesOf<M> | Away, IssueCodesOf<M>>
    : (...given: A) => UseCase<V, CodesOf<M> | Away, IssueCodesOf<M>>
  : never

/** The members of a facade, module by module: each fails where the store is away, and those that write take keys. */
export type Facade<F, T extends string = 'accountId'> = {
  readonly [Module in keyof F]: { readonly [Name in keyof F[Module]]: FacadeMember<F[Module][Name], T> }
}

/**
 * Makes a facade of use cases: a store that cannot be reached is a failure of each, and those that write take keys.
 * `business` is where a member's name is unique, and `tenant` the field that says for whom an actor acts. None of their keys is ever one of an app: the scope of a key over HTTP has
 * two parts, theirs has three.
 */
export const facadeOf = <F extends Readonly<Record<keyof F, Members>>, const T extends string = 'accountId'>(
  business: string,
  ports: KeyPorts,
  facade: F,
  tenant: T = 'accountId' as T,
): Facade<F, T> => {
  const keys = keysOf(ports, keptValue)
  return eachOf(facade, (members: Members, module) =>
    eachOf(members, (member: Member, name) =>
      tracedMember(ports, `${module}.${name}`, facadeMember(keys, [business, `${module}.${name}`], tenant, member)),
    ),
  ) as Facade<F, T>
}

type Member = (...given: readonly unknown[]) => UseCase<unknown>

const tracedMember = ({ tracer }: KeyPorts, name: string, member: Member): Member =>
  tracer ? (...given) => tracedUseCase(tracer, name, member(...given)) : member

const eachOf = <A, B>(record: object, change: (value: A, name: string) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

const facadeMember =
  (keys: Keys<unknown>, scope: readonly string[], tenant: string, member: Member): Member =>
  (...given) => {
    const made = member(...given)
    const [actor, ...input] = given
    return (asked?: KeyHooks<unknown> | IdempotencyKey) =>
      unlessAway(() =>
        isKey(asked) ? once(keys, keys.claim([...scope, ownerOf(tenant, actor)], asked.key, input), made) : made(asked),
      )
  }

const isKey = (asked: KeyHooks<unknown> | IdempotencyKey | undefined): asked is IdempotencyKey =>
  asked !== undefined && 'key' in asked

/** Null where nobody is named whose key it could be: the compiler lets nobody ask so. */
const ownerOf = (tenant: string, actor: unknown): string | null => {
  const { [tenant]: own, userId, id, token }: Readonly<Record<string, unknown>> = Object(actor)
  if (isId(own)) return `${tenant.replace(/Id$/, '')} ${own}`
  if (isId(userId)) return `user ${userId}`
  return isId(id) && token !== undefined ? `bearer ${JSON.stringify([id, token])}` : null
}

const isId = (value: unknown): value is Id => typeof value === 'number' || (typeof value === 'string' && value !== '')

const asItIs = (value: unknown) => value

/** Runs the first call of a key, and tells every other one what came of it. */
const once = async (
  keys: Keys<unknown>,
  claim: KeyClaim | KeyFailure,
  useCase: UseCase<unknown>,
): Promise<Either<Failure, unknown>> => {
  if ('tag' in claim) return left(claim)
  const state = await keys.stateOf(claim)
  if (state.is === 'done') return right(state.kept)
  if (state.is === 'refused') return left(state.failure)
  if (state.is === 'running') return left(keys.running)
  if (state.is === 'abandoned') return keys.resume(claim, state, useCase, asItIs)
  return keys.first(claim, state.expired, useCase, asItIs)
}

/** What came of it, or that the store is away. */
const unlessAway = async (ask: () => ReturnType<UseCase<unknown>>): ReturnType<UseCase<unknown>> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StoreUnavailable) return left(unavailable('store.unavailable'))
    throw error
  }
}
