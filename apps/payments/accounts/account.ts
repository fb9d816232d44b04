import { clearable } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { sameAs } from '../../../core/kernel/input/rules.ts'
import { pick } from '../../../core/kernel/input/table.ts'
import { secret } from '../../../core/kernel/input/texts.ts'
import { viewEach } from '../../../core/kernel/input/view.ts'
import { apiKeyCredentials } from '../../../core/payments/access/api-keys.ts'
import { keyTokenView } from '../../../core/payments/access/session.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { accountChangeFields, logo, strongPin } from '../../../core/payments/accounts/update-account.ts'
import { accountView } from '../../../core/payments/accounts/views.ts'
import { imageFileOrUri } from '../../http/bodies/image.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { originOf } from '../origin.ts'
import { accountChangeExample, accountExample, changedAccountExample } from './account-example.ts'
import { pinPrecondition } from './pin-precondition.ts'

/** A logo of 2 MB in base64, and the rest. Source: decisions.md §12, Validation. */
const ACCOUNT_LIMIT_BYTES = 3 * 1_048_576
const UPDATED = 'Conta atualizada com sucesso.'
const PIN_SET = 'Pin definido com sucesso.'

const accountForm = input('AccountChange', { ...accountChangeFields, logo: clearable(imageFileOrUri(logo)) }, strongPin)

const pinForm = input(
  'FirstPin',
  { ...pick(pinFields, 'pin'), confirmPin: secret({ max: 255, about: 'O PIN, outra vez' }) },
  sameAs('confirmPin', 'pin'),
)

/** Source: 01-access.md, Legacy account. */
export const accountRows: readonly AnyRow[] = [
  route({
    name: 'account.show',
    area: 'Conta',
    summary: 'Mostra a conta ativa',
    methods: ['GET'],
    paths: ['/access/account'],
    dialect: 'envelope',
    auth: 'account',
    input: {},
    run: ({ core, actor }) => core.access.readAccount(actor),
    reply: json({ key: 'account', message: 'Conta obtida com sucesso.', view: accountView }),
    errors: { 'account.unknown': {} },
    example: {
      given: 'organization',
      reply: { code: 200, success: true, account: accountExample, message: 'Conta obtida com sucesso.' },
    },
  }),
  route({
    name: 'accounts.list',
    area: 'Conta',
    summary: 'Lista as contas do usuário',
    methods: ['GET'],
    paths: ['/access/accounts'],
    dialect: 'envelope',
    auth: 'anySession',
    input: {},
    run: ({ core, actor }) => core.access.listOwnAccounts(actor),
    reply: json({ key: 'accounts', message: 'Contas listadas com sucesso.', view: viewEach(accountView) }),
    example: {
      given: 'organization',
      reply: { code: 200, success: true, accounts: [accountExample], message: 'Contas listadas com sucesso.' },
    },
  }),
  route({
    name: 'account.update',
    area: 'Conta',
    summary: 'Altera a conta ativa, com o PIN dela',
    methods: ['PUT'],
    paths: ['/access/account', '/access/accounts'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'account:write',
    body: { kinds: ['json', 'multipart'], limits: { json: ACCOUNT_LIMIT_BYTES } },
    precondition: pinPrecondition,
    input: { body: accountForm },
    run: ({ core, actor }, { body: sent }) => core.accounts.update(actor, sent),
    reply: json({ key: 'account', message: UPDATED, view: accountView }),
    errors: { 'account.unknown': {}, 'pin.missing': {}, 'pin.none': {}, 'pin.locked': {}, 'pin.wrong': {} },
    example: {
      given: 'pinned',
      request: { body: accountChangeExample },
      reply: { code: 200, success: true, account: changedAccountExample, message: UPDATED },
    },
  }),
  route({
    name: 'account.set-pin',
    area: 'Conta',
    summary: 'Define o PIN da conta ativa',
    methods: ['POST'],
    paths: ['/access/account/pin'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'account:write',
    input: { body: pinForm },
    run: ({ core, actor }, { body: sent }) => core.accounts.setPin(actor, sent),
    reply: json({ key: 'account', message: PIN_SET, view: accountView }),
    errors: { 'account.unknown': {}, 'pin.set': { status: 400 } },
    example: {
      given: 'organization',
      request: { body: { pin: '135790', confirm_pin: '135790' } },
      reply: { code: 200, success: true, account: { ...accountExample, has_pin: true }, message: PIN_SET },
    },
  }),
  route({
    name: 'account.get-token',
    area: 'Conta',
    summary: 'Troca a chave de API da conta por um token de 10 minutos',
    methods: ['POST'],
    paths: ['/access/account/get-token'],
    dialect: 'envelope',
    auth: 'public',
    input: { body: apiKeyCredentials },
    run: ({ core, request }, { body: sent }) => core.sessions.exchangeKey(sent, originOf(request)),
    reply: json({ message: 'Token gerado com sucesso.', view: keyTokenView }),
    errors: { 'key.wrong': {}, 'login.throttled': { status: 429 } },
    example: {
      given: 'keyHolder',
      request: { body: { email: 'maria@example.com', token: 'q7Yw2Lr9Tn4Kd8Vb3Xc6Zm1Hs5Gj0Pf7Aq2We9Rt' } },
      reply: {
        code: 200,
        success: true,
        data: {
          token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
          token_type: 'Bearer',
          expires_at: '2030-11-21T10:15:09-03:00',
          permissions: ['charges:read'],
        },
        message: 'Token gerado com sucesso.',
      },
    },
  }),
]
