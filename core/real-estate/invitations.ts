import { conflict, failure, invalid, issue, left, right, throttled } from '../failure.ts'
import {
  email,
  type InputOf,
  input,
  instant,
  line,
  nullIfAbsent,
  oneOf,
  type Paging,
  paging,
  secret,
  view,
} from '../kernel/input/mod.ts'
import { all, type Collection, eq, gt, insert, orNull, patch, record, t, word } from '../kernel/records/record.ts'
import { tenantKey } from '../kernel/resources/queries.ts'
import { accept, randomCode, readUseCase, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../kernel/values/day.ts'
import { type EmailTemplate, link, text } from '../office/mail.ts'
import type { IdentityClaims } from '../ports/identity.ts'
import { byId, byKey, listOf, NEWEST_FIRST, type PageOf, type Store } from '../ports/store.ts'
import { mailQueues, mails, queueMail } from './office.ts'
import { readPage } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import { type CompanyActor, type CompanyUser, type RealEstatePorts, ROLES, type Role } from './real-estate-ports.ts'
import { createdAt, id } from './records/fields.ts'
import { type Company, companies, type User, users } from './records/people.ts'

const invitation = record({
  id: t.string,
  companyId: t.string,
  /** Lower-case. */
  email: t.string,
  role: word(...ROLES),
  /** The digest of the token in the mail, which is stored nowhere. */
  tokenDigest: t.string,
  invitedBy: t.string,
  acceptedAt: orNull(t.string),
  revokedAt: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
  expiresAt: t.string,
})

/** An invitation of an e-mail into a company in a role. It works once, until it expires or is revoked. */
type Invitation = t.TypeOf<typeof invitation>

const isUnused = ({ acceptedAt, revokedAt }: Invitation): boolean => acceptedAt === null && revokedAt === null

export const invitations: Collection<Invitation> = {
  name: 'estate.invitations',
  ids: 'text',
  codec: invitation,
  owner: 'companyId',
  keys: {
    token: (of) => (isUnused(of) ? of.tokenDigest : null),
    // A company has one unused invitation for an e-mail.
    email: (of) => (isUnused(of) ? tenantKey(of.companyId, of.email) : null),
  },
  indexes: [{ sort: 'createdAt' }],
  tallies: [{ by: ['companyId'], sum: [] }],
}

const STATUSES = ['Pending', 'Accepted', 'Revoked', 'Expired'] as const

const statusOf = ({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Instant): (typeof STATUSES)[number] => {
  if (acceptedAt !== null) return 'Accepted'
  if (revokedAt !== null) return 'Revoked'
  return expiresAt <= now ? 'Expired' : 'Pending'
}

const address = email({ about: 'O e-mail que se convida' })
const role = oneOf(ROLES, { about: 'O papel que a pessoa terá na imobiliária' })
const TOKEN_CHARS = 100
const token = secret({ max: TOKEN_CHARS, about: 'O código do endereço que está no e-mail do convite' })

export const newInvitation = input('NewInvitation', { email: address, role })
export const invitationToken = input('InvitationToken', { token })
export const acceptance = input('InvitationAcceptance', {
  token,
  name: line({ max: 255, about: 'O nome da pessoa, como a imobiliária o verá' }),
})

/** An invitation with its status at the time of the request. */
export type ShownInvitation = Invitation & { readonly status: (typeof STATUSES)[number] }

const expiresAt = instant({ about: 'Até quando vale' })

export const invitationView = view('Invitation', {
  id,
  email: address,
  role,
  status: oneOf(STATUSES, { about: 'Situação' }),
  expiresAt,
  acceptedAt: nullIfAbsent(instant({ about: 'Quando foi aceito' })),
  createdAt,
})

/** The details of an invitation before it is accepted. */
export interface InvitationPreview {
  readonly invitation: Pick<Invitation, 'email' | 'role' | 'expiresAt'>
  readonly company: Pick<Company, 'legalName'>
}

export const previewView = view(
  'InvitationPreview',
  {
    company: nullIfAbsent(line({ max: 255, about: 'A razão social da imobiliária' })),
    email: address,
    role,
    expiresAt,
  },
  ({ invitation: of, company }: InvitationPreview) => ({ ...of, company: company.legalName }),
)

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  Admin: 'administração',
  Broker: 'corretagem',
  Financial: 'financeiro',
  Owner: 'proprietário',
  Tenant: 'inquilino',
  Syndic: 'síndico',
}

/** The mail of an invitation. The token is in the fragment of the address, which browsers do not send to a server. */
const invitationMail = ({ legalName }: Pick<Company, 'legalName'>, as: Role, url: string): EmailTemplate => {
  const company = legalName ?? 'Uma imobiliária'
  return {
    subject: `Convite: ${company}`,
    blocks: [
      text('Olá!', `${company} convidou você para usar o sistema da imobiliária. Seu papel: ${ROLE_NAMES[as]}.`),
      link('Aceitar o convite', url),
      text(
        'O convite vale por 7 dias e só pode ser usado uma vez, com este e-mail.',
        'Se você não conhece a imobiliária, ignore esta mensagem.',
      ),
    ],
  }
}

export type NewInvitation = InputOf<typeof newInvitation>
export type InvitationAcceptance = InputOf<typeof acceptance>

const LIFE_SECONDS = 7 * 24 * 3_600
const TOKEN_LENGTH = 40
const DAY_SECONDS = 24 * 3_600
/** The limit of invitations of a company in 24 hours, since they are unsolicited mails. */
const MAX_PER_DAY = 50

const UNKNOWN = failure('not-found', 'invitation.unknown')

const readFacts = async (store: Store, companyId: string, email: string, since: string) => {
  const facts = await store.read({
    company: byId(companies, companyId),
    user: byKey(users, 'email', email),
    open: byKey(invitations, 'email', tenantKey(companyId, email)),
  })
  const where = all(eq('companyId', companyId), gt('createdAt', since))
  const latest = listOf(invitations, { where, sort: NEWEST_FIRST, limit: MAX_PER_DAY })
  return { ...facts, latest: (await store.list(latest)).records }
}

const createInvitation = (ports: RealEstatePorts) => (actor: CompanyUser, submitted: NewInvitation) =>
  withValidInput(ports, newInvitation, submitted, ({ email, role }) =>
    useCase(
      ports,
      (store) => readFacts(store, actor.companyId, email, addSeconds(ports.clock.now(), -DAY_SECONDS)),
      ({ company, user, open, latest }, fresh) => {
        if (!ports.mail || !company) return conflict('invitation.unmailable')
        if (user) return left(invalid([issue('email', 'user.email.taken')], 'user.email.taken'))
        const { now } = fresh
        const oldest = latest[MAX_PER_DAY - 1]
        if (oldest) {
          const wait = secondsBetween(now, addSeconds(oldest.createdAt, DAY_SECONDS))
          return left(throttled('invitation.too-many', wait))
        }
        const token = randomCode(fresh, TOKEN_LENGTH)
        const created: Invitation = {
          id: fresh.uuid(),
          companyId: actor.companyId,
          email,
          role,
          tokenDigest: ports.digest.sha256(token),
          invitedBy: actor.userId,
          acceptedAt: null,
          revokedAt: null,
          createdAt: now,
          updatedAt: now,
          expiresAt: addSeconds(now, LIFE_SECONDS),
        }
        const url = `${ports.settings.publicUrl}/panel#convite=${token}`
        const letter = { to: email, companyId: company.id, expiresAt: created.expiresAt }
        const mail = queueMail(ports.cipher, fresh, { ...letter, ...invitationMail(company, role, url) })
        const revoked = open ? [markRevoked(open, now)] : []
        return accept<ShownInvitation>(
          { ...created, status: 'Pending' },
          ...revoked,
          insert(invitations, created),
          mail,
        )
      },
    ),
  )

const markRevoked = ({ id }: Invitation, now: string) =>
  patch(invitations, id, {
    set: { revokedAt: now, updatedAt: now },
    when: all(eq('acceptedAt', null), eq('revokedAt', null)),
  })

const revokeInvitation =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string) =>
    useCase(
      ports,
      (store) => store.find(byId(invitations, id.toLowerCase())),
      (found, { now }) => {
        if (found?.companyId !== companyId) return left(UNKNOWN)
        if (found.acceptedAt !== null) return conflict('invitation.accepted')
        return accept(null, ...(found.revokedAt === null ? [markRevoked(found, now)] : []))
      },
    )

const listInvitations = (ports: RealEstatePorts) => (actor: CompanyActor, page: Paging) =>
  withValidInput(ports, paging, page, (requested) =>
    useCaseOf<PageOf<ShownInvitation>>()(async () => {
      const where = eq('companyId', actor.companyId)
      const listed = await readPage(ports.store, { from: invitations, where }, requested)
      const now = ports.clock.now()
      return right({ ...listed, records: listed.records.map((each) => ({ ...each, status: statusOf(each, now) })) })
    }),
  )

/** Returns the pending invitation of a token, with its company. */
const findPending = async (
  { digest, clock }: Pick<RealEstatePorts, 'digest' | 'clock'>,
  store: Pick<Store, 'find'>,
  token: string,
) => {
  const invitation = await store.find(byKey(invitations, 'token', digest.sha256(token)))
  if (!invitation || statusOf(invitation, clock.now()) !== 'Pending') return null
  const company = await store.find(byId(companies, invitation.companyId))
  return company && { invitation, company }
}

const acceptInvitation = (ports: RealEstatePorts) => (claims: IdentityClaims, submitted: InvitationAcceptance) =>
  withValidInput(ports, acceptance, submitted, ({ token, name }) =>
    useCase(
      ports,
      async (store) => {
        const open = await findPending(ports, store, token)
        const ofUid = await store.find(byKey(users, 'uid', claims.uid))
        return { open, ofUid, ofEmail: open && (await store.find(byKey(users, 'email', open.invitation.email))) }
      },
      ({ open, ofUid, ofEmail }, fresh) => {
        if (!open) return left(UNKNOWN)
        const { id, companyId, email, role, tokenDigest } = open.invitation
        if (claims.email !== email) return left(failure('forbidden', 'invitation.other-email'))
        if (!claims.emailVerified) return left(failure('forbidden', 'invitation.email-unverified'))
        const taken = ofUid ? 'user.uid.taken' : ofEmail ? 'user.email.taken' : null
        if (taken !== null) return left(failure('conflict', taken))
        const { now } = fresh
        const own = { firebaseUid: claims.uid, email, name, role, companyId, emailUnproven: null }
        const user: User = { id: fresh.uuid(), ...own, createdAt: now, updatedAt: now, removedAt: null }
        const unused = all(eq('acceptedAt', null), eq('revokedAt', null), eq('tokenDigest', tokenDigest))
        const used = patch(invitations, id, { set: { acceptedAt: now, updatedAt: now }, when: unused })
        return accept(user, used, insert(users, user))
      },
    ),
  )

/** Invites users into a company by e-mail, in any role, even while registration is closed. */
export const invitationsModule = {
  collections: [invitations, mails],
  queues: (ports: RealEstatePorts) => (ports.mail ? mailQueues(ports, ports.mail) : []),
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Invites an e-mail into the actor's company in a role. The mail has an address with a token, which works once and
     * for 7 days; an earlier unused invitation of the same e-mail is revoked. Check the actor's permission before you
     * call it. Fails: `fields`, `user.email.taken`, `invitation.too-many` (50 in 24 hours), `invitation.unmailable`
     * (there is no `mail` port).
     */
    create: createInvitation(ports),
    /**
     * Returns a page of the company's invitations, the newest first, with their status.
     * Fails: `fields`.
     */
    list: listInvitations(ports),
    /**
     * Revokes an invitation that is not accepted; a repeat changes nothing.
     * Fails: `invitation.unknown`, `invitation.accepted`.
     */
    revoke: revokeInvitation(ports),
    /**
     * Returns the company, e-mail and role of the invitation of a token.
     * Fails: `fields`, `invitation.unknown` (also if it is used, revoked or expired).
     */
    preview: (submitted: InputOf<typeof invitationToken>) =>
      withValidInput(ports, invitationToken, submitted, ({ token }) =>
        readUseCase(
          'invitation.unknown',
          (): Promise<InvitationPreview | null> => findPending(ports, ports.store, token),
        ),
      ),
    /**
     * Registers the user of a token of the identity provider in the company that invited its verified e-mail.
     * Fails: `fields`, `invitation.unknown` (also if it is used, revoked or expired), `invitation.other-email`,
     * `invitation.email-unverified`, `user.uid.taken`, `user.email.taken`.
     */
    accept: acceptInvitation(ports),
  }),
} satisfies RealEstateModule
