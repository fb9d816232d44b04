import { type Either, failure, left, right } from '../../failure.ts'
import {
  always,
  type Change,
  expiringCollection,
  insert,
  orNull,
  record,
  remove,
  t,
  word,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { PasskeyVerifier } from '../../ports/passkeys.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

const CEREMONY_KINDS = ['register', 'prove', 'log-in'] as const

const ceremony = record({
  id: t.string,
  kind: word(...CEREMONY_KINDS),
  /** The id of the user who registers, or of the challenge to prove; null at a log-in by a passkey alone. */
  subject: orNull(t.string),
  /** The random bytes to sign, in base64url. */
  challenge: t.string,
  createdAt: t.string,
  expiresAt: t.string,
})

/** A request to an authenticator, which one response answers within five minutes: it is removed when it is used. */
export type Ceremony = t.TypeOf<typeof ceremony>

export const ceremonies = expiringCollection('payments.passkey-ceremonies', ceremony)

export const CEREMONY_SECONDS = 300
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** 24 bytes; a multiple of 4 characters has one spelling only. */
const CHALLENGE_CHARS = 32

export interface BegunCeremony {
  readonly ceremony: Ceremony
  readonly change: Change
}

/** Returns a new ceremony and the change that stores it. */
export const beginCeremony = (fresh: Fresh, kind: Ceremony['kind'], subject: string | null): BegunCeremony => {
  const ceremony: Ceremony = {
    id: fresh.uuid(),
    kind,
    subject,
    challenge: fresh.text(BASE64URL, CHALLENGE_CHARS),
    createdAt: fresh.now,
    expiresAt: addSeconds(fresh.steady, CEREMONY_SECONDS),
  }
  return { ceremony, change: insert(ceremonies, ceremony) }
}

/** Returns the change that ends a ceremony. It is stale for all but the first of several responses. */
export const endCeremony = ({ id }: Pick<Ceremony, 'id'>): Change => remove(ceremonies, id, always)

/** Reads an open ceremony of a kind and subject; null if it is unknown, used, expired or of another subject. */
export const findCeremony = async (
  store: Store,
  id: string,
  of: Pick<Ceremony, 'kind' | 'subject'>,
  now: Instant,
): Promise<Ceremony | null> => {
  const found = await store.find(byId(ceremonies, id))
  const isOpen = found?.kind === of.kind && found.subject === of.subject && found.expiresAt > now
  return isOpen ? found : null
}

/** The failure for every ceremony that accepts no response: unknown, expired, used before, or of another person. */
export const ENDED_CEREMONY = failure('gone', 'passkey.expired')

/** Fails: `passkeys.off`. */
export const verifierOf = ({ passkeys }: Pick<PaymentsPorts, 'passkeys'>): Either<typeof OFF, PasskeyVerifier> =>
  passkeys ? right(passkeys) : left(OFF)

const OFF = failure('refused', 'passkeys.off')

/** Returns the id by which authenticators know a person. It does not reveal the id of the user. */
export const handleOf = ({ cipher }: Pick<PaymentsPorts, 'cipher'>, userId: number): string =>
  cipher
    .digest(`${userId}`, 'payments.passkeys|user')
    .replace(/[+/]/g, (sign) => (sign === '+' ? '-' : '_'))
    .replace(/=+$/, '')
