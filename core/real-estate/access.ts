import { failure, type Issue, invalid, isLeft, issue, left, right } from '../failure.ts'
import {
  type DecodedOf,
  email,
  flag,
  guid,
  type InputOf,
  input,
  line,
  nullIfAbsent,
  object,
  oneOf,
  output,
  taxId,
  text,
  view,
} from '../kernel/input/mod.ts'
import { always, type Change, eq, insert, patch } from '../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  readUseCase,
  type UseCase,
  unavailable,
  useCase,
  withValidInput,
} from '../kernel/running/use-case.ts'
import { type EmailTemplate, text as paragraph } from '../office/mail.ts'
import { type IdentityClaims, IdentityUnavailable } from '../ports/identity.ts'
import { byId, byKey, NEWEST_FIRST, type Store } from '../ports/store.ts'
import { queueMail } from './office.ts'
import { listOfCompany } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import { type Actor, type RealEstatePorts, ROLES } from './real-estate-ports.ts'
import { createdAt, id } from './records/fields.ts'
import { brokers, type Company, companies, type User, users } from './records/people.ts'

/** Authenticates users with tokens of the identity provider, and registers them in companies. */
export const access = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns the claims of a token, whether its user is registered or not.
     * Fails: `token.invalid` (also without a token), `identity.unavailable` (the provider's keys cannot be read).
     */
    authenticate: authenticate(ports),
    /**
     * Returns the registered user of a token's claims.
     * Fails: `user.unregistered`, `broker.barred` (the broker record of a Broker is inactive or removed).
     */
    resolveActor: resolveActor(ports),
    /**
     * Registers a user in a company. Users register themselves; an Admin registers others in the own company. An
     * Admin of a new company founds it.
     * Fails: `fields` (`unknown` company, `not-own`: differs from the token), `registration.forbidden`,
     * `user.uid.taken`, `user.email.taken`.
     */
    register: register(ports),
    /**
     * Returns a user's profile, after taking the name and the verified e-mail from the claims. An e-mail that another
     * user has is ignored.
     * Fails: `user.unknown` (not registered), `broker.barred` (as `resolveActor` does).
     */
    logIn: logIn(ports),
    /**
     * Returns a user's profile.
     * Fails: `user.unknown`.
     */
    readProfile: readProfile(ports),
  }),
} satisfies RealEstateModule

const MAX_UID = 128

const userFields = {
  firebaseUid: text({ max: MAX_UID, about: 'Identificador do usuário no provedor de identidade' }),
  email: email({ about: 'E-mail' }),
  name: line({ max: 255, about: 'Nome' }),
  role: oneOf(ROLES, { about: 'Papel na imobiliária' }),
  companyId: guid({ about: 'Identificador da imobiliária' }),
}

const companyFields = {
  legalName: nullIfAbsent(line({ max: 255, about: 'Razão social' })),
  taxId: nullIfAbsent(taxId({ kind: 'CNPJ', about: 'CNPJ, guardado sem pontuação' })),
}

export const newUser = input('NewUser', {
  ...userFields,
  company: nullIfAbsent(
    object(input(null, companyFields), { about: 'A imobiliária, para quem a funda com um `companyId` novo' }),
  ),
})

export const userView = view('User', { id, ...userFields, createdAt })

/** A user with the company. */
export interface Profile {
  readonly user: User
  readonly company: Company
}

const companyView = view('Company', { id, ...companyFields })

export const profileView = view(
  'Profile',
  {
    id,
    ...userFields,
    isDarkMode: flag({ about: 'Se prefere o tema escuro; falso até que alguém possa dizer' }),
    company: output.view(companyView, { about: 'A imobiliária' }),
  },
  ({ user, company }: Profile) => ({ ...user, company, isDarkMode: false }),
)

const authenticate =
  ({ identity, clock }: Pick<RealEstatePorts, 'identity' | 'clock'>) =>
  (token: string | null): UseCase<IdentityClaims, 'token.invalid' | 'identity.unavailable'> =>
  async () => {
    try {
      const claims = token === null ? null : await identity.verify(token, clock.now())
      return claims ? right(claims) : left(failure('unauthorized', 'token.invalid'))
    } catch (error) {
      if (error instanceof IdentityUnavailable) return left(unavailable('identity.unavailable'))
      throw error
    }
  }

/** Reports whether claims prove an e-mail that was not verified when its user registered. */
const provesEmail = (
  { email, emailVerified }: Pick<IdentityClaims, 'email' | 'emailVerified'>,
  user: Pick<User, 'email' | 'emailUnproven'>,
): boolean => user.emailUnproven === true && emailVerified && email === user.email

/**
 * Reports whether a Broker is barred: one of the records with the user's e-mail, verified or not, or with the verified
 * e-mail of the token is inactive, or all of them are removed. Without a present record among them, a user whom a
 * record barred when its e-mail changed stays barred, whatever the record has become: it may be another person's now. A
 * Broker who never had a record is not barred, nor is a user of another role.
 */
const isBarred = async (
  store: Pick<Store, 'list'>,
  user: User,
  { verifiedEmail }: Pick<Actor, 'verifiedEmail'>,
): Promise<boolean> => {
  if (user.role !== 'Broker') return false
  const emails = [...new Set([user.email, ...(verifiedEmail === null ? [] : [verifiedEmail])])]
  // Removed records are included.
  const find = (field: 'email' | 'barredUserId', value: string) =>
    listOfCompany(store, brokers, user.companyId, { where: eq(field, value), sort: NEWEST_FIRST })
  const own = (await Promise.all(emails.map((each) => find('email', each)))).flat()
  const present = own.filter(({ removedAt }) => removedAt === null)
  if (present.length > 0) return present.some(({ status }) => status === 'Inactive')
  return own.length > 0 || (await find('barredUserId', user.id)).length > 0
}

const verifiedIn = ({ email, emailVerified }: IdentityClaims) => ({ verifiedEmail: emailVerified ? email : null })

/** Reports whether a user who was an actor still is one: neither removed nor barred. */
export const hasAccess = async (
  store: Pick<Store, 'find' | 'list'>,
  actor: Pick<Actor, 'userId' | 'verifiedEmail'>,
): Promise<boolean> => {
  const user = await store.find(byId(users, actor.userId))
  return user !== null && user.removedAt === null && !(await isBarred(store, user, actor))
}

const BARRED = failure('forbidden', 'broker.barred')

const resolveActor =
  ({ store }: Pick<RealEstatePorts, 'store'>) =>
  (claims: IdentityClaims): UseCase<Actor, 'user.unregistered' | 'broker.barred'> =>
  async () => {
    const { uid, expiresAt } = claims
    const user = await store.find(byKey(users, 'uid', uid))
    if (!user) return left(failure('forbidden', 'user.unregistered'))
    const { verifiedEmail } = verifiedIn(claims)
    if (await isBarred(store, user, { verifiedEmail })) return left(BARRED)
    const { id: userId, companyId, role } = user
    const proven = patch(users, userId, { set: { emailUnproven: null }, when: eq('email', user.email) })
    if (provesEmail(claims, user)) await store.commit([proven])
    const until = expiresAt === undefined ? {} : { tokenExpiresAt: expiresAt }
    return right({ userId, companyId, role, verifiedEmail, ...until })
  }

export type NewUser = InputOf<typeof newUser>
type UserFields = DecodedOf<typeof newUser>

const readFacts =
  (claims: IdentityClaims, { firebaseUid, email, companyId }: UserFields) =>
  (store: Store) =>
    store.read({
      caller: byKey(users, 'uid', claims.uid),
      company: byId(companies, companyId),
      ofUid: byKey(users, 'uid', firebaseUid),
      ofEmail: byKey(users, 'email', email),
    })

type Facts = Awaited<ReturnType<ReturnType<typeof readFacts>>>

const FORBIDDEN = failure('forbidden', 'registration.forbidden')

const identityIssues = (claims: IdentityClaims, { firebaseUid, email }: UserFields): readonly Issue<'not-own'>[] => [
  ...(firebaseUid === claims.uid ? [] : [issue('firebaseUid', 'not-own')]),
  ...(email === claims.email ? [] : [issue('email', 'not-own')]),
]

const unknownCompany = () => invalid([issue('companyId', 'unknown')])

/** Returns the failure of a registration that the caller may not make, or null. */
const refusalOf = (claims: IdentityClaims, fields: UserFields, { caller, company }: Facts, isOpen: boolean) => {
  const { role } = fields
  if (caller !== null && fields.firebaseUid !== claims.uid) {
    if (caller.role !== 'Admin') return FORBIDDEN
    if (company === null) return unknownCompany()
    return company.id === caller.companyId ? null : FORBIDDEN
  }
  const issues = identityIssues(claims, fields)
  if (issues.length > 0) return invalid(issues)
  if (company === null) return role === 'Admin' ? null : unknownCompany()
  // An Admin may register any role; as a registered user, `takenOf` then rejects a self-registration.
  if (caller?.role === 'Admin' && caller.companyId === company.id) return null
  if (role === 'Owner' || role === 'Tenant') return null
  return role !== 'Admin' && isOpen ? null : FORBIDDEN
}

/** Returns the failure of a registration whose account or e-mail is already registered, or null. */
const takenOf = ({ ofUid, ofEmail }: Facts) => {
  const issues = [
    ...(ofUid ? [issue('firebaseUid', 'user.uid.taken')] : []),
    ...(ofEmail ? [issue('email', 'user.email.taken')] : []),
  ]
  return issues[0] ? invalid(issues, issues[0].code) : null
}

const register = (ports: RealEstatePorts) => (claims: IdentityClaims, submitted: NewUser) =>
  withValidInput(ports, newUser, submitted, (fields) =>
    useCase(ports, readFacts(claims, fields), (facts, fresh) => {
      const refusal = refusalOf(claims, fields, facts, ports.settings.openRegistration) ?? takenOf(facts)
      if (refusal) return left(refusal)
      const { company, companyId, ...own } = fields
      const { now } = fresh
      const emailUnproven = own.firebaseUid === claims.uid && !claims.emailVerified ? true : null
      const dates = { createdAt: now, updatedAt: now, removedAt: null }
      const user: User = { id: fresh.uuid(), ...own, companyId, emailUnproven, ...dates }
      const founded: Company = { id: companyId, legalName: null, taxId: null, ...company, createdAt: now }
      return accept(user, ...(facts.company ? [] : [insert(companies, founded)]), insert(users, user))
    }),
  )

const profileOf = async (store: Store, user: User | null): Promise<Profile | null> => {
  const company = user && (await store.find(byId(companies, user.companyId)))
  return user && company ? { user, company } : null
}

const nameField = line({ max: 255 })

/** Returns the fields of a user that the provider's claims change. */
const changesBy = (claims: IdentityClaims, user: User, isEmailFree: boolean): Partial<User> => {
  const { email, emailVerified } = claims
  const name = nameField.read(claims.name)
  const hasNewEmail = email !== null && emailVerified && isEmailFree && email !== user.email
  return {
    ...(!isLeft(name) && name.right !== user.name && { name: name.right }),
    ...(hasNewEmail && { email, emailUnproven: null }),
    ...(provesEmail(claims, user) && { emailUnproven: null }),
  }
}

const logIn = (ports: RealEstatePorts) => (claims: IdentityClaims) =>
  useCase(
    ports,
    async (store) => {
      const profile = await profileOf(store, await store.find(byKey(users, 'uid', claims.uid)))
      const holder = claims.email === null ? null : await store.find(byKey(users, 'email', claims.email))
      const barred = profile !== null && (await isBarred(store, profile.user, verifiedIn(claims)))
      return { profile, isEmailFree: holder === null, barred }
    },
    ({ profile, isEmailFree, barred }, fresh) => {
      if (!profile) return left(failure('not-found', 'user.unknown'))
      // Without this check a barred user could change to an e-mail without a broker record.
      if (barred) return left(BARRED)
      const changes = changesBy(claims, profile.user, isEmailFree)
      if (Object.keys(changes).length === 0) return accept(profile)
      const { user } = profile
      const set = { ...changes, updatedAt: fresh.now }
      return accept(
        { ...profile, user: { ...user, ...set } },
        // A simultaneous log-in with the same claims has changed it, and mailed it, too.
        patch(users, user.id, { set, when: changes.email === undefined ? always : eq('email', user.email) }),
        ...mailNewEmail(ports, profile, changes, fresh),
      )
    },
  )

/** Returns the mail to the former address of a user with a new e-mail, unless the address was never proven. */
const mailNewEmail = (
  { cipher, mail }: Pick<RealEstatePorts, 'cipher' | 'mail'>,
  { user, company }: Profile,
  { email }: Partial<User>,
  fresh: Fresh,
): readonly Change[] => {
  if (!mail || email === undefined || user.emailUnproven === true) return []
  return [queueMail(cipher, fresh, { to: user.email, companyId: company.id, ...emailChangedMail(user.name) })]
}

const emailChangedMail = (name: string): EmailTemplate => ({
  subject: 'Seu e-mail foi alterado',
  blocks: [
    paragraph(`Olá, ${name}!`),
    paragraph(
      'O e-mail com que você entra no sistema da imobiliária acabou de ser alterado.',
      'Este endereço já não recebe nossas mensagens.',
      'Se não foi você, troque a senha do seu login e fale com a imobiliária agora mesmo.',
    ),
  ],
})

const readProfile =
  ({ store }: Pick<RealEstatePorts, 'store'>) =>
  ({ userId }: Pick<Actor, 'userId'>) =>
    readUseCase('user.unknown', async () => profileOf(store, await store.find(byId(users, userId))))
