import { input, pick, sameAs, secret, text } from '../../../core/kernel/input/mod.ts'
import { aboutCode, typedCodeFields } from '../../../core/payments/access/code.ts'
import { DIGITS, typedCode } from '../../../core/payments/access/code-tries.ts'
import { forgottenPassword, linkRequest, tokenPasswordFields } from '../../../core/payments/access/password-reset.ts'
import { passwordFields, userFields } from '../../../core/payments/members/user.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, route } from '../api.ts'

/** Rejects a request with a code before anything else is checked, if its address has tried too many wrong codes. */
export const codeThrottle = {
  throttle: ({ core, request }: { readonly core: Payments; readonly request: HttpRequest }) =>
    core.codes.checkTries(originOf(request)),
} as const

const CODE_LENGTH = { min: DIGITS.length, max: DIGITS.length }

const typedFields = { ...typedCodeFields, code: typedCode(secret(CODE_LENGTH), DIGITS, aboutCode) }

const emailVerification = input('EmailVerification', typedFields)

const newPassword = input(
  'NewPassword',
  { ...typedFields, ...passwordFields },
  sameAs('passwordConfirmation', 'password'),
)

const WRONG_RECOVERY_CODE = 'Código de recuperação inválido ou expirado.'
const RECOVERY = 'Código de recuperação enviado para o e-mail informado.'

const shared = { area: 'Autenticação', dialect: 'v1', methods: ['POST'] } as const

/** Verification and recovery codes by e-mail. */
export const codeRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'authentication.forgot-password',
    summary: 'Envia um código de recuperação por e-mail',
    paths: ['/v1/auth/forgot-password'],
    auth: 'public',
    input: { body: forgottenPassword },
    run: ({ core }, { body: sent }) => core.codes.forgotPassword(sent),
    reply: json({ message: RECOVERY }),
    errors: { 'code.soon': {} },
    example: { given: 'user', request: { body: { email: 'maria@example.com' } } },
  }),
  route({
    ...shared,
    ...codeThrottle,
    name: 'authentication.reset-password',
    summary: 'Define uma nova senha com o código de recuperação',
    paths: ['/v1/auth/reset-password'],
    auth: 'public',
    input: { body: newPassword },
    run: ({ core, request }, { body: sent }) => core.codes.resetPassword(sent, originOf(request)),
    reply: json({ message: 'Senha redefinida com sucesso.' }),
    errors: { 'code.throttled': {}, 'code.invalid': { message: WRONG_RECOVERY_CODE } },
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
    },
  }),
  route({
    ...shared,
    ...codeThrottle,
    name: 'authentication.verify-email',
    summary: 'Confirma um e-mail com o código de verificação',
    paths: ['/v1/auth/verify-email'],
    auth: 'public',
    input: { body: emailVerification },
    run: ({ core, request }, { body: sent }) =>
      core.codes.verifyEmail(sent, { userId: null, origin: originOf(request) }),
    reply: json({ message: 'E-mail verificado com sucesso.' }),
    errors: { 'code.throttled': {}, 'code.invalid': {} },
    example: { given: 'verifying', request: { body: { email: 'maria@example.com', code: '123456' } } },
  }),
  route({
    ...shared,
    name: 'authentication.send-verification-code',
    summary: 'Envia um novo código de verificação ao usuário autenticado',
    paths: ['/v1/auth/send-verification-code'],
    auth: 'session',
    run: ({ core, actor }) => core.codes.sendVerification(actor),
    reply: json({ message: 'Código de verificação enviado com sucesso.' }),
    errors: { 'permission.lacking': {}, 'code.soon': {} },
    example: { given: 'user' },
  }),
]

const legacyNewPassword = input(
  'LegacyNewPassword',
  { ...tokenPasswordFields, passwordConfirmation: passwordFields.passwordConfirmation },
  sameAs('passwordConfirmation', 'password'),
)

/** The e-mail must be the caller's own. */
const verificationRequest = input('LegacyVerificationRequest', pick(userFields, 'email'))

const legacyEmailVerification = input('LegacyEmailVerification', {
  ...typedCodeFields,
  code: text({ max: 255, wire: 'verification_code', ...aboutCode }),
})

const legacy = { area: 'Autenticação (legado)', methods: ['POST'] } as const

/** Codes on legacy routes; a password is reset with the code or the link of the e-mail. */
export const legacyCodeRows: readonly AnyRow[] = [
  route({
    ...legacy,
    name: 'legacy-auth.forgot',
    summary: 'Envia por e-mail um link e um código de recuperação',
    paths: ['/access/auth/forgot'],
    dialect: 'envelope',
    auth: 'public',
    input: { body: linkRequest },
    run: ({ core }, { body: sent }) => core.codes.forgotPasswordByLink(sent),
    reply: json({ status: 201, message: RECOVERY }),
    errors: { 'code.soon': { status: 400 } },
    deprecated: { use: '/v1/auth/forgot-password' },
    example: {
      given: 'documented',
      request: {
        body: { document: '529.982.247-25', email: 'maria@example.com', url: 'https://app.example.com/nova-senha' },
      },
    },
  }),
  route({
    ...legacy,
    ...codeThrottle,
    name: 'legacy-auth.reset',
    summary: 'Define uma nova senha com o que veio por e-mail',
    paths: ['/access/auth/reset'],
    dialect: 'bare',
    auth: 'public',
    input: { body: legacyNewPassword },
    run: ({ core, request }, { body: sent }) => core.codes.resetPasswordByToken(sent, originOf(request)),
    reply: json({ message: 'Senha foi redefinida com sucesso' }),
    errors: { 'code.throttled': {}, 'code.invalid': { message: WRONG_RECOVERY_CODE } },
    deprecated: { use: '/v1/auth/reset-password' },
    example: {
      given: 'linked',
      request: { body: { token: 'q7Yw2Lr9Tn4Kd8Vb', password: 'nova e longa', password_confirmation: 'nova e longa' } },
    },
  }),
  route({
    ...legacy,
    name: 'legacy-auth.send-verification-code',
    summary: 'Envia um novo código de verificação ao usuário autenticado',
    paths: ['/access/auth/send-verification-code'],
    dialect: 'envelope',
    auth: 'session',
    input: { body: verificationRequest },
    run: ({ core, actor }, { body: sent }) => core.codes.sendVerification(actor, sent),
    reply: json({ message: 'Código de verificação enviado com sucesso' }),
    errors: { 'permission.lacking': {}, 'code.soon': { status: 400 } },
    deprecated: { use: '/v1/auth/send-verification-code' },
    example: { given: 'user', request: { body: { email: 'maria@example.com' } } },
  }),
  route({
    ...legacy,
    ...codeThrottle,
    name: 'legacy-auth.verify-email',
    summary: 'Confirma o e-mail do usuário autenticado com o código de verificação',
    paths: ['/access/auth/verify-email'],
    dialect: 'bare',
    auth: 'session',
    input: { body: legacyEmailVerification },
    run: ({ core, actor }, { body: sent }) => core.codes.verifyEmail(sent, actor),
    reply: json({ message: 'E-mail verificado com sucesso!' }),
    errors: { 'code.throttled': {}, 'code.invalid': { status: 400 } },
    deprecated: { use: '/v1/auth/verify-email' },
    example: { given: 'verifying', request: { body: { email: 'maria@example.com', verification_code: '123456' } } },
  }),
]
