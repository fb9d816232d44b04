import {
  alphanumeric,
  email,
  guid,
  input,
  integer,
  line,
  money,
  nullIfAbsent,
  object,
  oneOf,
  taxId,
  text,
} from '../../kernel/input/mod.ts'
import { type Collection, eq, orNull, record, t, word } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { ROLES } from '../real-estate-ports.ts'
import { address, counter, notes, resource, revisionFields } from './fields.ts'

const company = record({
  id: t.string,
  legalName: orNull(t.string),
  /** A CNPJ without punctuation. */
  taxId: orNull(t.string),
  createdAt: t.string,
})

/** An agency; every other record belongs to one. */
export type Company = t.TypeOf<typeof company>

export const companies: Collection<Company> = { name: 'estate.companies', ids: 'text', codec: company, owner: null }

const user = record({
  id: t.string,
  companyId: t.string,
  /** The user's id at the identity provider. */
  firebaseUid: t.string,
  /** Lower-case. */
  email: t.string,
  name: t.string,
  role: word(...ROLES),
  createdAt: t.string,
  updatedAt: t.string,
  /**
   * True for a user who registered with an e-mail that the provider had not verified, until a sign-in with it verified.
   * Such an e-mail links no client.
   */
  emailUnproven: orNull(t.boolean),
  /** Always null: users cannot be removed yet. */
  removedAt: orNull(t.string),
})

/** A user of a company, who signs in at the identity provider. */
export type User = t.TypeOf<typeof user>

export const users: Collection<User> = {
  name: 'estate.users',
  ids: 'text',
  codec: user,
  owner: 'companyId',
  conditions: { live: eq('removedAt', null) },
  keys: { uid: ({ firebaseUid }) => firebaseUid, email: ({ email }) => email },
  indexes: [{ eq: 'role', sort: 'createdAt', when: 'live' }],
}

export const brokerFields = {
  name: line({ max: 255, about: 'Nome' }),
  creci: text({ max: 30, casing: 'upper', about: 'CRECI; único na imobiliária' }),
  email: email({ about: 'E-mail; único entre os corretores da imobiliária' }),
  phone: nullIfAbsent(alphanumeric({ max: 20, about: 'Telefone, guardado sem pontuação' })),
  status: oneOf(['Active', 'Inactive'], { about: 'Situação' }),
  address: nullIfAbsent(address),
  notes,
}

/** A broker, who shows properties and closes contracts; the user with the same e-mail is theirs. */
export const broker = resource({
  one: 'broker',
  many: 'brokers',
  input: brokerFields,
  internal: {
    activeContracts: counter('Contratos ativos'),
    openProposals: counter('Propostas em aberto'),
    /** The user whom the record barred when its e-mail changed; null while it bars by its e-mail alone. */
    barredUserId: nullIfAbsent(guid()),
  },
  unique: ['creci', 'email'],
  search: ['name', 'email', 'creci', 'phone'],
  filters: { status: 'tally' },
  blockedBy: ['activeContracts', 'openProposals'],
  // The records of a Broker, removed ones too, are found by e-mail, or by the user whom they barred.
  extra: {
    indexes: [
      { eq: 'email', sort: 'createdAt' },
      { eq: 'barredUserId', sort: 'createdAt' },
    ],
  },
})

export const brokers = broker.collection
export type Broker = RecordOf<typeof broker>

const MAX_ROOMS = 1_000

const preferences = input(null, {
  desiredType: nullIfAbsent(line({ max: 60, about: 'Tipo de imóvel que procura' })),
  minPriceCents: nullIfAbsent(money({ wire: 'minPrice', about: 'Preço mínimo' })),
  maxPriceCents: nullIfAbsent(money({ wire: 'maxPrice', about: 'Preço máximo' })),
  minBedrooms: nullIfAbsent(integer({ min: 0, max: MAX_ROOMS, about: 'Mínimo de quartos' })),
  neighborhood: nullIfAbsent(line({ max: 255, about: 'Bairro' })),
})

export const clientFields = {
  name: line({ max: 255, about: 'Nome' }),
  taxId: nullIfAbsent(taxId({ about: 'CPF ou CNPJ, guardado sem pontuação; único na imobiliária' })),
  type: oneOf(['Individual', 'Company'], { about: 'Pessoa física ou jurídica' }),
  email: email({ about: 'E-mail' }),
  phone: nullIfAbsent(alphanumeric({ max: 20, about: 'Telefone, guardado sem pontuação' })),
  interest: oneOf(['Lease', 'Purchase', 'Investment', 'Both'], { about: 'O que procura' }),
  source: nullIfAbsent(
    oneOf(['Indication', 'Portal', 'SocialMedia', 'DirectContact', 'Other'], { about: 'Como chegou' }),
  ),
  preferences: nullIfAbsent(object(preferences, { about: 'O que prefere' })),
  address: nullIfAbsent(address),
  notes,
}

/** A client: a lead, tenant, buyer or owner. */
export const client = resource({
  one: 'client',
  many: 'clients',
  input: clientFields,
  internal: {
    activeContracts: counter('Contratos ativos'),
    ownedProperties: counter('Imóveis de que é dono'),
    ...revisionFields,
    /** The linked user, once the client's e-mail has changed; null while the link follows the e-mail. */
    linkedUserId: nullIfAbsent(guid({ about: 'Usuário de quem é o cliente, qualquer que seja o e-mail' })),
  },
  unique: ['taxId'],
  search: ['name', 'email', 'taxId', 'phone'],
  filters: { type: 'tally', interest: 'tally' },
  blockedBy: ['activeContracts', 'ownedProperties'],
  // Clients of an Owner or a Tenant are found by e-mail or by the stored link.
  extra: {
    indexes: [
      { eq: 'email', sort: 'createdAt', when: 'live' },
      { eq: 'linkedUserId', sort: 'createdAt', when: 'live' },
    ],
  },
})

export const clients = client.collection
export type Client = RecordOf<typeof client>
