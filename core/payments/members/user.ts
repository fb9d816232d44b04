import { failure, issue } from '../../failure.ts'
import {
  alphanumeric,
  email,
  id,
  line,
  nullIfAbsent,
  oneOf,
  pick,
  secret,
  storedTypes,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import { type Change, type Collection, newRecord, orNull, record, t } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import type { FieldChanges } from '../../office/audit-changes.ts'
import { type EmailTemplate, listAbout } from '../../office/mail.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type List, type Store } from '../../ports/store.ts'
import { type Claim, type ClaimKind, claimId, claims } from '../claim.ts'
import { type AuditActor, type AuditedAction, mails, type QueuedMail, queueMail, recordAudit } from '../office.ts'

/** A document of legacy routes, which do not verify check digits. */
export const legacyDocument = alphanumeric({ max: 20, about: 'CPF ou CNPJ, guardado sem pontuação' })

/** The fields of a user. */
export const userFields = {
  id: id({ about: 'Identificador' }),
  name: line({ max: 255, about: 'Nome' }),
  email: email({ max: 255, about: 'E-mail, em minúsculas' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
  document: nullIfAbsent(legacyDocument),
  emailVerifiedAt: nullIfAbsent(timestamp({ about: 'Quando o e-mail foi verificado' })),
}

/** A new password and its confirmation. */
export const passwordFields = {
  password: secret({ min: 8, about: 'Senha' }),
  passwordConfirmation: secret({ about: 'A senha, outra vez' }),
}

/** The minimum length of a replaced password in legacy routes. */
export const MIN_NEXT_PASSWORD = 6

/** The passwords of legacy routes. */
export const legacyPasswords = {
  /** Of a user that another user creates. */
  first: secret({ min: 5, about: 'Senha' }),
  /** Replaces a password, or sets the first one. */
  next: secret({ min: MIN_NEXT_PASSWORD, about: 'Senha nova' }),
}

const user = record({
  // The e-mail is unique by its claim, together with registrations. v1 users have no document.
  ...storedTypes(userFields),
  /** Null for API users, who do not sign in by password. */
  passwordHash: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
  /** The time at which the last membership was removed, which releases e-mail and document. */
  removedAt: orNull(t.string),
  /** The time at which an applicant took over the document; null while the user holds it. */
  documentPassedAt: orNull(t.string),
  /** The time of the last change of the second factor; null without one. Sessions and devices of before are void. */
  secondFactorAt: orNull(t.string),
})

/** A user of any generation of the API. */
export type User = t.TypeOf<typeof user>

/** A user without the password hash. */
export type ShownUser = Omit<User, 'passwordHash'>

export const shownUser = ({ passwordHash: _, ...shown }: User): ShownUser => shown

export const UNKNOWN_USER = failure('not-found', 'user.unknown')

export const users: Collection<User> = { name: 'payments.users', ids: 'integer', codec: user, owner: null }

/** Builds a new user, whose e-mail is unverified by default. */
export const newUser = (
  fresh: Fresh,
  fields: Pick<User, 'name' | 'email' | 'phone' | 'document' | 'passwordHash'> & Partial<Pick<User, 'emailVerifiedAt'>>,
): User => newRecord(users, { id: fresh.id(users), ...fields, createdAt: fresh.now, updatedAt: fresh.now })

/** Returns the changes that record an action on a user in the user's audit chain. */
export const auditUser = (
  fresh: Fresh,
  by: AuditActor,
  userId: number,
  action: AuditedAction,
  changes?: FieldChanges,
): readonly Change[] => recordAudit(fresh, by, { chain: `user:${userId}`, action, subject: `user:${userId}`, changes })

/** The change that enqueues a mail to a user, in Portico's name. The erasure of the user removes the mail. */
export const mailUser = (
  cipher: Cipher,
  fresh: Fresh,
  { id: userId, email: to }: Pick<User, 'id' | 'email'>,
  letter: EmailTemplate & Partial<Pick<QueuedMail, 'names'>>,
): Change => queueMail(cipher, fresh, { ...letter, to, about: aboutUser(userId) })

const aboutUser = (userId: number): string => `user:${userId}`

/** The most mails that are read at once. */
const MAILS = 100

/** Queries the stored mails to a user. Sent or not, they live for a week. */
export const mailsToUser = (userId: number): List<QueuedMail> => listAbout(mails, aboutUser(userId), MAILS)

/** Finds the claim of a unique value, if it is taken; null without a value. */
export const findClaim = async (
  store: Store,
  kind: ClaimKind,
  text: string | null | undefined,
): Promise<Claim | null> => (text === null || text === undefined ? null : store.find(byId(claims, claimId(kind, text))))

export const takenIssues = (isTaken: { readonly email: boolean; readonly document: boolean }) => [
  ...(isTaken.email ? [issue('email', 'email.taken')] : []),
  ...(isTaken.document ? [issue('document', 'document.taken')] : []),
]

/** Finds the user with an e-mail. The claim may also belong to a registration, which cannot sign in. */
export const findUserByEmail = async (store: Store, email: string): Promise<User | null> => {
  const claim = await findClaim(store, 'email', email)
  return typeof claim?.holder === 'number' ? store.find(byId(users, claim.holder)) : null
}

export const userView = view('User', pick(userFields, 'id', 'name', 'email', 'phone', 'emailVerifiedAt'))

/** A user as shown by legacy routes. */
export const memberView = view(
  'Member',
  { ...pick(userFields, 'id', 'name', 'email', 'phone', 'document'), status: oneOf(['ACTIVE'], { about: 'Situação' }) },
  (user: ShownUser) => ({ ...user, status: 'ACTIVE' as const }),
)
