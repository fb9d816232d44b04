import { failure, invalid, isLeft, issue, left, right, throttled } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, pick } from '../../kernel/input/input.ts'
import { all, type Change, eq, gt, insert, not, patch, remove } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import {
  accept,
  countingUseCase,
  type Fresh,
  orThrow,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import type { Origin } from '../../office/audit.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { CODE_SECONDS, RESEND_SECONDS, WRONG_CODE } from '../access/code.ts'
import { drawCode, LETTERS, LONG } from '../access/code-format.ts'
import {
  type CodeTries,
  codeHash,
  codeTryCounts,
  isLimitReached,
  type MailedCode,
  type RightCode,
  readCounted,
  TRIES_AT_CODE,
  TRIES_BEFORE_LONG_CODES,
  tryCode,
  uncountRightCode,
} from '../access/code-tries.ts'
import { queueMail } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { codeMail } from './mails.ts'
import { isOnlyAccountTaken, NO_ACCOUNT } from './new-account.ts'
import {
  type ClaimFacts,
  codeField,
  findRegistration,
  NO_REGISTRATION,
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
  takenIssues,
} from './registration.ts'

export const applicant = input('Applicant', pick(registrationFields, 'name', 'email', 'address', 'document'))

export type Applicant = InputOf<typeof applicant>

/** The length is neither that of a CPF nor that of a CNPJ. */
const WRONG_LENGTH = failure('refused', 'document.kind')

/** The fields that are empty in a new registration. */
export const UNSET_FIELDS = {
  origin: null,
  phone: null,
  passwordHash: null,
  confirmedAt: null,
  image1Id: null,
  image2Id: null,
  reason: null,
  accountId: null,
  userId: null,
  dueAt: null,
  attempts: 0,
  operationId: null,
} as const satisfies Partial<Registration>

/**
 * Begins a registration and mails a code that confirms the e-mail.
 * Fails: `document.kind`, `bank.unsupported` (the bank's only account is taken), `fields` (`email.taken`,
 * `document.taken`).
 */
export const beginRegistration =
  (ports: PaymentsPorts) =>
  (given: Applicant, origin: Origin | null = null) =>
    withValidInput(ports, applicant, given, (request) =>
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
  if (taxIdKind(request.document) === null) return left(WRONG_LENGTH)
  if (isOnlyAccountTaken(bank, facts.only)) return left(NO_ACCOUNT)
  const taken = takenIssues(facts, fresh)
  if (taken.length > 0) return left(invalid(taken))
  const { letters, fields } = newCode(cipher, fresh, null)
  const begun: Registration = {
    id: fresh.id(registrations),
    ...UNSET_FIELDS,
    ...request,
    ...fields,
    state: 'PENDING_EMAIL',
    uuid: fresh.uuid(),
    dueAt: confirmationDeadline(fresh.steady),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  }
  return accept(
    shownRegistration(begun),
    insert(registrations, begun),
    ...reserveClaims(begun, facts, fresh),
    queueMail(cipher, fresh, { to: begun.email, ...codeMail(begun.name, letters) }),
  )
}

interface ResendFacts {
  readonly found: Registration | null
  /** The wrong tries at its codes. */
  readonly tries: CodeTries | null
}

/**
 * Mails a new code, which replaces the last one, at the earliest after two minutes.
 * Fails: `fields` (`registration.confirmed`), `registration.unknown`, `code.soon`.
 */
export const resendCodes = (ports: PaymentsPorts) => (given: RegistrationPair) =>
  withValidInput(ports, registrationPair, given, (pair) =>
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
  { found, tries }: ResendFacts,
  fresh: Fresh,
) => {
  if (!found) return left(NO_REGISTRATION)
  if (found.state !== 'PENDING_EMAIL') return left(invalid([issue('registrationId', 'registration.confirmed')]))
  const retryAfterSeconds = secondsToNextCode(found, fresh.steady)
  if (retryAfterSeconds > 0) return left(throttled('code.soon', retryAfterSeconds))
  const { letters, fields } = newCode(cipher, fresh, tries)
  const set = { ...fields, updatedAt: fresh.now }
  return accept(
    shownRegistration({ ...found, ...set }),
    patch(registrations, found.id, { set, when: awaitsCode(found.codeId) }),
    queueMail(cipher, fresh, { to: found.email, ...codeMail(found.name, letters) }),
  )
}

export const confirmation = input('RegistrationConfirmation', { ...pairFields, code: codeField })

export type RegistrationConfirmation = InputOf<typeof confirmation>

interface ConfirmationFacts {
  readonly found: Registration | null
  readonly counts: readonly (CodeTries | null)[]
}

/**
 * Confirms the e-mail of a registration by the mailed code.
 * Fails: `fields`, `registration.unknown`, `code.invalid` (also if already confirmed), `code.throttled`.
 */
export const confirmRegistration = (ports: PaymentsPorts) => {
  // Tries at one code run one by one, because their counts would contend.
  const line = serialByName()
  return (given: RegistrationConfirmation, origin: Origin | null = null) =>
    withValidInput(ports, confirmation, given, ({ code: typed, ...pair }) =>
      useCaseOf<ShownRegistration>()((hooks) =>
        line(`${pair.registrationId}`, async () => {
          const tried = await tryCode(ports, (store) => findMailedCode(store, pair), {
            subject: registrationTriesId(pair.registrationId),
            typed,
            short: LETTERS,
            origin,
            wrong: WRONG_CODE,
          })
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

const findMailedCode = async (store: Store, pair: DecodedOf<typeof registrationPair>) => {
  const found = await findRegistration(store, pair)
  return found ? right(mailedCodeOf(found)) : left(NO_REGISTRATION)
}

const decideConfirmation = ({ found, counts }: ConfirmationFacts, tried: RightCode, { now, steady }: Fresh) => {
  if (!found) return left(NO_REGISTRATION)
  if (mailedCodeOf(found)?.codeId !== tried.codeId) return left(WRONG_CODE)
  const set = {
    state: 'PENDING_DOCUMENTS',
    codeHash: null,
    confirmedAt: now,
    dueAt: imagesDeadline(steady),
    updatedAt: now,
  } as const
  return accept(
    right(shownRegistration({ ...found, ...set })),
    patch(registrations, found.id, { set, when: awaitsCode(tried.codeId) }),
    ...uncountRightCode(tried, counts, steady),
  )
}

type CodeFields = Pick<Registration, 'codeId' | 'codeHash' | 'codeTriesLeft' | 'codeSentAt' | 'codeLength'>

interface NewCode {
  readonly letters: string
  readonly fields: CodeFields
}

/** The id of the counter of wrong tries at the codes of a registration. */
const registrationTriesId = (registrationId: number): string => `registration|${registrationId}`

/** Draws a code of 4 letters, or a long one after too many wrong tries, and the fields that store its hash. */
const newCode = (cipher: Cipher, fresh: Fresh, tries: CodeTries | null): NewCode => {
  const format = isLimitReached(tries, TRIES_BEFORE_LONG_CODES, fresh.steady) ? LONG : LETTERS
  const letters = drawCode(fresh, format)
  const codeId = fresh.uuid()
  const fields = {
    codeId,
    codeHash: codeHash(cipher, codeId, letters),
    codeTriesLeft: TRIES_AT_CODE,
    codeSentAt: fresh.steady,
    codeLength: format.length,
  }
  return { letters, fields }
}

/** Returns the seconds until another code may be requested; 0 if now. */
const secondsToNextCode = ({ codeSentAt }: Pick<Registration, 'codeSentAt'>, now: Instant): number =>
  Math.max(0, secondsBetween(now, addSeconds(codeSentAt, RESEND_SECONDS)))

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
const awaitsCode = (codeId: string) =>
  all(eq<keyof Registration & string>('codeId', codeId), eq('state', 'PENDING_EMAIL'))

/** The time to confirm the e-mail, which a new code does not extend. */
const CONFIRMATION_SECONDS = 24 * 3_600
/** The time to send the images after that. */
const IMAGES_SECONDS = 30 * 24 * 3_600

const confirmationDeadline = (now: Instant): Instant => addSeconds(now, CONFIRMATION_SECONDS)
const imagesDeadline = (now: Instant): Instant => addSeconds(now, IMAGES_SECONDS)

/** Removes an abandoned registration, which would otherwise hold its document and e-mail for ever. */
const expireRegistration = (ports: PaymentsPorts) => (claimed: Registration) =>
  useCase(
    ports,
    (store) => store.find(byId(registrations, claimed.id)),
    (found) => decideExpiry(found, claimed),
  )

export const decideExpiry = (found: Registration | null, claimed: Pick<Registration, 'dueAt'>) => {
  // The applicant continued in the meantime.
  if (!found || found.dueAt !== claimed.dueAt || !awaitsApplicant(found)) return accept(null)
  const changes: readonly Change[] = [remove(registrations, found.id, leaseGuard(claimed)), ...releaseClaims(found)]
  return accept(null, ...changes)
}

const awaitsApplicant = ({ state }: Pick<Registration, 'state'>): boolean =>
  state === 'PENDING_EMAIL' || state === 'PENDING_DOCUMENTS'

const AT_ONCE = 4
const LEASE_SECONDS = 60

/** The queue that removes abandoned registrations. */
export const registrationQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: registrations,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (claimed) => {
      orThrow(await expireRegistration(ports)(claimed)())
    },
  })
