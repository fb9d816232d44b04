import { nullIfAbsent } from '../../kernel/input/field.ts'
import { alphanumeric, email, guid, line, taxId } from '../../kernel/input/texts.ts'
import { resource } from '../resource.ts'
import { address } from './address.ts'
import { counter } from './fields.ts'
import { users } from './user.ts'

export const condominiumFields = {
  name: line({ max: 255, about: 'Nome' }),
  taxId: taxId({ kind: 'CNPJ', about: 'CNPJ, guardado sem pontuação; único na imobiliária' }),
  syndicId: guid({ about: 'Identificador do síndico, um usuário com o papel Syndic' }),
  email: nullIfAbsent(email({ about: 'E-mail' })),
  phone: nullIfAbsent(alphanumeric({ max: 20, about: 'Telefone, guardado sem pontuação' })),
  address,
}

/** A building of several properties, whose expenses are split. Source: 03-real-estate.md, Condominium. */
export const condominium = resource({
  one: 'condominium',
  many: 'condominiums',
  input: condominiumFields,
  internal: { linkedProperties: counter('Imóveis que são suas unidades') },
  unique: ['taxId'],
  search: ['name', 'taxId', 'phone'],
  filters: { syndicId: 'own' },
  references: { syndicId: [{ to: users, is: { role: 'Syndic' } }] },
  blockedBy: ['linkedProperties'],
})

export const condominiums = condominium.collection
export type Condominium = NonNullable<Awaited<ReturnType<typeof condominium.find>>>
