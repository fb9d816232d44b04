import { viewEach } from '../../../core/kernel/input/mod.ts'
import { challengeView } from '../../../core/payments/challenges/challenge.ts'
import { challengeCode, logInCode } from '../../../core/payments/second-factor/code-proof.ts'
import { policyChange, policyView } from '../../../core/payments/second-factor/policy.ts'
import { provedView, secondStepView } from '../../../core/payments/second-factor/second-step.ts'
import {
  factorRemoval,
  factorView,
  recoveryCodesView,
  setUpConfirmation,
  setUpStart,
  setUpView,
} from '../../../core/payments/second-factor/set-up.ts'
import { trustedDeviceView } from '../../../core/payments/second-factor/trusted-devices.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { passwordPrecondition } from '../accounts.ts'
import { originOf, route } from '../api.ts'
import { tokenExample } from './authentication.ts'

const shared = { area: 'Segundo fator', dialect: 'v1', methods: ['POST'] } as const
const own = { ...shared, auth: 'session' } as const

/** Requests whose reply contains a secret that is shown once, or whose code is used once. */
const UNREPEATABLE = { key: false } as const

const CHALLENGE = 'kVh2aQ0mZr8TgW5xYc3LdPq7Yw2Lr9Tn4Kd8Vb3X'
const EXPIRY = '2030-11-21T10:10:09-03:00'
const CODE = '287082'

const proofErrors = { 'second-factor.wrong': {}, 'second-factor.locked': {} } as const
const personErrors = { 'permission.lacking': {}, 'token.invalid': {} } as const
const passwordErrors = { 'password.wrong': { status: 403 }, 'login.throttled': {} } as const

const recoveryExample = { recovery_codes: ['K7QM-3XHT-P9VB-W2DR', 'Z4NC-8JLE-T6GA-R5SY'] }

/** The second step of a log-in, and the second factor of a person. */
export const secondFactorRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'second-factor.complete-login',
    summary: 'Conclui um login que respondeu 202: confere o código e abre a sessão',
    paths: ['/v1/auth/second-step'],
    auth: 'public',
    input: { body: logInCode },
    run: ({ core, request }, { body }) => core.secondFactor.completeLogIn(body, originOf(request)),
    reply: json({ message: 'Login realizado com sucesso.', view: secondStepView }),
    errors: { 'challenge.ended': {}, ...proofErrors },
    example: {
      given: 'challenged',
      request: { body: { challenge: CHALLENGE, code: CODE } },
      data: { ...tokenExample, device_token: null },
    },
  }),
  route({
    ...own,
    methods: ['GET'],
    name: 'second-factor.show',
    summary: 'Mostra o segundo fator do usuário, sem segredos',
    paths: ['/v1/second-factor'],
    run: ({ core, actor }) => core.secondFactor.read(actor),
    reply: json({ message: 'Segundo fator obtido com sucesso.', view: factorView }),
    errors: personErrors,
    example: {
      given: 'user',
      data: { enabled: false, app: false, passkeys: 0, recovery_codes_left: 0, locked_until: null },
    },
  }),
  route({
    ...own,
    ...UNREPEATABLE,
    name: 'second-factor.start',
    summary: 'Começa a ativar um aplicativo autenticador: mostra o segredo e o QR code, uma vez',
    paths: ['/v1/second-factor'],
    input: { body: setUpStart },
    run: ({ core, actor, request }, { body }) => core.secondFactor.start(actor, body, originOf(request)),
    reply: json({ status: 201, message: 'Leia o QR code e confirme com o primeiro código.', view: setUpView }),
    errors: { ...personErrors, ...passwordErrors, 'second-factor.set': {} },
    example: {
      given: 'user',
      request: { body: { password: 'correto e longo' } },
      data: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Portico:maria%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Portico',
        qr_code: 'data:image/png;base64,iVBORw0KGgo=',
        expires_at: EXPIRY,
      },
    },
  }),
  route({
    ...own,
    ...UNREPEATABLE,
    name: 'second-factor.confirm',
    summary: 'Ativa o aplicativo pelo primeiro código; mostra dez códigos de recuperação, uma vez',
    paths: ['/v1/second-factor/confirm'],
    input: { body: setUpConfirmation },
    run: ({ core, actor, request }, { body }) => core.secondFactor.confirm(actor, body, originOf(request)),
    reply: json({ message: 'Segundo fator ativado com sucesso.', view: recoveryCodesView }),
    errors: { ...personErrors, 'second-factor.no-set-up': {}, ...proofErrors },
    example: { given: 'settingUp', request: { body: { code: CODE } }, data: recoveryExample },
  }),
  route({
    ...own,
    ...UNREPEATABLE,
    name: 'second-factor.replace-recovery-codes',
    summary: 'Troca os códigos de recuperação por dez novos, mostrados uma vez',
    paths: ['/v1/second-factor/recovery-codes'],
    input: { body: setUpConfirmation },
    run: ({ core, actor, request }, { body }) => core.secondFactor.replaceRecoveryCodes(actor, body, originOf(request)),
    reply: json({ message: 'Códigos de recuperação trocados com sucesso.', view: recoveryCodesView }),
    errors: { ...personErrors, 'second-factor.off': {}, ...proofErrors },
    example: { given: 'secured', request: { body: { code: CODE } }, data: recoveryExample },
  }),
  route({
    ...own,
    ...UNREPEATABLE,
    name: 'second-factor.remove',
    summary: 'Desativa o aplicativo e os códigos de recuperação, com a senha e um código',
    paths: ['/v1/second-factor/remove'],
    input: { body: factorRemoval },
    run: ({ core, actor, request }, { body }) => core.secondFactor.remove(actor, body, originOf(request)),
    reply: json({ message: 'Segundo fator desativado com sucesso.' }),
    errors: { ...personErrors, ...passwordErrors, 'second-factor.off': {}, ...proofErrors },
    example: { given: 'secured', request: { body: { password: 'correto e longo', code: CODE } } },
  }),
  route({
    ...own,
    ...UNREPEATABLE,
    name: 'second-factor.challenge',
    summary: 'Pede um desafio, que depois de respondido confirma um saque, uma transferência ou uma alteração',
    paths: ['/v1/second-factor/challenges'],
    run: ({ core, actor, request }) => core.secondFactor.challenge(actor, originOf(request)),
    reply: json({ status: 201, message: 'Responda ao desafio em até 5 minutos.', view: challengeView }),
    errors: { ...personErrors, 'second-factor.off': {} },
    example: {
      given: 'secured',
      data: { challenge: CHALLENGE, accepts: ['totp', 'recovery-code'], expires_at: EXPIRY },
    },
  }),
  route({
    ...own,
    ...UNREPEATABLE,
    name: 'second-factor.prove',
    summary: 'Responde a um desafio com um código; envie depois o desafio no cabeçalho X-Second-Factor',
    paths: ['/v1/second-factor/proofs'],
    input: { body: challengeCode },
    run: ({ core, actor, request }, { body }) => core.secondFactor.prove(actor, body, originOf(request)),
    reply: json({ message: 'Desafio respondido com sucesso.', view: provedView }),
    errors: { 'permission.lacking': {}, 'challenge.ended': {}, ...proofErrors },
    example: {
      given: 'confirming',
      request: { body: { challenge: CHALLENGE, code: CODE } },
      data: { challenge: CHALLENGE, expires_at: EXPIRY },
    },
  }),
]

const deviceExample = {
  id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  device: 'teste',
  address: '203.0.113.7',
  created_at: '2030-11-21T10:05:09-03:00',
  last_used_at: '2030-11-21T10:05:09-03:00',
  expires_at: '2030-12-21T10:05:09-03:00',
}

/** The devices on which a person need not prove the second factor. */
export const trustedDeviceRows: readonly AnyRow[] = [
  route({
    ...own,
    methods: ['GET'],
    name: 'trusted-devices.list',
    summary: 'Lista os dispositivos confiáveis do usuário, que por 30 dias dispensam o segundo fator',
    paths: ['/v1/trusted-devices'],
    run: ({ core, actor }) => core.secondFactor.listDevices(actor),
    reply: json({
      key: 'trusted_devices',
      message: 'Dispositivos confiáveis listados com sucesso.',
      view: viewEach(trustedDeviceView),
    }),
    errors: { 'permission.lacking': {} },
    example: { given: 'trusting', data: [deviceExample] },
  }),
  route({
    ...own,
    methods: ['DELETE'],
    name: 'trusted-devices.remove',
    summary: 'Remove um dispositivo confiável do usuário',
    paths: ['/v1/trusted-devices/:id'],
    run: ({ core, actor, request }) => core.secondFactor.removeDevice(actor, request.params.id ?? ''),
    reply: json({ message: 'Dispositivo confiável removido com sucesso.' }),
    errors: { 'permission.lacking': {}, 'trusted-device.unknown': {} },
    example: { given: 'trusting', request: { params: { id: deviceExample.id } } },
  }),
]

const policy = { area: 'Conta', dialect: 'v1', auth: 'organization', paths: ['/v1/account/second-factor'] } as const

const policyExample = { second_factor_required: false, second_factor_from: 5_000, second_factor_day_from: null }

/** The routes of the second-factor policy of an account. */
export const factorPolicyRows: readonly AnyRow[] = [
  route({
    ...policy,
    name: 'account-settings.second-factor',
    summary: 'Mostra quando a conta pede o segundo fator dos membros',
    run: ({ core, actor }) => core.secondFactor.readPolicy(actor),
    reply: json({ key: 'second_factor', message: 'Segundo fator da conta obtido com sucesso.', view: policyView }),
    errors: { 'account.unknown': {} },
    example: { given: 'organization', data: { ...policyExample, second_factor_from: null } },
  }),
  route({
    ...policy,
    name: 'account-settings.change-second-factor',
    summary: 'Altera quando a conta pede o segundo fator; para pedir menos, exige X-Second-Factor',
    methods: ['PATCH'],
    permission: 'account:write',
    precondition: passwordPrecondition,
    input: { body: policyChange },
    run: ({ core, actor }, { body }) => core.secondFactor.changePolicy(actor, body),
    reply: json({ key: 'second_factor', message: 'Segundo fator da conta alterado com sucesso.', view: policyView }),
    errors: { 'account.unknown': {}, 'password.stale': {}, 'second-factor.required': {} },
    example: { given: 'organization', request: { body: { second_factor_from: 5_000 } }, data: policyExample },
  }),
]
