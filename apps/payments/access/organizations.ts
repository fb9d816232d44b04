import { flatMap } from '../../../core/failure.ts'
import { field, input, optional, paging, pick, text } from '../../../core/kernel/input/mod.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Member } from '../../../core/payments/access/authenticate.ts'
import { organizationChangeFields, organizationView } from '../../../core/payments/access/organizations.ts'
import { accountFields, type ShownAccount } from '../../../core/payments/accounts/account.ts'
import { json, list } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { requestedPage, route, succeedWith } from '../api.ts'

const MAX_DOCUMENT = 20
const anyTaxId = accountFields.document

/** A CPF or CNPJ of at most 20 characters, punctuation included. */
const document = field(
  {
    ...anyTaxId,
    schema: { ...anyTaxId.schema, maxLength: MAX_DOCUMENT },
    read: (sent) => flatMap(() => anyTaxId.read(sent))(text({ max: MAX_DOCUMENT }).read(sent)),
  },
  { about: anyTaxId.about },
)

const newOrganization = input('NewOrganization', { ...pick(accountFields, 'name', 'email'), document })

const organizationChange = input('OrganizationChange', { ...organizationChangeFields, document: optional(document) })

/** Returns the organization in the path, which the auth scheme has read. */
const ownOrganization = ({ actor: { account } }: { readonly actor: Member }): UseCase<ShownAccount, never> =>
  succeedWith(account)

const organizationExample = {
  id: 1,
  uuid: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  name: 'Padaria Central',
  email: 'contato@padaria.com.br',
  document: '11222333000181',
  status: 'INACTIVE',
}

const shared = { area: 'Organizações', dialect: 'v1' } as const

const one = { ...shared, paths: ['/v1/organizations/:id'], auth: 'pathOrganization', record: ownOrganization } as const

export const organizationRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'organizations.list',
    summary: 'Lista as organizações do usuário',
    paths: ['/v1/organizations'],
    auth: 'anySession',
    input: { query: paging },
    run: ({ core, actor, request }, { query }) => core.organizations.list(actor, requestedPage(request, query)),
    reply: list<ShownAccount>({
      key: 'organizations',
      message: 'Organizações listadas com sucesso.',
      view: organizationView,
    }),
    example: { given: 'organization', data: organizationExample },
  }),
  route({
    ...shared,
    name: 'organizations.create',
    summary: 'Cria uma organização e abre sua conta no banco',
    methods: ['POST'],
    paths: ['/v1/organizations'],
    auth: 'session',
    input: { body: newOrganization },
    run: ({ core, actor }, { body: sent }) => core.openings.open(actor, sent),
    resume: ({ core }, intent) => core.openings.resume(intent),
    reply: json({
      status: 201,
      key: 'organization',
      message: 'Organização criada com sucesso.',
      view: organizationView,
    }),
    errors: {
      'permission.lacking': {},
      'organization.limit': {},
      'opening.unknown': {},
      'bank.unsupported': {},
      'bank.refused': { status: 422, message: 'O banco recusou a abertura da conta: {reason}' },
      'bank.unavailable': { status: 503, message: 'O banco não respondeu. Tente novamente em instantes.' },
    },
    example: {
      given: 'user',
      request: { body: { name: 'Padaria Central', email: 'contato@padaria.com.br', document: '11.222.333/0001-81' } },
      data: organizationExample,
    },
  }),
  route({
    ...one,
    name: 'organizations.show',
    summary: 'Mostra uma organização do usuário',
    run: ({ record }) => succeedWith(record),
    reply: json({ key: 'organization', message: 'Organização obtida com sucesso.', view: organizationView }),
    example: { given: 'organization', request: { params: { id: '1' } }, data: organizationExample },
  }),
  route({
    ...one,
    name: 'organizations.update',
    summary: 'Altera uma organização do usuário',
    methods: ['PUT', 'PATCH'],
    permission: 'account:write',
    // A blocked organization is unblocked here.
    accountWritable: false,
    input: { body: organizationChange },
    run: ({ core, actor }, { body: sent }) => core.organizations.update(actor, sent),
    reply: json({ key: 'organization', message: 'Organização atualizada com sucesso.', view: organizationView }),
    errors: { 'organization.unknown': {}, 'password.stale': {} },
    example: {
      given: 'organization',
      request: { params: { id: '1' }, body: { status: 'ACTIVE', document: '11.222.333/0001-81' } },
      data: { ...organizationExample, status: 'ACTIVE' },
    },
  }),
  route({
    ...one,
    name: 'organizations.remove',
    summary: 'Remove uma organização do usuário',
    methods: ['DELETE'],
    permission: 'account:write',
    accountWritable: false,
    run: ({ core, actor }) => core.organizations.remove(actor),
    reply: json({ message: 'Organização removida com sucesso.' }),
    errors: {
      'organization.unknown': {},
      'organization.funds': {},
      'organization.pending': {},
      'password.stale': {},
      'second-factor.required': {},
    },
    example: { given: 'organization', request: { params: { id: '1' } } },
  }),
]
