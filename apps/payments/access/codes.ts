import { input } from '../../../core/kernel/input/input.ts'
import { sameAs } from '../../../core/kernel/input/rules.ts'
import { pick } from '../../../core/kernel/input/table.ts'
import { secret, text } from '../../../core/kernel/input/texts.ts'
import { aboutCode, typedCodeFields } from '../../../core/payments/access/code.ts'
import { DIGITS, typedCode } from '../../../core/payments/access/code-format.ts'
import { linkRequest, tokenPasswordFields } from '../../../core/payments/access/password-link.ts'
import { forgottenPassword } from '../../../core/payments/access/password-reset.ts'
import { passwordFields, userFields } from '../../../core/payments/members/user.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, route } from '../api.ts'

interface CodeCall {
  readonly core: Payments
  readonly request: HttpRequest
}

/** What every row has that takes a code: who has tried too many is told nothing else. Source: decisions.md §1. */
export const codeThrottle = {
  throttle: ({ core, request }: CodeCall) => core.codes.checkTries(originOf(request)),
} as const

const area = 'Autenticação'

const SHORT = { min: DIGITS.length, max: DIGITS.length }

const typed = { ...typedCodeFields, code: typedCode(secret(SHORT), DIGITS, aboutCode) }

const emailVerification = input('EmailVerification', typed)

const newPassword = input('NewPassword', { ...typed, ...passwordFields }, sameAs('passwordConfirmation', 'password'))

const RESET = 'Senha redefinida com sucesso.'
const RECOVERY = 'Código de recuperação enviado para o e-mail informado.'
const VERIFICATION = 'Código de verificação enviado com sucesso.'
const VERIFIED = 'E-mail verificado com sucesso.'

/** Codes that are mailed, and what they are good for. Source: 01-access.md, v1 authentication. */
export const codeRows: readonly AnyRow[] = [
  route({
    name: 'authentication.forgot-password',
    area,
    summary: 'Envia um código de recuperação por e-mail',
    methods: ['POST'],
    paths: ['/v1/auth/forgot-password'],
    dialect: 'v1',
    auth: 'public',
    input: { body: forgottenPassword },
    run: ({ core }, { body: sent }) => core.codes.forgotPassword(sent),
    reply: json({ message: RECOVERY }),
    errors: { 'code.soon': {} },
    example: {
      given: 'user',
      request: { body: { email: 'maria@example.com' } },
      reply: { code: 200, success: true, message: RECOVERY },
    },
  }),
  route({
    ...codeThrottle,
    name: 'authentication.reset-password',
    area,
    summary: 'Define uma nova senha com o código de recuperação',
    methods: ['POST'],
    paths: ['/v1/auth/reset-password'],
    dialect: 'v1',
    auth: 'public',
    input: { body: newPassword },
    run: ({ core, request }, { body: sent }) => core.codes.resetPassword(sent, originOf(request)),
    reply: json({ message: RESET }),
    errors: { 'code.throttled': {}, 'code.invalid': { message: 'Código de recuperação inválido ou expirado.' } },
    example: {
      given: 'recovering',
      request: {
        body: {
          email: 'maria@example.com',
          code: '123456',
          password: 'nova e longa',
          password_confirmation: 'nova e longa',
        },
      },
      reply: { code: 200, success: true, message: RESET },
    },
  }),
  route({
    ...codeThrottle,
    name: 'authentication.verify-email',
    area,
    summary: 'Confirma um e-mail com o código de verificação',
    methods: ['POST'],
    paths: ['/v1/auth/verify-email'],
    dialect: 'v1',
    auth: 'public',
    input: { body: emailVerification },
    run: ({ core, request }, { body: sent }) =>
      core.codes.verifyEmail(sent, { userId: null, origin: originOf(request) }),
    reply: json({ message: VERIFIED }),
    errors: { 'code.throttled': {}, 'code.invalid': {} },
    example: {
      given: 'verifying',
      request: { body: { email: 'maria@example.com', code: '123456' } },
      reply: { code: 200, success: true, message: VERIFIED },
    },
  }),
  route({
    name: 'authentication.send-verification-code',
    area,
    summary: 'Envia um novo código de verificação ao usuário autenticado',
    methods: ['POST'],
    paths: ['/v1/auth/send-verification-code'],
    dialect: 'v1',
    auth: 'session',
    input: {},
    run: ({ core, actor }) => core.codes.sendVerification(actor),
    reply: json({ message: VERIFICATION }),
    errors: { 'permission.lacking': {}, 'code.soon': {} },
    example: { given: 'user', reply: { code: 200, success: true, message: VERIFICATION } },
  }),
]

const legacyNewPassword = input(
  'LegacyNewPassword',
  { ...tokenPasswordFields, passwordConfirmation: passwordFields.passwordConfirmation },
  sameAs('passwordConfirmation', 'password'),
)

/** The caller's own e-mail must be named here. */
const verificationRequest = input('LegacyVerificationRequest', pick(userFields, 'email'))

const legacyEmailVerification = input('LegacyEmailVerification', {
  ...typedCodeFields,
  code: text({ max: 255, wire: 'verification_code', ...aboutCode }),
})

const SENT = 'Código de recuperação enviado para o e-mail informado.'
const LEGACY_RESET = 'Senha foi redefinida com sucesso'
const LEGACY_VERIFICATION = 'Código de verificação enviado com sucesso'
const LEGACY_VERIFIED = 'E-mail verificado com sucesso!'

/** Source: 01-access.md, Legacy authentication; decisions.md §12, Codes. */
export const legacyCodeRows: readonly AnyRow[] = [
  route({
    name: 'legacy-auth.forgot',
    area: 'Autenticação (legado)',
    summary: 'Envia por e-mail um link e um código de recuperação',
    methods: ['POST'],
    paths: ['/access/auth/forgot'],
    dialect: 'envelope',
    auth: 'public',
    input: { body: linkRequest },
    run: ({ core }, { body: sent }) => core.codes.forgotPasswordByLink(sent),
    reply: json({ status: 201, message: SENT }),
    errors: { 'code.soon': { status: 400 } },
    deprecated: { use: '/v1/auth/forgot-password' },
    example: {
      given: 'documented',
      request: {
        body: { document: '529.982.247-25', email: 'maria@example.com', url: 'https://app.example.com/nova-senha' },
      },
      reply: { code: 201, success: true, message: SENT },
    },
  }),
  route({
    ...codeThrottle,
    name: 'legacy-auth.reset',
    area: 'Autenticação (legado)',
    summary: 'Define uma nova senha com o que veio por e-mail',
    methods: ['POST'],
    paths: ['/access/auth/reset'],
    dialect: 'bare',
    auth: 'public',
    input: { body: legacyNewPassword },
    run: ({ core, request }, { body: sent }) => core.codes.resetPasswordByToken(sent, originOf(request)),
    reply: json({ message: LEGACY_RESET }),
    errors: { 'code.throttled': {}, 'code.invalid': { message: 'Código de recuperação inválido ou expirado.' } },
    deprecated: { use: '/v1/auth/reset-password' },
    example: {
      given: 'linked',
      request: { body: { token: 'q7Yw2Lr9Tn4Kd8Vb', password: 'nova e longa', password_confirmation: 'nova e longa' } },
      reply: { message: LEGACY_RESET },
    },
  }),
  route({
    name: 'legacy-auth.send-verification-code',
    area: 'Autenticação (legado)',
    summary: 'Envia um novo código de verificação ao usuário autenticado',
    methods: ['POST'],
    paths: ['/access/auth/send-verification-code'],
    dialect: 'envelope',
    auth: 'session',
    input: { body: verificationRequest },
    run: ({ core, actor }, { body: sent }) => core.codes.sendVerification(actor, sent),
    reply: json({ message: LEGACY_VERIFICATION }),
    errors: { 'permission.lacking': {}, 'code.soon': { status: 400 } },
    deprecated: { use: '/v1/auth/send-verification-code' },
    example: {
      given: 'user',
      request: { body: { email: 'maria@example.com' } },
      reply: { code: 200, success: true, message: LEGACY_VERIFICATION },
    },
  }),
  route({
    ...codeThrottle,
    name: 'legacy-auth.verify-email',
    area: 'Autenticação (legado)',
    summary: 'Confirma o e-mail do usuário autenticado com o código de verificação',
    methods: ['POST'],
    paths: ['/access/auth/verify-email'],
    dialect: 'bare',
    auth: 'session',
    input: { body: legacyEmailVerification },
    run: ({ core, actor }, { body: sent }) => core.codes.verifyEmail(sent, actor),
    reply: json({ message: LEGACY_VERIFIED }),
    errors: { 'code.throttled': {}, 'code.invalid': { status: 400 } },
    deprecated: { use: '/v1/auth/verify-email' },
    example: {
      given: 'verifying',
      request: { body: { email: 'maria@example.com', verification_code: '123456' } },
      reply: { message: LEGACY_VERIFIED },
    },
  }),
]
