import { view, viewEach } from '../../core/kernel/input/mod.ts'
import { type AuditRecord, auditFilter, auditRecordView } from '../../core/payments/access/audit-trail.ts'
import { accessView } from '../../core/payments/access/organizations.ts'
import { secretsView } from '../../core/payments/accounts/change-account.ts'
import { type AccountDetail, accountView } from '../../core/payments/accounts/views.ts'
import { messagePreview, previewedMessageView } from '../../core/payments/reminders/preview.ts'
import { limitUseView } from '../../core/payments/withdrawals/limits.ts'
import { json, page } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { accountExample, confirmedPrecondition } from './accounts.ts'
import { route } from './api.ts'

const { token: _, webhookSecret: __, ...withoutSecrets } = accountView.table

/** An account without its API key and webhook secret. */
const settingsView = view('AccountSettings', withoutSecrets, (detail: AccountDetail) => accountView.of(detail))

const { token: apiKey, webhook_secret, ...settingsExample } = accountExample

const secretsExample = { api_key: apiKey, webhook_secret }

const shared = { area: 'Conta', dialect: 'v1', auth: 'organization' } as const

/** The settings of an account, its secrets, its limits and its audit trail. */
export const accountSettingRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'account-settings.show',
    summary: 'Mostra a conta ativa, sem segredos',
    paths: ['/v1/account'],
    run: ({ core, actor }) => core.access.readAccount({ ...actor, permissions: [] }),
    reply: json({ key: 'account', message: 'Conta obtida com sucesso.', view: settingsView }),
    errors: { 'account.unknown': {} },
    example: { given: 'organization', data: settingsExample },
  }),
  route({
    ...shared,
    name: 'account-settings.access',
    summary: 'Mostra o que o usuário pode na conta ativa, e se falta a senha outra vez',
    paths: ['/v1/account/access'],
    run: ({ core, actor }) => core.access.readAccess(actor),
    reply: json({ key: 'access', message: 'Acesso obtido com sucesso.', view: accessView }),
    example: {
      given: 'organization',
      data: {
        role: { id: 1, name: 'ADMIN' },
        permissions: ['charges:read'],
        password_required: false,
        has_pin: false,
        organization: { id: 1, name: 'Padaria Central', status: 'INACTIVE' },
      },
    },
  }),
  route({
    ...shared,
    name: 'account-settings.secrets',
    summary: 'Mostra a chave de API e o segredo dos webhooks',
    paths: ['/v1/account/secrets'],
    permission: 'account:write',
    run: ({ core, actor }) => core.accounts.readSecrets(actor),
    reply: json({ key: 'secrets', message: 'Segredos obtidos com sucesso.', view: secretsView }),
    errors: { 'account.unknown': {}, 'password.stale': {} },
    example: { given: 'organization', data: secretsExample },
  }),
  route({
    ...shared,
    name: 'account-settings.replace-key',
    summary: 'Troca a chave de API; a anterior deixa de valer no mesmo instante, e os tokens dela, em até 10 minutos',
    methods: ['POST'],
    paths: ['/v1/account/api-key'],
    permission: 'account:write',
    precondition: confirmedPrecondition,
    run: ({ core, actor }) => core.accounts.replaceApiKey(actor),
    reply: json({ status: 201, key: 'secrets', message: 'Chave de API trocada com sucesso.', view: secretsView }),
    errors: { 'account.unknown': {}, 'password.stale': {} },
    example: { given: 'confirmedOrganization', data: secretsExample },
  }),
  route({
    ...shared,
    name: 'account-settings.limits',
    summary: 'Mostra os limites de saída da conta, e quanto resta de cada um',
    paths: ['/v1/account/limits'],
    permission: 'withdrawals:read',
    run: ({ core, actor }) => core.withdrawals.readLimits(actor),
    reply: json({ key: 'limits', message: 'Limites obtidos com sucesso.', view: viewEach(limitUseView) }),
    errors: { 'account.unknown': {} },
    example: {
      given: 'withdrawn',
      data: [
        { kind: 'pix_out', period: 'transaction', limit: null, used: null, left: null, resets_at: null },
        { kind: 'pix_out', period: 'day', limit: null, used: 10, left: null, resets_at: '2030-11-22T00:00:00-03:00' },
        { kind: 'pix_out', period: 'night', limit: null, used: null, left: null, resets_at: null },
      ],
    },
  }),
  route({
    ...shared,
    name: 'account-settings.preview-message',
    summary: 'Mostra a mensagem de um aviso ao pagador, com dados de exemplo; nada é enviado',
    methods: ['POST'],
    paths: ['/v1/account/message-preview'],
    permission: 'charges:read',
    // It stores nothing: a blocked organization reads it too, and a repeat needs no key.
    accountWritable: false,
    key: false,
    input: { body: messagePreview },
    run: ({ core, actor }, { body }) => core.reminders.preview(actor, body),
    reply: json({ key: 'preview', message: 'Mensagem montada com sucesso.', view: previewedMessageView }),
    errors: { 'account.unknown': {} },
    example: {
      given: 'organization',
      request: { body: { rule: 'on_delete', channel: 'sms' } },
      data: {
        channel: 'sms',
        subject: null,
        html: null,
        text: 'Padaria Central: Uma cobrança sua foi cancelada. Não é preciso pagá-la.\nValor: R$ 150,50\nVencimento: 28/11/2030',
      },
    },
  }),
  route({
    ...shared,
    name: 'account-settings.audit',
    summary: 'Lista o que foi alterado na conta e na equipe, do mais novo ao mais antigo',
    paths: ['/v1/account/audit'],
    permission: 'account:write',
    input: { query: auditFilter },
    run: ({ core, actor }, { query }) => core.access.listAudit(actor, query),
    reply: page<AuditRecord>({ key: 'audit', message: 'Trilha listada com sucesso.', view: auditRecordView }),
    example: {
      given: 'organization',
      data: {
        id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
        created_at: '2030-11-21T10:05:09-03:00',
        action: 'account.opened',
        title: 'Conta aberta',
        actor: { id: 1, name: 'Maria da Silva' },
        subject: 'account:1',
        changes: {
          name: { from: null, to: 'Padaria Central' },
          email: { from: null, to: 'contato@padaria.com.br' },
          document: { from: null, to: '11222333000181' },
          agency: { from: null, to: '0001' },
          account: { from: null, to: '12345-6' },
          pixKey: { from: null, to: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10' },
          bankCode: { from: null, to: '748' },
        },
        address: '203.0.113.7',
        device: 'teste',
      },
    },
  }),
]
