import { t } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { input } from '../../kernel/input/input.ts'
import { instant, oneOf } from '../../kernel/input/scalars.ts'
import { email, guid, line, secret } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { tenantKey } from '../../kernel/resources/facts.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { type EmailTemplate, link, text } from '../../office/mail.ts'
import type { Company } from '../records/company.ts'
import { ROLES, type Role } from '../role.ts'

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

/** An e-mail that an Admin lets into the company in a role: used once, until it expires or is revoked. */
export type Invitation = t.TypeOf<typeof invitation>

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

/** The status of an invitation at an instant. */
export const statusOf = ({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Instant): (typeof STATUSES)[number] => {
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

export const invitationView = view(
  'Invitation',
  {
    id: guid({ about: 'Identificador' }),
    email: address,
    role,
    status: oneOf(STATUSES, { about: 'Situação' }),
    expiresAt,
    acceptedAt: nullIfAbsent(instant({ about: 'Quando foi aceito' })),
    createdAt: instant({ about: 'Criação' }),
  },
  (of: ShownInvitation) => of,
)

/** What the holder of a token is shown before they accept. */
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

/** The mail of an invitation; the token stands in the fragment of its address, which no server is sent. */
export const invitationMail = ({ legalName }: Pick<Company, 'legalName'>, as: Role, url: string): EmailTemplate => {
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
