import { nullIfAbsent } from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { integer, money, oneOf } from '../../kernel/input/scalars.ts'
import { alphanumeric, email, guid, line, taxId } from '../../kernel/input/texts.ts'
import { resource } from '../resource.ts'
import { address } from './address.ts'
import { counter, notes, revisionFields } from './fields.ts'

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

/** Who looks for a home, rents, buys or owns. Source: 03-real-estate.md, Client (lead). */
export const client = resource({
  one: 'client',
  many: 'clients',
  input: clientFields,
  internal: {
    activeContracts: counter('Contratos ativos'),
    ownedProperties: counter('Imóveis de que é dono'),
    ...revisionFields,
    /**
     * The user whose client it is although its e-mail has changed since they were linked; null while the link follows the
     * e-mail.
     */
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
export type Client = NonNullable<Awaited<ReturnType<typeof client.find>>>
