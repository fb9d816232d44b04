import { failure, invalid, isLeft, issue, left, refusal, right } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input, pick, rule } from '../../kernel/input/input.ts'
import { id, secret } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { check, eq, insert } from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  startOperation,
  unavailable,
  useCase,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf } from '../../office/guesses.ts'
import { byId } from '../../ports/store.ts'
import { openSession, passwordMark, type SignInResult, signInResult } from '../access/session.ts'
import { type Account, accountFields, accounts } from '../accounts/account.ts'
import { type AccountDetail, accountDetail, accountView } from '../accounts/views.ts'
import { bankByCode } from '../banks.ts'
import { memberView, type User, userFields, users } from '../members/user.ts'
import { ADMIN, type PaymentsPorts, roleView } from '../payments-ports.ts'
import { ACCOUNT_CALLS, claimOnlyAccount, isOnlyAccountTaken, NO_ACCOUNT, sendAccount } from './new-account.ts'
import { UNSET_FIELDS } from './register.ts'
import {
  type ClaimFacts,
  type Registration,
  readClaims,
  registrationFields,
  registrations,
  reserveClaims,
  type ShownRegistration,
  takenIssues,
} from './registration.ts'
import { beginReview, registrationReviews } from './review.ts'
import { accountTypeOf } from './views.ts'

export const fullApplicant = input(
  'FullApplicant',
  {
    ...pick(userFields, 'name', 'email'),
    document: accountFields.document,
    password: secret({ min: 5, about: 'Senha' }),
    phone: userFields.phone,
    accountType: nullIfAbsent(registrationFields.accountType),
    /** The bank's position in the list of banks; null for the bank of this installation. */
    bankId: nullIfAbsent(id({ about: 'Banco que abre a conta' })),
  },
  rule(['accountType', 'document'], ({ accountType, document }) =>
    accountType === null || accountType === accountTypeOf(document) ? [] : [issue('accountType', 'account-type')],
  ),
)

export type FullApplicant = InputOf<typeof fullApplicant>

/**
 * Creates a user, an account at the bank and its organization, ACTIVE, and signs the user in. If the bank does not
 * answer in time, the worker completes the registration, and the user signs in later with the chosen password.
 * Fails: `bank.unsupported` (the bank's only account is taken), `fields` (`account-type`, `email.taken`,
 * `document.taken`, `bank.other`), `bank.refused`, `bank.unavailable`, `credentials.wrong` (the password was replaced
 * meanwhile), `server.busy`.
 */
export const registerFull = (ports: PaymentsPorts) => (given: FullApplicant, origin: Origin) =>
  withValidInput(ports, fullApplicant, given, ({ password, accountType: _, ...applicant }) =>
    hashingUseCaseOf<SignedInOwner>()(async (hooks) => {
      // While the registration waits for the bank, only the hash is stored.
      const passwordHash = await ports.hasher.hash(password, origin)
      const begun = await startOperation(
        ports,
        (store) => readClaims(store, applicant),
        (facts, fresh) => decideFull(ports, facts, { ...applicant, origin, passwordHash }, fresh),
      )()
      if (isLeft(begun)) return begun
      const reviewed = await registrationReviews(ports).send(begun.right, sendAccount(ports))()
      const place = isLeft(reviewed) ? reviewed : reviewResult(reviewed.right)
      return isLeft(place) ? place : signInOwner(ports)({ ...place.right, passwordHash }, origin)(hooks)
    }),
  )

interface HashedPassword {
  readonly passwordHash: string
  readonly origin: Origin
}

/** Stores a registration that is under review from the start. */
const decideFull = (
  { bank, cipher }: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  facts: ClaimFacts,
  { bankId, ...applicant }: Omit<DecodedOf<typeof fullApplicant>, 'password' | 'accountType'> & HashedPassword,
  fresh: Fresh,
) => {
  const wrong = [
    ...takenIssues(facts, fresh),
    ...(bankId === null || bankId === bankByCode(bank.compe)?.id ? [] : [issue('bankId', 'bank.other')]),
  ]
  if (isOnlyAccountTaken(bank, facts.only)) return left(NO_ACCOUNT)
  if (wrong.length > 0) return left(invalid(wrong))
  const { now } = fresh
  const uuid = fresh.uuid()
  const begun: Registration = {
    ...UNSET_FIELDS,
    id: fresh.id(registrations),
    address: null,
    ...applicant,
    state: 'UNDER_REVIEW',
    uuid,
    codeId: '',
    codeHash: null,
    codeTriesLeft: 0,
    codeSentAt: fresh.steady,
    codeLength: null,
    operationId: uuid,
    createdAt: now,
    updatedAt: now,
  }
  const { started, change } = beginReview(cipher, begun, fresh)
  return accept(
    started,
    insert(registrations, begun),
    change,
    ...reserveClaims(begun, facts, fresh),
    ...claimOnlyAccount(bank, uuid),
  )
}

const reviewResult = ({ userId, accountId, state, reason }: ShownRegistration) => {
  if (userId !== null && accountId !== null) return right({ userId, accountId })
  if (state === 'REJECTED') return left(refusal('bank.refused', reason))
  return left(unavailable('bank.unavailable', ACCOUNT_CALLS.firstWaitSeconds))
}

/** A new user who is signed in to the new account as its ADMIN. */
export interface SignedInOwner {
  readonly signed: SignInResult
  readonly account: AccountDetail
}

interface NewOwner {
  readonly userId: number
  readonly accountId: number
  /** The hash of the chosen password. */
  readonly passwordHash: string
}

interface Facts {
  readonly user: User | null
  readonly account: Account | null
}

type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'settings' | 'tokens'>

/** Signs in the user of a new account. Fails: `credentials.wrong` (the password was replaced meanwhile). */
const signInOwner = (ports: PaymentsPorts) => (owner: NewOwner, origin: Origin) =>
  useCase(
    ports,
    (store) => store.read({ user: byId(users, owner.userId), account: byId(accounts, owner.accountId) }),
    (facts, fresh) => decideSignIn(ports, facts, owner, origin, fresh),
  )

const decideSignIn = (
  ports: Ports,
  { user, account }: Facts,
  { passwordHash }: NewOwner,
  origin: Origin,
  fresh: Fresh,
) => {
  if (!user || !account || user.passwordHash !== passwordHash) return left(failure('unauthorized', 'credentials.wrong'))
  const { session, change } = openSession(fresh, {
    userId: user.id,
    accountId: account.id,
    origin,
    passwordMark: passwordMark(ports, passwordHash),
  })
  const signed = signInResult(ports.tokens, session, user, ADMIN.id)
  return accept<SignedInOwner>(
    { signed, account: accountDetail(ports, account, ADMIN.permissions) },
    // A password reset ends every session: a simultaneous one must end this session too.
    check(users, user.id, eq('passwordHash', passwordHash)),
    change,
  )
}

export const signedInOwnerView = view(
  'Entered',
  {
    token: output.text({ about: 'Token de acesso' }),
    expiresInSeconds: output.count({ wire: 'time', about: 'Validade em segundos' }),
    account: output.view(accountView, { about: 'Conta' }),
    user: output.view(memberView, { about: 'Quem se cadastrou' }),
    roles: output.views(roleView, { about: 'Perfis na conta' }),
  },
  ({ signed, account }: SignedInOwner) => ({ ...signed, token: signed.accessToken, account, roles: [ADMIN] }),
)
