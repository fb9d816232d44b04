import { type Either, isLeft, right } from '../../failure.ts'
import { type DecodedOf, input, secret } from '../../kernel/input/mod.ts'
import type { Change } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { PasskeyFacts } from '../../ports/passkeys.ts'
import { byKey, type Store } from '../../ports/store.ts'
import { continuesCounter, type Passkey, passkeys, usePasskey } from '../challenges/passkey.ts'
import { auditUser } from '../members/user.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { type Ceremony, endCeremony, findCeremony, handleOf, verifierOf } from './ceremony.ts'
import { type AssertedCredential, assertedCredential, ceremonyField } from './credential-json.ts'

/** The fields of the response of an authenticator to a request. */
export const responseFields = { ceremony: ceremonyField, credential: assertedCredential }

const response = input(null, responseFields)

type Response = DecodedOf<typeof response>

/** The purpose of a ceremony: to prove a challenge, or to log in by a passkey alone. */
export type AssertionOf = Pick<Ceremony, 'kind' | 'subject'>

/** The open ceremony of a response and the passkey that it names, as stored. */
export interface AssertionRecords {
  readonly ceremony: Ceremony | null
  readonly passkey: Passkey | null
}

export const readAssertion = async (
  store: Store,
  { ceremony: id, credential }: Response,
  of: AssertionOf,
  now: Instant,
): Promise<AssertionRecords> => ({
  ceremony: await findCeremony(store, id, of, now),
  passkey: await store.find(byKey(passkeys, 'credential', credential.id)),
})

/** The facts of a response whose signature is right; null for any other response. */
export type Verified = PasskeyFacts | null

/**
 * Verifies the signature of a response, before the commit that uses it. The key of a passkey never changes, and a ceremony
 * is used once: the commit needs to read both again, but not to verify again.
 * Fails: `passkeys.off`.
 */
export const verifyResponse = async (
  ports: PaymentsPorts,
  response: Response,
  of: AssertionOf,
  { requiresVerification }: { readonly requiresVerification: boolean },
): Promise<Either<NoVerifier, Verified>> => {
  const verifier = verifierOf(ports)
  if (isLeft(verifier)) return verifier
  const { ceremony, passkey } = await readAssertion(ports.store, response, of, ports.clock.steady())
  if (!ceremony || !passkey || !isOwn(ports, response.credential, passkey)) return right(null)
  const { id, response: signed } = response.credential
  const { publicKey } = passkey
  const { challenge } = ceremony
  return right(await verifier.right.verifyAssertion({ id, ...signed }, { challenge, publicKey, requiresVerification }))
}

type NoVerifier = Extract<ReturnType<typeof verifierOf>, { readonly _tag: 'Left' }>['left']

/** Reports whether the authenticator names the person who registered the passkey, or none. */
const isOwn = (ports: PaymentsPorts, { response: { userHandle } }: AssertedCredential, { userId }: Passkey): boolean =>
  userHandle === null || userHandle === handleOf(ports, userId)

/** The passkey of a right response, null for a wrong one, and the changes that use up its ceremony. */
export interface Judged {
  readonly passkey: Passkey | null
  readonly changes: readonly Change[]
}

/**
 * Decides on a response. A right one must be of the open ceremony, and its counter must continue that of the last use: one
 * that does not is rejected and recorded in the audit of the passkey's person.
 */
export const judge = (
  { ceremony, passkey }: AssertionRecords,
  verified: Verified,
  origin: Origin | null,
  fresh: Fresh,
): Judged => {
  if (!ceremony) return { passkey: null, changes: [] }
  const used = endCeremony(ceremony)
  if (!passkey || !verified) return { passkey: null, changes: [used] }
  if (continuesCounter(passkey, verified.counter))
    return { passkey, changes: [used, usePasskey(passkey, verified, fresh)] }
  const { id, userId, counter } = passkey
  const by = { userId: null, origin }
  const changes = { [`passkeys.${id}.counter`]: { from: counter, to: verified.counter } }
  return { passkey: null, changes: [used, ...auditUser(fresh, by, userId, 'passkey.rejected', changes)] }
}

/** The code of a challenge, which only the caller knows who sent the password. */
export const challengeField = secret({ max: 64, about: 'O desafio que pede o segundo fator' })
