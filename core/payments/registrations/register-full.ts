import { invalid, issue, refusal } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/codec.ts'
import { id } from '../../kernel/input/fields/numbers.ts'
import { secret } from '../../kernel/input/fields/texts.ts'
import { type Checked, type GivenFor, input } from '../../kernel/input/input.ts'
import { rule } from '../../kernel/input/rules.ts'
import { pick } from '../../kernel/input/table.ts'
import { insert } from '../../kernel/records/change.ts'
import { checked } from '../../kernel/running/checked.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { decided, startOperation, unavailable, useCaseOf } from '../../kernel/running/use-case.ts'
import { type Instant, plusSeconds, secondsBetween } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit/audited.ts'
import { accountFields } from '../accounts/account-fields.ts'
import { bankByCode } from '../banks.ts'
import { userFields } from '../members/user-fields.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { UNBEGUN } from './begin-registration.ts'
import { type Entered, enterAccount } from './enter-account.ts'
import { OPENING_LEASE_SECONDS } from './opening/opening.ts'
import {
  type ClaimFacts,
  type Registration,
  readClaims,
  registrations,
  reserveAll,
  type ShownRegistration,
  takenIssues,
} from './registration.ts'
import { registrationFields } from './registration-fields.ts'
import { accountTypeOf } from './registration-view.ts'
import { reviewRegistration } from './review-registration.ts'

/** Who asks for everything at once. Source: 01-access.md, POST /access/register-full. */
export const fullApplicant = input(
  'FullApplicant',
  {
    ...pick(userFields, 'name', 'email'),
    document: accountFields.document,
    password: secret({ min: 5, about: 'Senha' }),
    phone: userFields.phone,
    accountType: nullIfAbsent(registrationFields.accountType),
    /** By its place in the list of banks; null for the one that opens our accounts. */
    bankId: nullIfAbsent(id({ about: 'Banco que abre a conta' })),
  },
  rule(['accountType', 'document'], ({ accountType, document }) =>
    accountType === null || accountType === accountTypeOf(document) ? [] : [issue('accountType', 'account-type')],
  ),
)

export type FullApplicant = GivenFor<typeof fullApplicant>

/**
 * Makes a user, an account at the bank and its organization, ACTIVE, and signs the user in there. What the bank does not
 * answer in time the worker finishes: the user then signs in with the password that was chosen.
 * Fails: `fields` (`account-type`, `email.taken`, `document.taken`, `bank.other`), `bank.refused`, `bank.unavailable`,
 * `credentials.wrong` (the password was replaced meanwhile).
 * Source: 01-access.md, POST /access/register-full; decisions.md §1.
 */
export const registerFull = (ports: PaymentsPorts) => (given: FullApplicant, origin: Origin) =>
  checked(ports, fullApplicant, given, ({ password, accountType: _, ...applicant }) =>
    useCaseOf<Entered>()(async (hooks) => {
      // What waits for the bank is no password that anybody could read.
      const passwordHash = await ports.hasher.hash(password)
      const begun = await startOperation(
        ports,
        (store) => readClaims(store, applicant),
        (facts, fresh) => decideFull(ports, facts, { ...applicant, origin, passwordHash }, fresh),
      )()
      if (isLeft(begun)) return begun
      const reviewed = await reviewRegistration(ports)(Number(begun.right))()
      const place = isLeft(reviewed) ? reviewed : placeOf(reviewed.right, ports.clock.now())
      return isLeft(place) ? place : enterAccount(ports)({ ...place.right, passwordHash }, origin)(hooks)
    }),
  )

interface Hashed {
  readonly passwordHash: string
  readonly origin: Origin
}

/** A registration that is under review from the first; value: its id. */
export const decideFull = (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  facts: ClaimFacts,
  { bankId, ...applicant }: Omit<Checked<typeof fullApplicant>, 'password' | 'accountType'> & Hashed,
  fresh: Fresh,
) => {
  const wrong = [
    ...takenIssues(facts),
    ...(bankId === null || bankId === bankByCode(bank.compe)?.id ? [] : [issue('bankId', 'bank.other')]),
  ]
  if (wrong.length > 0) return left(invalid(wrong))
  const { now } = fresh
  const begun: Registration = {
    ...UNBEGUN,
    id: fresh.id(registrations),
    address: null,
    ...applicant,
    state: 'UNDER_REVIEW',
    uuid: fresh.uuid(),
    codeId: '',
    codeHash: null,
    codeTriesLeft: 0,
    codeSentAt: now,
    codeLength: null,
    dueAt: plusSeconds(now, OPENING_LEASE_SECONDS),
    createdAt: now,
    updatedAt: now,
  }
  return decided(`${begun.id}`, insert(registrations, begun), ...reserveAll(begun))
}

/** What the review came to, for whoever waits for it. */
const placeOf = ({ userId, accountId, state, reason, dueAt }: ShownRegistration, now: Instant) => {
  if (userId !== null && accountId !== null) return right({ userId, accountId })
  if (state === 'REJECTED') return left(refusal('bank.refused', reason))
  const retryAfterSeconds = dueAt === null ? 1 : Math.max(1, secondsBetween(now, dueAt))
  return left(unavailable('bank.unavailable', retryAfterSeconds))
}
