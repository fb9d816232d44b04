import { client, clientView } from '../../../core/payments/customers/client.ts'
import { crud } from '../api.ts'

/** A client as somebody sends it. */
const clientSent = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '529.982.247-25',
  type: 'individual',
  gender: 'female',
  birthdate: '1990-02-28',
  metadata: { origem: 'loja' },
}

/** The same as it is shown. */
const clientExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  ...clientSent,
  document: '52998224725',
  status: 'ACTIVE',
  address: null,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

/** Source: 01-access.md, v1 clients. */
export const clientRows = crud({
  module: 'clients',
  resource: client,
  view: clientView,
  area: 'Clientes',
  paths: ['/v1/clients'],
  dialect: 'v1',
  auth: 'organization',
  permissions: { read: 'clients:read', write: 'clients:write' },
  put: 'merges',
  unpaged: true,
  filtered: false,
  words: {
    list: {
      summary: 'Lista os clientes da organização, do mais novo ao mais antigo',
      message: 'Clientes listados com sucesso.',
    },
    create: { summary: 'Cria um cliente na organização', message: 'Cliente criado com sucesso.', status: 201 },
    show: { summary: 'Mostra um cliente da organização', message: 'Cliente obtido com sucesso.' },
    update: { summary: 'Altera um cliente da organização', message: 'Cliente atualizado com sucesso.' },
    remove: { summary: 'Remove um cliente da organização', message: 'Cliente removido com sucesso.' },
    missing: 'Cliente não encontrado.',
  },
  example: {
    begin: 'organization',
    given: 'client',
    sent: clientSent,
    change: { phone: '11 98888-0000', document: '529.982.247-25' },
    shown: clientExample,
  },
})
