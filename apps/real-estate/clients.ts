import { newClient } from '../../core/real-estate/clients.ts'
import { client } from '../../core/real-estate/records/people.ts'
import { AGENCY_CRUD, crud } from './api.ts'
import { exampleId, SENT_ADDRESS } from './examples.ts'

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
    sample: {
      name: 'Maria da Silva',
      taxId: '123.456.789-09',
      type: 'Individual',
      email: 'maria@example.com',
      phone: '(11) 98888-0000',
      interest: 'Lease',
      source: 'Portal',
      preferences: {
        desiredType: 'Apartment',
        minPriceCents: 150_000,
        maxPriceCents: 300_050,
        minBedrooms: 2,
        neighborhood: 'Centro',
      },
      address: SENT_ADDRESS,
      notes: 'Prefere visitas aos sábados.',
    },
    change: { notes: 'Prefere visitas aos domingos.' },
    more: { id: exampleId(10) },
  },
})
