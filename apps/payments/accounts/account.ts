import { t } from '../../../core/fp.ts'
import { body } from '../../../core/kernel/input/body.ts'
import { digits, email, secret } from '../../../core/kernel/input/fields/texts.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { sameAs } from '../../../core/kernel/input/rules.ts'
import { keyTokenView } from '../../../core/payments/access/sessions/signed-in.ts'
import { type AccountDetail, accountView } from '../../../core/payments/accounts/account-view.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { originOf } from '../origin.ts'
import { accountBody, accountChangeOf } from './account-body.ts'
import { accountChangeExample, accountExample, accountShape, changedAccountExample } from './account-shape.ts'
import { pinPrecondition } from './pin-precondition.ts'

const keyTokenShape = t.type({
  token: t.string,
  token_type: t.literal('Bearer'),
  expires_at: out.instant,
  permissions: t.array(t.string),
})

/** A logo of 2 MB in base64, and the rest. Source: decisions.md §12, Validation. */
const ACCOUNT_LIMIT_BYTES = 3 * 1_048_576
const UPDATED = 'Conta atualizada com sucesso.'
const PIN_SET = 'Pin definido com sucesso.'

const newPin = body({ pin: digits({ length: 6 }), confirm_pin: secret({ max: 255 }) }, sameAs('confirm_pin', 'pin'))

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
    output: accountShape,
    run: ({ core, actor }) => core.access.readAccount(actor),
    reply: json<AccountDetail>({
      key: 'account',
      message: 'Conta obtida com sucesso.',
      view: accountView,
    }),
    deprecated: { use: '/v1/organizations' },
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
    output: t.array(accountShape),
    run: ({ core, actor }) => core.access.listOwnAccounts(actor),
    reply: json({
      key: 'accounts',
      message: 'Contas listadas com sucesso.',
      view: (own: readonly AccountDetail[]) => own.map(accountView),
    }),
    deprecated: { use: '/v1/organizations' },
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
    input: { body: accountBody },
    output: accountShape,
    run: ({ core, actor }, { body: sent }) => core.accounts.update(actor, accountChangeOf(sent)),
    reply: json({ key: 'account', message: UPDATED, view: accountView }),
    deprecated: { use: '/v1/organizations' },
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
    input: { body: newPin },
    output: accountShape,
    run: ({ core, actor }, { body: { pin } }) => core.accounts.setPin(actor, pin),
    reply: json({ key: 'account', message: PIN_SET, view: accountView }),
    errors: { 'pin.set': { status: 400 } },
    deprecated: { use: '/v1/organizations' },
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
    input: { body: body({ email: email({ max: 255 }), token: secret({ max: 255 }) }) },
    output: keyTokenShape,
    run: ({ core, request }, { body: { email: holder, token: apiKey } }) =>
      core.sessions.exchangeKey({ email: holder, apiKey }, originOf(request)),
    reply: json({ message: 'Token gerado com sucesso.', view: keyTokenView }),
    errors: { 'login.throttled': { status: 429 } },
    deprecated: { use: '/v1/auth/*' },
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
