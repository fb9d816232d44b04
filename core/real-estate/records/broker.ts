import { nullIfAbsent } from '../../kernel/input/field.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { alphanumeric, email, line, text } from '../../kernel/input/texts.ts'
import { resource } from '../resource.ts'
import { address } from './address.ts'
import { counter, notes } from './fields.ts'

export const brokerFields = {
  name: line({ max: 255, about: 'Nome' }),
  creci: text({ max: 30, casing: 'upper', about: 'CRECI; único na imobiliária' }),
  email: email({ about: 'E-mail; único entre os corretores da imobiliária' }),
  phone: nullIfAbsent(alphanumeric({ max: 20, about: 'Telefone, guardado sem pontuação' })),
  status: oneOf(['Active', 'Inactive'], { about: 'Situação' }),
  address: nullIfAbsent(address),
  notes,
}

/** Who shows properties and closes contracts; they are the user with the same e-mail. Source: 03-real-estate.md, Broker. */
export const broker = resource({
  one: 'broker',
  many: 'brokers',
  input: brokerFields,
  internal: {
    activeContracts: counter('Contratos ativos'),
    openProposals: counter('Propostas em aberto'),
  },
  unique: ['creci', 'email'],
  search: ['name', 'email', 'creci', 'phone'],
  filters: { status: 'tally' },
  blockedBy: ['activeContracts', 'openProposals'],
})

export const brokers = broker.collection
export type Broker = NonNullable<Awaited<ReturnType<typeof broker.find>>>
