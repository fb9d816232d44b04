import { nullIfAbsent } from '../../../core/kernel/input/field.ts'
import { allOptional, input } from '../../../core/kernel/input/input.ts'
import { jsonObject } from '../../../core/kernel/input/json.ts'
import { client, clientView } from '../../../core/payments/customers/client.ts'
import { crud } from '../api.ts'
import { clientExample, clientSent } from './client-example.ts'

/** What this generation takes; its metadata is an object. Source: 01-access.md, v1 client. */
const clientFields = {
  ...client.spec.input,
  metadata: nullIfAbsent(jsonObject({ about: 'Dados livres de quem cadastra' })),
}

const v1 = {
  createInput: input('NewClient', clientFields),
  updateInput: input('ClientChange', allOptional(clientFields)),
}

/** Source: 01-access.md, v1 clients. */
export const clientRows = crud({
  module: 'clients',
  resource: { ...client, ...v1 },
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
    change: { phone: '11 97777-0000', document: '529.982.247-25' },
    shown: clientExample,
  },
})
