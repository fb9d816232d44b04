import { clearable, input, pick, sameAs, secret, viewEach } from '../../core/kernel/input/mod.ts'
import { apiKeyCredentials } from '../../core/payments/access/api-keys.ts'
import type { Member } from '../../core/payments/access/authenticate.ts'
import { keyTokenView } from '../../core/payments/access/session.ts'
import { pinFields } from '../../core/payments/accounts/account.ts'
import { accountChangeFields, logo, strongPin } from '../../core/payments/accounts/update-account.ts'
import { accountView, type OpenedImage } from '../../core/payments/accounts/views.ts'
import type { Payments } from '../../core/payments/payments.ts'
import { imageFileOrUri } from '../http/bodies/image.ts'
import { json } from '../http/replies/json-reply.ts'
import { bytes } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { originOf, route, succeedWith } from './api.ts'

/** A request of a member, as a precondition checks it. */
export interface MemberCall {
  readonly core: Payments
  readonly actor: Member
}

/** Checks the PIN of the account before the rest of the body is validated. */
export const pinPrecondition = {
  fields: pick(pinFields, 'pin'),
  pass: ({ core, actor }: MemberCall, sent: unknown) =>
    core.accounts.checkPin(actor, typeof sent === 'object' && sent !== null && 'pin' in sent ? sent.pin : undefined),
}

/** The failures of `pinPrecondition`. */
export const pinErrors = { 'pin.missing': {}, 'pin.none': {}, 'pin.locked': {}, 'pin.wrong': {} } as const

/** Checks that the password is recent, also before a repeated key returns a stored answer with secrets. */
export const passwordPrecondition = {
  fields: {},
  pass: ({ core, actor }: MemberCall) => core.accounts.checkPasswordRecent(actor),
}

/** Checks that the password was sent recently, in every session, also before a repeated key returns a stored key. */
export const confirmedPrecondition = {
  fields: {},
  pass: ({ core, actor }: MemberCall) => core.accounts.checkPasswordConfirmed(actor),
}

/** An example of `accountView`. */
export const accountExample = {
  id: 1,
  code_account: 'kVh2aQ0mZr8TgW5xYc3LdP',
  client_id: null,
  name: 'Padaria Central',
  email: 'contato@padaria.com.br',
  document: '11222333000181',
  agency: '0001',
  account: '12345-6',
  token: 'q7Yw2Lr9Tn4Kd8Vb3Xc6Zm1Hs5Gj0Pf7Aq2We9Rt',
  webhook_secret: 'whsec_3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  status: { code: 1, title: 'Ativa' },
  webhook_url: null,
  path_logo: null,
  bank: '748',
  bank_id: 25,
  address: null,
  smtp: null,
  notification_rules: null,
  boleto_configs: null,
  taxes: { pix_in: 0, pix_out: 0, boleto_in: 0, boleto: 0, bolepix: 0, fee: 0 },
  limits: {
    pix_out_per_transaction: null,
    pix_out_daily: null,
    pix_out_nightly: null,
    charge_min: null,
    charge_max: null,
  },
  has_pin: false,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const settingsExample = {
  address: { street: 'Rua das Flores', number: '100', city: 'Porto Alegre', state: 'RS', zip_code: '90000000' },
  notification_rules: {
    on_payment: { enabled: true, message: 'Recebemos seu pagamento. Obrigado!', channels: ['email'] },
    before_due: { enabled: true, message: null, channels: ['email', 'whatsapp'], days: 3 },
  },
  boleto_configs: {
    ...{ rate: 1, type_rate: 'PERCENTAGE', fine: 2, type_fine: 'PERCENTAGE' },
    ...{ discount: 5, type_discount: 'PERCENTAGE' },
  },
}

const smtpExample = {
  host: 'smtp.padaria.example',
  port: 587,
  user: 'contato',
  encryption: 'tls',
  from_name: 'Padaria Central',
  from_address: 'contato@padaria.example',
}

const accountChangeExample = {
  pin: '135790',
  name: 'Padaria Central',
  webhook_url: 'https://padaria.example/webhooks',
  ...settingsExample,
  smtp: { ...smtpExample, password: 'segredo do servidor' },
}

const { on_payment, before_due } = settingsExample.notification_rules

/** The account after `accountChangeExample`. */
const changedAccountExample = {
  ...accountExample,
  webhook_url: 'https://padaria.example/webhooks',
  ...settingsExample,
  notification_rules: {
    on_creation: null,
    on_payment: { ...on_payment, days: null },
    before_due,
    after_due: null,
    on_due: null,
    on_update: null,
    on_delete: null,
  },
  smtp: smtpExample,
  has_pin: true,
}

/** Room for a logo of 2 MB in base64 and the other fields. */
const ACCOUNT_LIMIT_BYTES = 3 * 1_048_576

const accountForm = input('AccountChange', { ...accountChangeFields, logo: clearable(imageFileOrUri(logo)) }, strongPin)

const pinForm = input(
  'FirstPin',
  { ...pick(pinFields, 'pin'), confirmPin: secret({ max: 255, about: 'O PIN, outra vez' }) },
  sameAs('confirmPin', 'pin'),
)

const shared = { area: 'Conta', dialect: 'envelope' } as const

/** Accounts: settings, PIN, API key and logo. `path_logo` leads to a logo, which needs no token. */
export const accountRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'account.show',
    summary: 'Mostra a conta ativa',
    paths: ['/access/account'],
    auth: 'account',
    run: ({ core, actor }) => core.access.readAccount(actor),
    reply: json({ key: 'account', message: 'Conta obtida com sucesso.', view: accountView }),
    errors: { 'account.unknown': {} },
    example: { given: 'organization', data: accountExample },
  }),
  route({
    ...shared,
    name: 'accounts.list',
    summary: 'Lista as contas do usuário',
    paths: ['/access/accounts'],
    auth: 'anySession',
    run: ({ core, actor }) => core.access.listOwnAccounts(actor),
    reply: json({ key: 'accounts', message: 'Contas listadas com sucesso.', view: viewEach(accountView) }),
    example: { given: 'organization', data: [accountExample] },
  }),
  route({
    ...shared,
    name: 'account.update',
    summary: 'Altera a conta ativa, com o PIN dela',
    methods: ['PUT'],
    paths: ['/access/account', '/access/accounts'],
    auth: 'account',
    permission: 'account:write',
    body: { kinds: ['json', 'multipart'], limits: { json: ACCOUNT_LIMIT_BYTES } },
    precondition: pinPrecondition,
    input: { body: accountForm },
    run: ({ core, actor }, { body: sent }) => core.accounts.update(actor, sent),
    reply: json({ key: 'account', message: 'Conta atualizada com sucesso.', view: accountView }),
    errors: { 'account.unknown': {}, ...pinErrors, 'password.stale': {} },
    example: { given: 'pinned', request: { body: accountChangeExample }, data: changedAccountExample },
  }),
  route({
    ...shared,
    name: 'account.set-pin',
    summary: 'Define o PIN da conta ativa',
    methods: ['POST'],
    paths: ['/access/account/pin'],
    auth: 'account',
    permission: 'account:write',
    precondition: passwordPrecondition,
    input: { body: pinForm },
    run: ({ core, actor }, { body: sent }) => core.accounts.setPin(actor, sent),
    reply: json({ key: 'account', message: 'Pin definido com sucesso.', view: accountView }),
    errors: { 'account.unknown': {}, 'pin.set': { status: 400 }, 'password.stale': {} },
    example: {
      given: 'organization',
      request: { body: { pin: '135790', confirm_pin: '135790' } },
      data: { ...accountExample, has_pin: true },
    },
  }),
  route({
    ...shared,
    name: 'account.get-token',
    summary: 'Troca a chave de API da conta por um token de 10 minutos',
    methods: ['POST'],
    paths: ['/access/account/get-token'],
    auth: 'public',
    input: { body: apiKeyCredentials },
    run: ({ core, request }, { body: sent }) => core.sessions.exchangeKey(sent, originOf(request)),
    reply: json({ message: 'Token gerado com sucesso.', view: keyTokenView }),
    errors: { 'key.wrong': {}, 'login.throttled': { status: 429 } },
    example: {
      given: 'keyHolder',
      request: { body: { email: 'maria@example.com', token: 'q7Yw2Lr9Tn4Kd8Vb3Xc6Zm1Hs5Gj0Pf7Aq2We9Rt' } },
      data: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_at: '2030-11-21T10:15:09-03:00',
        permissions: ['charges:read'],
      },
    },
  }),
  route({
    ...shared,
    name: 'logo.show',
    summary: 'Mostra o logotipo de uma conta',
    paths: ['/storage/logos/:id', '/api/storage/logos/:id'],
    auth: 'public',
    record: ({ core, request }) => core.accounts.openLogo(request.params.id ?? ''),
    run: ({ record }) => succeedWith(record),
    reply: bytes<OpenedImage>({
      type: ({ contentType }) => contentType,
      docType: 'image/*',
      // A new logo has a new address.
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      chunks: ({ chunks }) => chunks,
    }),
    errors: { 'logo.unknown': {} },
    example: { given: 'logo', request: { params: { id: '3f2b8c1e-0d4a-4b6c-9e8f-7a6b5c4d3e2f' } } },
  }),
]
