import { failure, isLeft, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, list, nullable, output, view } from '../../kernel/input/mod.ts'
import { always, type Change, insert, newRecord, remove } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { NewPasskeyFacts } from '../../ports/passkeys.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { unchangedUser } from '../access/log-in.ts'
import { aliveSessions, INVALID_TOKEN, type Session } from '../access/session.ts'
import { findConfirmation, useConfirmation } from '../challenges/challenge.ts'
import { changeFactor, factorMail, factorOf } from '../challenges/factor.ts'
import {
  auditName,
  MAX_PASSKEYS,
  nameFields,
  passkeys,
  passkeysOf,
  passkeyView,
  type ShownPasskey,
  shownPasskey,
  UNKNOWN_PASSKEY,
} from '../challenges/passkey.ts'
import { auditUser, mailUser, type User, users } from '../members/user.ts'
import type { Actor, PaymentsPorts, Person } from '../payments-ports.ts'
import { drawRecoveryCodes, RECOVERY_CODES } from '../second-factor/code-proof.ts'
import { switchFactor } from '../second-factor/set-up.ts'
import { beginCeremony, ENDED_CEREMONY, endCeremony, findCeremony, handleOf, verifierOf } from './ceremony.ts'
import { ceremonyField, createdCredential, type PasskeyCreation } from './credential-json.ts'

type Caller = Pick<Person, 'userId' | 'sessionId' | 'origin'> & Pick<Actor, 'confirmation'>

export const beginRegistration =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>) =>
    useCase(
      ports,
      (store) => store.read({ user: byId(users, userId), known: passkeysOf(userId) }),
      ({ user, known: { records: known } }, fresh) => {
        const verifier = verifierOf(ports)
        if (isLeft(verifier)) return verifier
        if (!user) return left(INVALID_TOKEN)
        if (known.length >= MAX_PASSKEYS) return left(TOO_MANY)
        const { ceremony, change } = beginCeremony(fresh, 'register', `${userId}`)
        const { site, algorithms } = verifier.right
        const { name, email } = user
        const handle = handleOf(ports, userId)
        return accept<PasskeyCreation>({ ceremony, site, algorithms, handle, user: { name, email }, known }, change)
      },
    )

export const newPasskey = input('NewPasskey', { ...nameFields, ceremony: ceremonyField, credential: createdCredential })
export type NewPasskey = InputOf<typeof newPasskey>

/** A registered passkey and, with the first factor of a person, their recovery codes. */
export interface RegisteredPasskey {
  readonly passkey: ShownPasskey
  readonly recoveryCodes: readonly string[] | null
}

const TOO_MANY = failure('refused', 'passkey.limit')
const INVALID = failure('refused', 'passkey.invalid')
const TAKEN = failure('conflict', 'passkey.taken')

export const registerPasskey = (ports: PaymentsPorts) => (caller: Caller, submitted: NewPasskey) =>
  withValidInput(ports, newPasskey, submitted, (response) =>
    useCaseOf<RegisteredPasskey>()(async (hooks) => {
      const found = await verifyRegistration(ports, caller, response)
      if (isLeft(found)) return found
      return useCase(
        ports,
        (store) => readFacts(ports, store, caller, response),
        (facts, fresh) => decideRegistration(ports, facts, caller, response, found.right, fresh),
      )(hooks)
    }),
  )

type PasskeyRequest = DecodedOf<typeof newPasskey>

const verifyRegistration = async (
  ports: PaymentsPorts,
  caller: Caller,
  { ceremony: id, credential }: PasskeyRequest,
) => {
  const verifier = verifierOf(ports)
  if (isLeft(verifier)) return verifier
  const ceremony = await findCeremony(ports.store, id, subjectOf(caller), ports.clock.steady())
  if (!ceremony) return left(ENDED_CEREMONY)
  const { clientDataJson, attestationObject } = credential.response
  const registration = { id: credential.id, clientDataJson, attestationObject }
  const { challenge } = ceremony
  const facts = await verifier.right.verifyRegistration(registration, { challenge, requiresVerification: false })
  return facts ? right(facts) : left(INVALID)
}

const subjectOf = ({ userId }: Caller) => ({ kind: 'register', subject: `${userId}` }) as const

const readFacts = async (
  ports: Pick<PaymentsPorts, 'clock' | 'digest'>,
  store: Store,
  caller: Caller,
  { ceremony, credential }: PasskeyRequest,
) => ({
  ceremony: await findCeremony(store, ceremony, subjectOf(caller), ports.clock.steady()),
  ...(await store.read({
    ...findConfirmation(ports, caller),
    user: byId(users, caller.userId),
    factor: factorOf(caller.userId),
    taken: byKey(passkeys, 'credential', credential.id),
    alive: aliveSessions(caller.userId),
  })),
})

type Facts = Awaited<ReturnType<typeof readFacts>>

const decideRegistration = (
  ports: PaymentsPorts,
  { ceremony, confirmation, user, factor, taken, alive: { records: alive } }: Facts,
  caller: Caller,
  { name, credential }: PasskeyRequest,
  verified: NewPasskeyFacts,
  fresh: Fresh,
) => {
  if (!ceremony) return left(ENDED_CEREMONY)
  if (!user || user.removedAt !== null) return left(INVALID_TOKEN)
  const isFirst = user.secondFactorAt === null
  const confirmed = isFirst ? right(null) : useConfirmation(confirmation, user.id, fresh)
  if (isLeft(confirmed)) return confirmed
  if (taken) return left(TAKEN)
  const count = factor?.passkeys ?? 0
  if (count >= MAX_PASSKEYS) return left(TOO_MANY)
  const { publicKey, counter, device, isBackedUp } = verified
  const passkey = newRecord(passkeys, {
    id: fresh.uuid(),
    userId: user.id,
    credentialId: credential.id,
    ...{ publicKey, counter, name, device, isBackedUp },
    transports: [...credential.response.transports],
    createdAt: fresh.now,
  })
  const drawn = isFirst ? drawRecoveryCodes(ports.digest, user.id, fresh) : null
  const set = { passkeys: count + 1, ...(drawn && { recoveryDigests: drawn.digests }) }
  return accept<RegisteredPasskey>(
    { passkey: shownPasskey(passkey), recoveryCodes: drawn?.codes ?? null },
    endCeremony(ceremony),
    insert(passkeys, passkey),
    changeFactor(factor, user.id, set, fresh.now),
    ...(confirmed.right ? [confirmed.right] : []),
    ...(isFirst ? switchAndNotify(ports, user, true, { caller, alive }, fresh) : [unchangedUser(user)]),
    ...auditName(fresh, caller, 'passkey.added', { id: passkey.id, from: null, to: name }),
  )
}

/**
 * Puts the factor of a person in use by their first proof, or out of use without the last one besides recovery codes.
 * The other sessions of the person end, and the person is notified.
 */
const switchAndNotify = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  user: User,
  isOn: boolean,
  { caller: { sessionId, origin = null }, alive }: { readonly caller: Caller; readonly alive: readonly Session[] },
  fresh: Fresh,
): readonly Change[] => {
  const event = isOn ? 'enabled' : 'removed'
  return [
    ...switchFactor(user, { isOn, alive, sessionId }, fresh),
    mailUser(cipher, fresh, user, factorMail(user.name, event)),
    ...auditUser(fresh, { userId: user.id, origin }, user.id, `second-factor.${event}`),
  ]
}

export const removePasskey = (ports: PaymentsPorts) => (caller: Caller, id: string) =>
  useCase(
    ports,
    (store) =>
      store.read({
        ...findConfirmation(ports, caller),
        found: byId(passkeys, id),
        user: byId(users, caller.userId),
        factor: factorOf(caller.userId),
        alive: aliveSessions(caller.userId),
      }),
    ({ confirmation, found, user, factor, alive: { records: alive } }, fresh) => {
      if (found?.userId !== caller.userId) return left(UNKNOWN_PASSKEY)
      if (!user || !factor) return left(INVALID_TOKEN)
      const confirmed = useConfirmation(confirmation, user.id, fresh)
      if (isLeft(confirmed)) return confirmed
      const isLast = factor.passkeys === 1 && factor.totpSealed === null
      const set = { passkeys: factor.passkeys - 1, ...(isLast && { recoveryDigests: [] }) }
      return accept(
        null,
        remove(passkeys, id, always),
        changeFactor(factor, user.id, set, fresh.now),
        confirmed.right,
        ...(isLast ? switchAndNotify(ports, user, false, { caller, alive }, fresh) : [unchangedUser(user)]),
        ...auditName(fresh, caller, 'passkey.removed', { id, from: found.name, to: null }),
      )
    },
  )

export const registeredPasskeyView = view('RegisteredPasskey', {
  passkey: output.view(passkeyView, { about: 'A chave de acesso' }),
  recoveryCodes: nullable(
    list(output.text(), {
      max: RECOVERY_CODES,
      about: 'Os códigos de recuperação, mostrados uma vez; nulo se a pessoa já tinha um segundo fator',
    }),
  ),
})
