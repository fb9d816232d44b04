import { type CodesOf, type Either, type Failure, type IssueCode, type IssueCodesOf, left, right } from '../failure.ts'
import type { Id } from '../kernel/records/record.ts'
import { tracedUseCase } from '../kernel/running/tracing.ts'
import { type KEY_CONFLICT, type KeyHooks, type UseCase, unavailable } from '../kernel/running/use-case.ts'
import { StoreUnavailable } from '../ports/store.ts'
import {
  type KeyClaim,
  type KeyCode,
  type KeyFailure,
  type KeyPorts,
  type Keys,
  keysOf,
  type ReplyCodec,
} from './idempotency-keys.ts'

/** The idempotency key of a call. */
export interface IdempotencyKey {
  /** 1 to 255 characters that the caller chose for the request: the number of an order, a UUID. */
  readonly key: string
}

/** A use case that accepts an idempotency key: `pay.charges.issue(actor, input)({ key: 'order-17' })`. */
export interface KeyedUseCase<V, C extends string = string, I extends string = IssueCode<C>> {
  /**
   * Runs the use case once per key: for a day (86,400 seconds), a call with the same key and input returns the first
   * value. After a failure the key is free. If a call started a bank operation and did not finish, the next call after
   * 120 seconds resumes it.
   *
   * The scope of a key is the member of the facade and the actor's account; for an actor without an account the user,
   * or the record whose token the actor has. All callers in one scope get the same value.
   *
   * Fails: `key.malformed`, `key.reused` (with another input), `key.running` (the first call is not done), and as the
   * use case does.
   */
  (once: IdempotencyKey): Promise<Either<Failure<Exclude<C, typeof KEY_CONFLICT> | KeyCode, I>, V>>
  /** Runs the use case on every call. */
  (): Promise<Either<Failure<C, I>, V>>
  /** Runs it on every call, with the hooks of a caller that stores keys of its own, as a server does. */
  (hooks?: KeyHooks<V>): Promise<Either<Failure<C, I>, V>>
}

/** An actor without a login, who has the token of a record. */
interface TokenBearer {
  readonly id: Id
  readonly token: string | null
}

/** An actor with a scope for keys: a tenant (`accountId`, or the field of the business), else a user, else a token. */
type KeyOwner<T extends string> = { readonly [tenant in T]: Id } | { readonly userId: Id } | TokenBearer

/** The use cases of a module, by name. */
export type Members = Readonly<Record<string, (...args: never[]) => UseCase<unknown>>>

type StoreFailure = 'store.unavailable'

/**
 * A member of a facade. It accepts an idempotency key if it commits, if its first parameter is an actor with a scope
 * for keys, and if its value can be stored as JSON.
 */
export type FacadeMember<M, T extends string = 'accountId'> = M extends (...args: infer A) => UseCase<infer V>
  ? readonly [typeof KEY_CONFLICT, A, V] extends readonly [
      CodesOf<M>,
      readonly [KeyOwner<T>, ...unknown[]],
      JsonValue<V>,
    ]
    ? (...args: A) => KeyedUseCase<V, CodesOf<M> | StoreFailure, IssueCodesOf<M>>
    : (...args: A) => UseCase<V, CodesOf<M> | StoreFailure, IssueCodesOf<M>>
  : never

/** The members of a facade, by module. Each fails with `store.unavailable` if the store cannot be reached. */
export type Facade<F, T extends string = 'accountId'> = {
  readonly [Module in keyof F]: { readonly [Name in keyof F[Module]]: FacadeMember<F[Module][Name], T> }
}

/**
 * Builds a facade of use cases. `tenant` is the field of an actor with its tenant. The scope of a member's keys has
 * three parts, beginning with `business`; the scope of an HTTP key has two, so that the keys of both never collide.
 */
export const facadeOf = <F extends Readonly<Record<keyof F, Members>>, const T extends string = 'accountId'>(
  business: string,
  ports: KeyPorts,
  facade: F,
  tenant: T = 'accountId' as T,
): Facade<F, T> => {
  const keys = keysOf(ports, valueCodec)
  return mapEntries(facade, (members: Members, module) =>
    mapEntries(members, (member: Member, name) =>
      tracedMember(ports, `${module}.${name}`, facadeMember(keys, [business, `${module}.${name}`], tenant, member)),
    ),
  ) as Facade<F, T>
}

type Member = (...args: readonly unknown[]) => UseCase<unknown>

const mapEntries = <A, B>(record: object, change: (value: A, name: string) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

const tracedMember = ({ tracer }: KeyPorts, name: string, member: Member): Member =>
  tracer ? (...args) => tracedUseCase(tracer, name, member(...args)) : member

const facadeMember =
  (keys: Keys<unknown>, scope: readonly string[], tenant: string, member: Member): Member =>
  (...args) => {
    const useCase = member(...args)
    const [actor, ...input] = args
    return (option?: KeyHooks<unknown> | IdempotencyKey) =>
      catchUnavailable(() => {
        if (!isKey(option)) return useCase(option)
        return runOnce(keys, keys.claim([...scope, keyOwner(tenant, actor)], option.key, input), useCase)
      })
  }

const isKey = (option: KeyHooks<unknown> | IdempotencyKey | undefined): option is IdempotencyKey =>
  option !== undefined && 'key' in option

/** Returns the owner of an actor's keys; null for an actor without a scope, for whom the types offer no key. */
const keyOwner = (tenant: string, actor: unknown): string | null => {
  const { [tenant]: own, userId, id, token }: Readonly<Record<string, unknown>> = Object(actor)
  if (isId(own)) return `${tenant.replace(/Id$/, '')} ${own}`
  if (isId(userId)) return `user ${userId}`
  return isId(id) && token !== undefined ? `bearer ${JSON.stringify([id, token])}` : null
}

const isId = (value: unknown): value is Id => typeof value === 'number' || (typeof value === 'string' && value !== '')

const identity = (value: unknown) => value

/** Runs the first call with a key, or resumes its operation, and replays the value to later calls. */
const runOnce = async (
  keys: Keys<unknown>,
  claim: KeyClaim | KeyFailure,
  useCase: UseCase<unknown>,
): Promise<Either<Failure, unknown>> => {
  if ('tag' in claim) return left(claim)
  const state = await keys.stateOf(claim)
  if (state.is === 'done') return right(state.reply)
  if (state.is === 'refused') return left(state.failure)
  if (state.is === 'running') return left(keys.running)
  if (state.is === 'abandoned') return keys.resume(claim, state, useCase, identity)
  return keys.first(claim, state.expired, useCase, identity)
}

/** Returns the failure `store.unavailable` if a use case rejects because the store cannot be reached. */
const catchUnavailable = async (run: () => ReturnType<UseCase<unknown>>): ReturnType<UseCase<unknown>> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StoreUnavailable) return left(unavailable('store.unavailable'))
    throw error
  }
}

/**
 * Maps a type to itself if JSON preserves its values, else to `never`: no undefined, bytes or functions at any depth.
 */
export type JsonValue<V> = V extends string | number | boolean | null
  ? V
  : V extends (...args: never[]) => unknown
    ? never
    : V extends object
      ? { readonly [K in keyof V]: JsonValue<V[K]> }
      : never

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))

const isJsonValue = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (Array.isArray(value)) return value.every(isJsonValue)
  return isPlainObject(value) && Object.values(value).every(isJsonValue)
}

/**
 * Stores the value of an embedder's call as JSON. A value that JSON would change throws, so that nothing is committed;
 * the types offer no key where a value may be one.
 */
export const valueCodec: ReplyCodec<unknown> = {
  write(value) {
    if (!isJsonValue(value)) throw new TypeError('the value of a call with an idempotency key must be plain JSON')
    return { status: null, type: null, text: JSON.stringify(value), headers: null }
  },
  read: ({ text }) => JSON.parse(text),
}
