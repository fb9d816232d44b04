import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, pick } from '../../kernel/input/mod.ts'
import { all, eq, gt, insert, not, patch, remove } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import {
  accept,
  countingUseCase,
  decideAndCommit,
  type Fresh,
  orThrow,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { CODE_SECONDS, resendFailure, WRONG_CODE } from '../access/code.ts'
import {
  type CodeTries,
  codeTryCounts,
  drawCode,
  LETTERS,
  type MailedCode,
  type RightCode,
  readCounted,
  TRIES_AT_CODE,
  tryCode,
  uncountRightCode,
} from '../access/code-tries.ts'
import { queueMail } from '../office.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { codeMail } from './mails.ts'
import { isOnlyAccountTaken, NO_ACCOUNT } from './new-account.ts'
import {
  type ClaimFacts,
  claimIssues,
  codeField,
  findRegistration,
  NO_REGISTRATION,
  newRegistration,
  pairFields,
  type Registration,
  type RegistrationPair,
  readClaims,
  registrationFields,
  registrationPair,
  registrations,
  releaseClaims,
  reserveClaims,
  type ShownRegistration,
  shownRegistration,
} from './registration.ts'

export const applicant = input('Applicant', pick(registrationFields, 'name', 'email', 'address', 'document'))
export type Applicant = InputOf<typeof applicant>

export const beginRegistration =
  (ports: PaymentsPorts) =>
  (submitted: Applicant, origin: Origin | null = null) =>
    withValidInput(ports, applicant, submitted, (request) =>
      useCase(
        ports,
        (store) => readClaims(store, request),
        (facts, fresh) => decideRegistration(ports, facts, { ...request, origin }, fresh),
      ),
    )

export const decideRegistration = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  facts: ClaimFacts,
  request: DecodedOf<typeof applicant> & Pick<Registration, 'origin'>,
  fresh: Fresh,
) => {
  // The length is neither that of a CPF nor that of a CNPJ.
  if (taxIdKind(request.document) === null) return left(failure('refused', 'document.kind'))
  if (isOnlyAccountTaken(bank, facts.only)) return left(NO_ACCOUNT)
  const taken = claimIssues(facts, fresh)
  if (taken.length > 0) return left(invalid(taken))
  const { typed, fields } = newCode(cipher, fresh, null)
  const dueAt = addSeconds(fresh.steady, CONFIRMATION_SECONDS)
  const created = newRegistration(fresh, { ...request, ...fields, state: 'PENDING_EMAIL', dueAt })
  return accept(
    shownRegistration(created),
    insert(registrations, created),
    ...reserveClaims(created, facts, fresh),
    queueMail(cipher, fresh, { to: created.email, ...codeMail(created.name, typed) }),
  )
}

export const resendCodes = (ports: PaymentsPorts) => (submitted: RegistrationPair) =>
  withValidInput(ports, registrationPair, submitted, (pair) =>
    useCase(
      ports,
      async (store) => ({
        found: await findRegistration(store, pair),
        tries: await store.find(byId(codeTryCounts, registrationTriesId(pair.registrationId))),
      }),
      (facts, fresh) => decideResend(ports, facts, fresh),
    ),
  )

export const decideResend = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  { found, tries }: { readonly found: Registration | null; readonly tries: CodeTries | null },
  fresh: Fresh,
) => {
  if (!found) return left(NO_REGISTRATION)
  if (found.state !== 'PENDING_EMAIL') return left(invalid([issue('registrationId', 'registration.confirmed')]))
  const refused = resendFailure(found.codeSentAt, fresh.steady)
  if (refused) return left(refused)
  const { typed, fields } = newCode(cipher, fresh, tries)
  const set = { ...fields, updatedAt: fresh.now }
  return accept(
    shownRegistration({ ...found, ...set }),
    patch(registrations, found.id, { set, when: awaitsCode(found.codeId) }),
    queueMail(cipher, fresh, { to: found.email, ...codeMail(found.name, typed) }),
  )
}

export const confirmation = input('RegistrationConfirmation', { ...pairFields, code: codeField })
export type RegistrationConfirmation = InputOf<typeof confirmation>

export const confirmRegistration = (ports: PaymentsPorts) => {
  // Tries at one code run in sequence: their counts would conflict.
  const inSequence = serialByName()
  return (submitted: RegistrationConfirmation, origin: Origin | null = null) =>
    withValidInput(ports, confirmation, submitted, ({ code: typed, ...pair }) =>
      useCaseOf<ShownRegistration>()((hooks) =>
        inSequence(`${pair.registrationId}`, async () => {
          const find = async (store: Store) => {
            const found = await findRegistration(store, pair)
            return found ? right(mailedCodeOf(found)) : left(NO_REGISTRATION)
          }
          const subject = registrationTriesId(pair.registrationId)
          const tried = await tryCode(ports, find, { subject, typed, short: LETTERS, origin, wrong: WRONG_CODE })
          if (isLeft(tried)) return tried
          return countingUseCase(
            ports,
            async (store) => ({
              found: await findRegistration(store, pair),
              counts: await readCounted(store, tried.right),
            }),
            (facts, fresh) => decideConfirmation(facts, tried.right, fresh),
          )(hooks)
        }),
      ),
    )
}

const decideConfirmation = (
  { found, counts }: { readonly found: Registration | null; readonly counts: readonly (CodeTries | null)[] },
  tried: RightCode,
  { now, steady }: Fresh,
) => {
  if (!found) return left(NO_REGISTRATION)
  if (mailedCodeOf(found)?.codeId !== tried.codeId) return left(WRONG_CODE)
  const set = {
    state: 'PENDING_DOCUMENTS',
    codeHash: null,
    confirmedAt: now,
    dueAt: addSeconds(steady, IMAGES_SECONDS),
    updatedAt: now,
  } as const
  return accept(
    right(shownRegistration({ ...found, ...set })),
    patch(registrations, found.id, { set, when: awaitsCode(tried.codeId) }),
    ...uncountRightCode(tried, counts, steady),
  )
}

const registrationTriesId = (registrationId: number): string => `registration|${registrationId}`

/** Draws a code, with the fields of a registration that store it. */
const newCode = (cipher: Cipher, fresh: Fresh, tries: CodeTries | null) => {
  const { typed, codeId, hash, length } = drawCode(cipher, fresh, tries, LETTERS)
  const fields = { codeId, codeHash: hash, codeTriesLeft: TRIES_AT_CODE, codeSentAt: fresh.steady, codeLength: length }
  return { typed, fields }
}

/** Returns the code that a registration accepts; null once confirmed. */
const mailedCodeOf = (found: Registration): MailedCode | null => {
  const { id, codeId, codeHash: hash, codeTriesLeft: triesLeft, codeSentAt, codeLength, state } = found
  if (state !== 'PENDING_EMAIL' || hash === null) return null
  const takeTry = patch(registrations, id, {
    add: { codeTriesLeft: -1 },
    when: all(awaitsCode(codeId), not(eq('codeHash', null)), gt('codeTriesLeft', 0)),
  })
  const expiresAt = addSeconds(codeSentAt, CODE_SECONDS)
  return { codeId, hash, length: codeLength ?? LETTERS.length, triesLeft, expiresAt, takeTry }
}

/** The guard that the registration is still unconfirmed and this is its newest code. */
const awaitsCode = (codeId: string) => all(eq('codeId', codeId), eq('state', 'PENDING_EMAIL'))

/** The time to confirm the e-mail, which a new code does not extend. */
const CONFIRMATION_SECONDS = 24 * 3_600
/** The time to send the images after that. */
const IMAGES_SECONDS = 30 * 24 * 3_600

/** The queue that removes abandoned registrations, which would otherwise block their document and e-mail for ever. */
export const registrationQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: registrations,
    leaseSeconds: 60,
    atOnce: 4,
    handle: async (claimed) => {
      const read = (store: Store) => store.find(byId(registrations, claimed.id))
      orThrow(await decideAndCommit(ports, read, (found) => decideExpiry(found, claimed)))
    },
  })

export const decideExpiry = (found: Registration | null, claimed: Pick<Registration, 'dueAt'>) => {
  const awaitsApplicant = found?.state === 'PENDING_EMAIL' || found?.state === 'PENDING_DOCUMENTS'
  // The applicant continued in the meantime.
  if (!awaitsApplicant || found.dueAt !== claimed.dueAt) return accept(null)
  return accept(null, remove(registrations, found.id, leaseGuard(claimed)), ...releaseClaims(found))
}
