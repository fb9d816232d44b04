import type { Account } from '../../../core/payments/accounts/account.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import type { NewOrganization } from '../../../core/payments/registrations/opening.ts'
import type { Environment } from '../environment/environment.ts'
import { anyone, type Process } from '../environment/process.ts'

export interface Person {
  readonly email: string
  readonly password: string
  /** Null until the registration is answered. */
  userId: number | null
  token: string | null
  /** Documents of the organizations that this person requested. */
  readonly documents: string[]
}

/** An account whose opening is known to its owner. */
export interface Merchant {
  readonly accountId: number
  readonly userId: number
}

/** A charge requested under an idempotency key, repeated until it is answered. */
export interface KeyedOrder {
  readonly key: string
  readonly over: 'http' | 'program'
  readonly merchant: Merchant
  readonly input: NewCharge
  readonly firstMs: number
  /** The answers received, each a charge. */
  readonly answers: string[]
  /** The last answer: a failure's code, or the charge. */
  last: string | null
  /** The number of requests in flight. */
  asking: number
  /** Set if a request was in flight when the key may have expired: that request may have made another charge. */
  isOld: boolean
}

/** An organization requested under an idempotency key. */
export interface KeyedOpening {
  readonly key: string
  readonly userId: number
  readonly input: NewOrganization
  readonly firstMs: number
  /** The UUID of the account, once for each answer. */
  readonly answers: string[]
  last: string | null
}

/** A key is not repeated after this time: it may have expired. */
export const KEY_LIFE_MS = 23 * 3_600_000

/** Reports whether all requests under the key were one order. */
export const isOneKey = ({ firstMs, asking, isOld }: KeyedOrder, nowMs: number): boolean =>
  !isOld && (asking === 0 || nowMs - firstMs <= KEY_LIFE_MS)

/** A payment link as its payers know it. */
export interface SoldLink {
  readonly id: string
  readonly token: string | null
}

/** The prefix of the descriptions of charges that were requested without a key. */
export const ONE_REQUEST = 'avulso'

export const noCast = () => ({
  /** The number of requests without a key. */
  requests: 0,
  people: [] as Person[],
  merchants: [] as Merchant[],
  orders: [] as KeyedOrder[],
  openings: [] as KeyedOpening[],
  links: [] as SoldLink[],
  /** All fees that each account has had: in cents, and for cards in hundredths of a percent. */
  fees: new Map<number, Set<number>>(),
})

export type Cast = ReturnType<typeof noCast>

/** An action of an actor, through one running process. */
export type Act = (environment: Environment, cast: Cast, process: Process) => Promise<void>

/** Runs the act through a running process, if any. */
export const over = async (environment: Environment, cast: Cast, act: Act): Promise<void> => {
  const process = anyone(environment)
  if (process) await act(environment, cast, process)
}

/** Starts an act without waiting for it; an exception is noted as broken. */
export const begin = (environment: Environment, cast: Cast, act: Act): void => {
  over(environment, cast, act).catch((error: unknown) => {
    environment.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  })
}

/** Picks an element, or null from an empty list. */
export const some = <A>({ dice }: Pick<Environment, 'dice'>, list: readonly A[]): A | null =>
  list.length === 0 ? null : dice.pick(list)

/** Returns the act of some merchant, which is none while there are no merchants. */
export const ofMerchant =
  (act: (merchant: Merchant, ...at: Parameters<Act>) => Promise<void>): Act =>
  async (environment, cast, process) => {
    const merchant = some(environment, cast.merchants)
    if (merchant) await act(merchant, environment, cast, process)
  }

export const knows = ({ merchants }: Cast, { id }: Pick<Account, 'id'>): boolean =>
  merchants.some(({ accountId }) => accountId === id)
