import { newClient } from '../../core/real-estate/clients.ts'
import { client } from '../../core/real-estate/records/people.ts'
import { AGENCY_CRUD, crud } from './api.ts'
import { EXAMPLE_ADDRESS, EXAMPLE_MOMENT, exampleId, SENT_ADDRESS } from './examples.ts'

const sent = {
  name: 'Maria da Silva',
  taxId: '123.456.789-09',
  type: 'Individual',
  email: 'maria@example.com',
  phone: '(11) 98888-0000',
  interest: 'Lease',
  source: 'Portal',
  preferences: {
    desiredType: 'Apartment',
    minPrice: 1500,
    maxPrice: 3000.5,
    minBedrooms: 2,
    neighborhood: 'Centro',
  },
  address: SENT_ADDRESS,
  notes: 'Prefere visitas aos sábados.',
}

export const clientRows = crud({
  ...AGENCY_CRUD,
  module: 'clients',
  resource: { ...client, createInput: newClient },
  area: 'Clientes',
  paths: ['/api/clients'],
  permissions: { read: 'clients:read', write: 'clients:write', remove: 'clients:remove' },
  noun: { one: 'cliente', many: 'clientes', gender: 'm' },
  words: { remove: { summary: 'Exclui um cliente sem contratos ativos nem imóveis' } },
  errors: { update: { 'client.email.linked': {} } },
  example: {
    begin: 'admin',
    given: 'client',
    sent,
    change: { ...sent, notes: 'Prefere visitas aos domingos.' },
    shown: {
      id: exampleId(10),
      ...sent,
      taxId: '12345678909',
      phone: '11988880000',
      address: EXAMPLE_ADDRESS,
      createdAt: EXAMPLE_MOMENT,
      updatedAt: EXAMPLE_MOMENT,
    },
  },
})
