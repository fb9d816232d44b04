import { keyFilter, keyRotation, namedKeyChange, newNamedKey } from '../../../core/payments/access/manage-keys.ts'
import { issuedKeyView, namedKeyView, type ShownKey } from '../../../core/payments/access/named-key.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { confirmedPrecondition } from '../accounts.ts'
import { type AccountCall, route, succeedWith } from '../api.ts'

const keyExample = {
  id: 1,
  name: 'Loja virtual',
  status: 'active',
  ending: '1aZk',
  permissions: ['charges:read', 'charges:write'],
  addresses: ['203.0.113.0/24', '2001:db8::/32'],
  expires_at: '2031-11-21T10:05:09-03:00',
  revoked_at: null,
  successor_id: null,
  created_by: 1,
  last_used_at: null,
  last_used_address: null,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const issuedExample = { ...keyExample, key: 'portico_test_kVh2aQ0mZr8TgW5xYc3LdPq7Yw2Lr9Tn4Kd81h1aZk' }

const { name, permissions, addresses, expires_at } = keyExample

/** The body that creates the example key. */
export const keySent = { name, permissions, addresses, expires_at }

const shared = { area: 'Chaves de API', dialect: 'v1', auth: 'organization', permission: 'account:write' } as const

const one = {
  ...shared,
  paths: ['/v1/api-keys/:id'],
  record: ({ core, actor, request }: AccountCall) => core.apiKeys.read(actor, request.params.id ?? ''),
} as const

const shown = (message: string) => json({ key: 'api_key', message, view: namedKeyView })
const issued = (message: string) => json({ status: 201, key: 'api_key', message, view: issuedKeyView })
const given = { given: 'namedKey', request: { params: { id: '1' } } } as const

/** The named API keys of an account. No API key manages keys: none has `account:write`. */
export const apiKeyRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'api-keys.list',
    summary: 'Lista as chaves de API com nome, da mais nova à mais antiga',
    paths: ['/v1/api-keys'],
    input: { query: keyFilter },
    run: ({ core, actor }, { query }) => core.apiKeys.list(actor, query),
    reply: page<ShownKey>({ key: 'api_keys', message: 'Chaves de API listadas com sucesso.', view: namedKeyView }),
    example: { given: 'namedKey', data: keyExample },
  }),
  route({
    ...shared,
    name: 'api-keys.create',
    summary: 'Cria uma chave de API com nome e a mostra uma única vez',
    methods: ['POST'],
    paths: ['/v1/api-keys'],
    precondition: confirmedPrecondition,
    input: { body: newNamedKey },
    run: ({ core, actor }, { body }) => core.apiKeys.create(actor, body),
    reply: issued('Chave de API criada com sucesso.'),
    errors: { 'api-key.limit': {}, 'password.stale': {} },
    example: { given: 'confirmedOrganization', request: { body: keySent }, data: issuedExample },
  }),
  route({
    ...one,
    name: 'api-keys.show',
    summary: 'Mostra uma chave de API com nome, sem o seu texto',
    run: ({ record }) => succeedWith(record),
    reply: shown('Chave de API obtida com sucesso.'),
    errors: { 'api-key.unknown': {} },
    example: { ...given, data: keyExample },
  }),
  route({
    ...one,
    name: 'api-keys.update',
    summary: 'Altera nome, permissões, validade ou endereços de uma chave de API; um campo omitido fica como está',
    methods: ['PATCH'],
    precondition: confirmedPrecondition,
    input: { body: namedKeyChange },
    run: ({ core, actor, record }, { body }) => core.apiKeys.update(actor, record.id, body),
    reply: shown('Chave de API alterada com sucesso.'),
    errors: { 'api-key.unknown': {}, 'api-key.ended': {}, 'password.stale': {} },
    example: {
      ...given,
      request: { ...given.request, body: { name: 'Loja nova' } },
      data: { ...keyExample, name: 'Loja nova' },
    },
  }),
  route({
    ...one,
    name: 'api-keys.revoke',
    summary: 'Revoga uma chave de API, que deixa de valer no mesmo instante',
    methods: ['DELETE'],
    run: ({ core, actor, record }) => core.apiKeys.revoke(actor, record.id),
    reply: shown('Chave de API revogada com sucesso.'),
    errors: { 'api-key.unknown': {} },
    example: { ...given, data: { ...keyExample, status: 'revoked', revoked_at: '2030-11-21T10:20:00-03:00' } },
  }),
  route({
    ...one,
    name: 'api-keys.rotate',
    summary: 'Substitui uma chave de API por outra; a anterior ainda vale por `expires_in` segundos (24 h por padrão)',
    methods: ['POST'],
    paths: ['/v1/api-keys/:id/rotate'],
    precondition: confirmedPrecondition,
    input: { body: keyRotation },
    run: ({ core, actor, record }, { body }) => core.apiKeys.rotate(actor, record.id, body),
    reply: issued('Chave de API substituída com sucesso.'),
    errors: { 'api-key.unknown': {}, 'api-key.ended': {}, 'api-key.limit': {}, 'password.stale': {} },
    example: {
      ...given,
      request: { ...given.request, body: { expires_in: 3_600 } },
      data: { ...issuedExample, id: 2 },
    },
  }),
]
