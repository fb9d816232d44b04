import { nullIfAbsent } from '../../kernel/input/codec.ts'
import { oneOf } from '../../kernel/input/fields/choices.ts'
import { email, line, text, unmarked } from '../../kernel/input/fields/texts.ts'
import { resource } from '../resource.ts'
import { address } from './address.ts'
import { counter, notes } from './fields.ts'

export const brokerFields = {
  name: line({ max: 255, about: 'Nome' }),
  creci: text({ max: 30, casing: 'upper', about: 'CRECI; único na imobiliária' }),
  email: email({ about: 'E-mail; único entre os corretores da imobiliária' }),
  phone: nullIfAbsent(unmarked({ max: 20, about: 'Telefone, guardado sem pontuação' })),
  status: oneOf(['Active', 'Inactive'], { about: 'Situação' }),
  address: nullIfAbsent(address),
  notes,
}

/** Who shows properties and closes contracts; they are the user with the same e-mail. Source: 03-real-estate.md, Broker. */
export const broker = resource({
  one: 'broker',
  many: 'brokers',
  given: brokerFields,
  kept: {
    activeContracts: counter('Contratos ativos'),
    openProposals: counter('Propostas em aberto'),
  },
  unique: ['creci', 'email'],
  search: ['name', 'email', 'creci', 'phone'],
  filters: { status: 'few' },
  blockedBy: ['activeContracts', 'openProposals'],
})

export const brokers = broker.collection
export type Broker = NonNullable<Awaited<ReturnType<typeof broker.find>>>
