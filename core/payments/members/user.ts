import { t } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { id, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { pick, storedTypes } from '../../kernel/input/table.ts'
import { alphanumeric, email, line, secret } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { byId, type Store } from '../../ports/store.ts'
import { claimId, claims } from '../claim.ts'

/** A document as legacy routes take it: nobody looks at its check digits. */
export const legacyDocument = alphanumeric({ max: 20, about: 'CPF ou CNPJ, guardado sem pontuação' })

/** What is known of somebody. Source: 01-access.md, v1 user. */
export const userFields = {
  id: id({ about: 'Identificador' }),
  name: line({ max: 255, about: 'Nome' }),
  email: email({ max: 255, about: 'E-mail, em minúsculas' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
  document: nullIfAbsent(legacyDocument),
  emailVerifiedAt: nullIfAbsent(timestamp({ about: 'Quando o e-mail foi verificado' })),
}

/** A password that is set, and its repetition. Source: 01-access.md, v1 register. */
export const passwordFields = {
  password: secret({ min: 8, about: 'Senha' }),
  passwordConfirmation: secret({ about: 'A senha, outra vez' }),
}

/** The shortest password that legacy routes take in place of another one. */
export const MIN_NEXT_PASSWORD = 6

/** Passwords as legacy routes take them. Source: 01-access.md, Legacy authentication and Legacy account users. */
export const legacyPasswords = {
  /** Of somebody who is made by another. */
  first: secret({ min: 5, about: 'Senha' }),
  /** In place of another one, or of none. */
  next: secret({ min: MIN_NEXT_PASSWORD, about: 'Senha nova' }),
}

const user = record({
  // The e-mail is unique by its claim, together with registrations; v1 knows no document.
  ...storedTypes(userFields),
  /** Null for who signs in by no password: API users. */
  passwordHash: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
  /** When their last membership was removed: their e-mail and document are free again. */
  removedAt: orNull(t.string),
  /** When an applicant took the document over; null while the user holds it. */
  documentPassedAt: orNull(t.string),
})

/** Somebody who signs in, by whatever generation of the API. Source: 01-access.md, v1 user; decisions.md §1. */
export type User = t.TypeOf<typeof user>

/** A user without what they sign in by. */
export type ShownUser = Omit<User, 'passwordHash'>

export const shownUser = ({ passwordHash: _, ...shown }: User): ShownUser => shown

export const users: Collection<User> = { name: 'payments.users', ids: 'integer', codec: user, owner: null }

/** The user of an e-mail. A registration may hold the e-mail too: it is nobody who could sign in. */
export const findUserByEmail = async (store: Store, email: string): Promise<User | null> => {
  const claim = await store.find(byId(claims, claimId('email', email)))
  return typeof claim?.holder === 'number' ? store.find(byId(users, claim.holder)) : null
}

/** A user as the API shows it. Source: 01-access.md, v1 user. */
export const userView = view(
  'User',
  pick(userFields, 'id', 'name', 'email', 'phone', 'emailVerifiedAt'),
  (user: ShownUser) => user,
)

/** The same as legacy routes show it. Source: 01-access.md, Legacy account-user link. */
export const memberView = view(
  'Member',
  { ...pick(userFields, 'id', 'name', 'email', 'phone', 'document'), status: oneOf(['ACTIVE'], { about: 'Situação' }) },
  (user: ShownUser) => ({ ...user, status: 'ACTIVE' as const }),
)
