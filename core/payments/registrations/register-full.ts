import { invalid, isLeft, issue, left, refusal, right } from '../../failure.ts'
import {
  type DecodedOf,
  type InputOf,
  id,
  input,
  nullIfAbsent,
  output,
  pick,
  rule,
  secret,
  view,
} from '../../kernel/input/mod.ts'
import { check, eq, insert } from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  startOperation,
  unavailable,
  useCase,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../office/throttle.ts'
import { byId } from '../../ports/store.ts'
import { WRONG_CREDENTIALS } from '../access/log-in.ts'
import { type SignInResult, signIn } from '../access/session.ts'
import { accountFields, accounts } from '../accounts/account.ts'
import { type AccountDetail, accountDetail, accountView } from '../accounts/views.ts'
import { bankByCode } from '../banks.ts'
import { memberView, userFields, users } from '../members/user.ts'
import { ADMIN, type Origin, type PaymentsPorts, roleView } from '../payments-ports.ts'
import { ACCOUNT_CALLS, claimOnlyAccount, isOnlyAccountTaken, NO_ACCOUNT, sendAccount } from './new-account.ts'
import {
  accountTypeOf,
  type ClaimFacts,
  claimIssues,
  newRegistration,
  type Registration,
  readClaims,
  registrationFields,
  registrations,
  reserveClaims,
  type ShownRegistration,
} from './registration.ts'
import { beginReview, registrationReviews } from './review.ts'

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

/** If the bank does not answer in time, the worker completes the registration, and the user signs in later. */
export const registerFull = (ports: PaymentsPorts) => (submitted: FullApplicant, origin: Origin) =>
  withValidInput(ports, fullApplicant, submitted, ({ password, accountType: _, ...applicant }) =>
    hashingUseCaseOf<SignedInOwner>()(async (hooks) => {
      // While the registration waits for the bank, only the hash is stored.
      const passwordHash = await ports.hasher.hash(password, origin)
      const started = await startOperation(
        ports,
        (store) => readClaims(store, applicant),
        (facts, fresh) => decideFull(ports, facts, { ...applicant, origin, passwordHash }, fresh),
      )()
      if (isLeft(started)) return started
      const reviewed = await registrationReviews(ports).send(started.right, sendAccount(ports))()
      const owner = isLeft(reviewed) ? reviewed : reviewResult(reviewed.right)
      if (isLeft(owner)) return owner
      const { userId, accountId } = owner.right
      return useCase(
        ports,
        (store) => store.read({ user: byId(users, userId), account: byId(accounts, accountId) }),
        ({ user, account }, fresh) => {
          if (!user || !account || user.passwordHash !== passwordHash) return left(WRONG_CREDENTIALS)
          const member = { accountId, roleId: ADMIN.id }
          const { result, change } = signIn(ports, fresh, user, origin, { member })
          return accept<SignedInOwner>(
            { signed: result, account: accountDetail(ports, account, ADMIN) },
            // A password reset ends every session: a simultaneous one must end this session too.
            check(users, userId, eq('passwordHash', passwordHash)),
            change,
          )
        },
      )(hooks)
    }),
  )

/** Stores a registration that is under review from the start. */
const decideFull = (
  { bank, cipher }: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  facts: ClaimFacts,
  request: Omit<DecodedOf<typeof fullApplicant>, 'password' | 'accountType'> &
    Pick<Registration, 'passwordHash' | 'origin'>,
  fresh: Fresh,
) => {
  const { bankId, ...applicant } = request
  const wrong = [
    ...claimIssues(facts, fresh),
    ...(bankId === null || bankId === bankByCode(bank.compe)?.id ? [] : [issue('bankId', 'bank.other')]),
  ]
  if (isOnlyAccountTaken(bank, facts.only)) return left(NO_ACCOUNT)
  if (wrong.length > 0) return left(invalid(wrong))
  const created = newRegistration(fresh, { ...applicant, state: 'UNDER_REVIEW' })
  const { started, change } = beginReview(cipher, created, fresh)
  return accept(
    started,
    insert(registrations, { ...created, operationId: created.uuid }),
    change,
    ...reserveClaims(created, facts, fresh),
    ...claimOnlyAccount(bank, created.uuid),
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
