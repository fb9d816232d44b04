import { allOptional, input, jsonObject, nullIfAbsent, oneOf, taxId, view } from '../../core/kernel/input/mod.ts'
import {
  type Client,
  client,
  clientView,
  labelled,
  newClientFields,
  payerFields,
} from '../../core/payments/customers/client.ts'
import { crud, V1_CRUD } from './api.ts'

/** An example of a client's input. */
const inputExample = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '529.982.247-25',
  type: 'individual',
  gender: 'female',
  birthdate: '1990-02-28',
  metadata: { origem: 'loja' },
}

/** An example of `clientView`. */
export const clientExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  ...inputExample,
  document: '52998224725',
  status: 'ACTIVE',
  address: null,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

/** The fields of v1, whose metadata is an object. */
const v1Fields = {
  ...client.spec.input,
  metadata: nullIfAbsent(jsonObject({ about: 'Dados livres de quem cadastra' })),
}

const v1 = { createInput: input('NewClient', v1Fields), updateInput: input('ClientChange', allOptional(v1Fields)) }

const noun = { one: 'cliente', many: 'clientes', gender: 'm' } as const

export const clientRows = crud({
  ...V1_CRUD,
  module: 'clients',
  resource: { ...client, ...v1 },
  view: clientView,
  area: 'Clientes',
  paths: ['/v1/clients'],
  permissions: { read: 'clients:read', write: 'clients:write' },
  unpaged: true,
  filtered: false,
  noun,
  words: {
    list: { summary: 'Lista os clientes da organização, do mais novo ao mais antigo' },
    create: { summary: 'Cria um cliente na organização' },
    show: { summary: 'Mostra um cliente da organização' },
    update: { summary: 'Altera um cliente da organização' },
    remove: { summary: 'Remove um cliente da organização' },
  },
  example: { sent: inputExample, change: { phone: '11 97777-0000', document: '529.982.247-25' }, shown: clientExample },
})

/** The fields of the legacy routes, whose metadata is a list of labelled values. */
const legacyFields = {
  ...newClientFields,
  email: payerFields.email,
  type: oneOf(['individual', 'company'], { about: 'Pessoa física ou jurídica' }),
  metadata: nullIfAbsent(labelled({ about: 'Dados livres de quem cadastra, cada um com seu rótulo' })),
}

// A change ignores the document of a client.
const { document: _, ...changeable } = legacyFields

const legacy = {
  createInput: input('LegacyNewClient', {
    ...legacyFields,
    document: taxId({ about: 'CPF ou CNPJ, único entre os clientes da conta' }),
  }),
  updateInput: input('LegacyClientChange', allOptional(changeable)),
}

const legacyClientView = view('LegacyClient', { ...clientView.table, fbId: newClientFields.fbId }, (of: Client) => of)

const address = {
  street: 'Rua das Flores',
  number: '100',
  city: 'São Paulo',
  state: 'SP',
  zip: '01310-100',
  country: null,
  observation: null,
}
const legacyExample = { metadata: [{ label: 'origem', value: 'loja' }], address, fb_id: '10158' }

const spec = {
  module: 'clients',
  name: 'legacy-clients',
  resource: { ...client, ...legacy },
  view: legacyClientView,
  area: 'Clientes (legado)',
  paths: ['/clients', '/billing/clients'],
  by: 'either',
  dialect: 'envelope',
  auth: 'account',
  permissions: { read: 'clients:read', write: 'clients:write' },
  put: 'merges',
  unpaged: false,
  filtered: true,
  keys: { one: 'data', many: 'data' },
  noun,
  words: {
    list: { summary: 'Lista os clientes da conta, do mais novo ao mais antigo' },
    create: { summary: 'Cria um cliente da conta', message: 'Cliente criado com sucesso!', status: 200 },
    show: { summary: 'Mostra um cliente, por id ou código', message: 'Informações sobre o cliente' },
    update: {
      summary: 'Altera um cliente, por id ou código; o documento fica',
      message: 'Cliente atualizado com sucesso!',
      status: 201,
    },
    remove: { summary: 'Remove um cliente, por id ou código', message: 'Cliente apagado com sucesso!', status: 204 },
  },
  example: {
    given: 'legacyClient',
    sent: { ...inputExample, ...legacyExample, fb_access_token: 'EAAB-segredo' },
    change: { phone: '11 97777-0000', address },
    shown: { ...clientExample, ...legacyExample },
  },
} as const

// The list is not deprecated: v1 has none with filters.
export const legacyClientRows = [
  ...crud({ ...spec, only: ['list'] }),
  ...crud({ ...spec, deprecated: { use: '/v1/clients' }, only: ['create', 'show', 'update', 'remove'] }),
]
