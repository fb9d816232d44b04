import type { Account } from '../../../core/payments/accounts/account.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import type { NewOrganization } from '../../../core/payments/registrations/opening.ts'
import type { Environment } from '../environment/environment.ts'
import type { Process } from '../environment/process.ts'
import { anyone } from '../environment/process.ts'

export interface Person {
  readonly email: string
  readonly password: string
  /** Null while they were not told that they are registered. */
  userId: number | null
  token: string | null
  /** Documents of the organizations that they asked for. */
  readonly documents: string[]
}

/** An account that somebody knows they have. */
export interface Merchant {
  readonly accountId: number
  readonly userId: number
}

/** A charge that is asked for under an idempotency key, as often as it takes. */
export interface KeyedOrder {
  readonly key: string
  readonly over: 'http' | 'program'
  readonly merchant: Merchant
  readonly input: NewCharge
  readonly firstMs: number
  /** The answers that it got, each a charge. */
  readonly answers: string[]
  /** What it was last told: a failure's code, or its answer. */
  last: string | null
  /** How many ask for it now. */
  asking: number
  /** Whether it was still asked for when its key may have run out: it was another one then. */
  isOld: boolean
}

/** An organization that is asked for under an idempotency key. */
export interface KeyedOpening {
  readonly key: string
  readonly userId: number
  readonly input: NewOrganization
  readonly firstMs: number
  /** Our own id of the account, each time that it was told. */
  readonly answers: string[]
  last: string | null
}

/** No key is asked for again when it may have run out. */
export const KEY_LIFE_MS = 23 * 3_600_000

/** Whether all that was asked for under the key was one order. */
export const isOneKey = ({ firstMs, asking, isOld }: KeyedOrder, nowMs: number): boolean =>
  !isOld && (asking === 0 || nowMs - firstMs <= KEY_LIFE_MS)

/** A link that a merchant has made, as its payers have it. */
export interface SoldLink {
  readonly id: string
  readonly token: string | null
}

/** How the descriptions of charges begin that were asked for without a key: each by one request. */
export const ONE_REQUEST = 'avulso'

export interface Cast {
  /** Requests without a key. */
  requests: number
  readonly people: Person[]
  readonly merchants: Merchant[]
  readonly orders: KeyedOrder[]
  readonly openings: KeyedOpening[]
  readonly links: SoldLink[]
  /** Fees that each account ever had: in cents, and of a card in hundredths of a percent. */
  readonly fees: Map<number, Set<number>>
}

export const noCast = (): Cast => ({
  requests: 0,
  people: [],
  merchants: [],
  orders: [],
  openings: [],
  links: [],
  fees: new Map(),
})

/** Somebody does something over a process that lives; nothing where there is none. */
export type Act = (environment: Environment, cast: Cast, process: Process) => Promise<void>

export const over = async (environment: Environment, cast: Cast, act: Act): Promise<void> => {
  const process = anyone(environment)
  if (process) await act(environment, cast, process)
}

/** As `over`, but nobody waits for it: what goes wrong in it is noted. */
export const begin = (environment: Environment, cast: Cast, act: Act): void => {
  over(environment, cast, act).catch((error: unknown) => {
    environment.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  })
}

/** One of them, or null. */
export const some = <A>({ dice }: Pick<Environment, 'dice'>, list: readonly A[]): A | null =>
  list.length === 0 ? null : dice.pick(list)

export const knows = ({ merchants }: Cast, { id }: Pick<Account, 'id'>): boolean =>
  merchants.some(({ accountId }) => accountId === id)
