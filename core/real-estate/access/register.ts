import { failure, type Issue, invalid, issue } from '../../failure.ts'
import { left } from '../../fp.ts'
import type { DecodedOf, InputOf } from '../../kernel/input/input.ts'
import { insert } from '../../kernel/records/change.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { IdentityClaims } from '../../ports/identity.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Company, companies } from '../records/company.ts'
import { type User, users } from '../records/user.ts'
import { newUser } from './user-view.ts'

export type NewUser = InputOf<typeof newUser>
type Sent = DecodedOf<typeof newUser>

interface Facts {
  /** Who asks, where they are registered. */
  readonly caller: User | null
  readonly company: Company | null
  readonly ofUid: User | null
  readonly ofEmail: User | null
}

const readFacts =
  (claims: IdentityClaims, { firebaseUid, email, companyId }: Sent) =>
  (store: Store): Promise<Facts> =>
    store.read({
      caller: byKey(users, 'uid', claims.uid),
      company: byId(companies, companyId),
      ofUid: byKey(users, 'uid', firebaseUid),
      ofEmail: byKey(users, 'email', email),
    })

const FORBIDDEN = failure('forbidden', 'registration.forbidden')

/** What of it is not said by the token of whoever registers themselves. */
const notOwn = (claims: IdentityClaims, { firebaseUid, email }: Sent): readonly Issue<'not-own'>[] => [
  ...(firebaseUid === claims.uid ? [] : [issue('firebaseUid', 'not-own')]),
  ...(email === claims.email ? [] : [issue('email', 'not-own')]),
]

const unknownCompany = () => invalid([issue('companyId', 'unknown')])

/** Why somebody may not register so, where they may not. Source: decisions.md §6, Register, and §10, Edges. */
const refusalOf = (claims: IdentityClaims, sent: Sent, { caller, company }: Facts, isOpen: boolean) => {
  const { role } = sent
  if (caller !== null && sent.firebaseUid !== claims.uid) {
    if (caller.role !== 'Admin') return FORBIDDEN
    if (company === null) return unknownCompany()
    return company.id === caller.companyId ? null : FORBIDDEN
  }
  const wrong = notOwn(claims, sent)
  if (wrong.length > 0) return invalid(wrong)
  if (company === null) return role === 'Admin' ? null : unknownCompany()
  // Whoever is its Admin may register whom they like: themselves are there already.
  if (caller?.role === 'Admin' && caller.companyId === company.id) return null
  if (role === 'Owner' || role === 'Tenant') return null
  return role !== 'Admin' && isOpen ? null : FORBIDDEN
}

/** Who has the e-mail or the provider's id already. */
const takenOf = ({ ofUid, ofEmail }: Facts) => {
  const wrong = [
    ...(ofUid ? [issue('firebaseUid', 'user.uid.taken')] : []),
    ...(ofEmail ? [issue('email', 'user.email.taken')] : []),
  ]
  return wrong[0] ? invalid(wrong, wrong[0].code) : null
}

/**
 * Registers somebody in a company: oneself, or by its Admin somebody else; who names a new one as its Admin founds it.
 * Fails: `fields` (`unknown` company, `not-own`: not what one's token says), `registration.forbidden`, `user.uid.taken`,
 * `user.email.taken`.
 * Source: 03-real-estate.md, Authentication; decisions.md §6, Register.
 */
export const register = (ports: RealEstatePorts) => (claims: IdentityClaims, given: NewUser) =>
  withValidInput(ports, newUser, given, (sent) =>
    useCase(ports, readFacts(claims, sent), (facts, fresh) => {
      const refused = refusalOf(claims, sent, facts, ports.settings.openRegistration) ?? takenOf(facts)
      if (refused) return left(refused)
      const { company, companyId, ...own } = sent
      const { now } = fresh
      const emailUnproven = own.firebaseUid === claims.uid && !claims.emailVerified ? true : null
      const dates = { createdAt: now, updatedAt: now, removedAt: null }
      const user: User = { id: fresh.uuid(), ...own, companyId, emailUnproven, ...dates }
      const founded: Company = { id: companyId, legalName: null, taxId: null, ...company, createdAt: now }
      return accept(user, ...(facts.company ? [] : [insert(companies, founded)]), insert(users, user))
    }),
  )
