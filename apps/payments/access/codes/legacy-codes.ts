import { input } from '../../../../core/kernel/input/input.ts'
import { sameAs } from '../../../../core/kernel/input/rules.ts'
import { pick } from '../../../../core/kernel/input/table.ts'
import { text } from '../../../../core/kernel/input/texts.ts'
import { aboutCode, typedCodeFields } from '../../../../core/payments/access/code.ts'
import { linkRequest, tokenPasswordFields } from '../../../../core/payments/access/password-link.ts'
import { passwordFields, userFields } from '../../../../core/payments/members/user.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { originOf } from '../../origin.ts'
import { takesCode } from './takes-code.ts'

const area = 'Autenticação (legado)'

const newPassword = input(
  'LegacyNewPassword',
  { ...tokenPasswordFields, passwordConfirmation: passwordFields.passwordConfirmation },
  sameAs('passwordConfirmation', 'password'),
)

/** The caller's own e-mail must be named here. */
const verificationRequest = input('LegacyVerificationRequest', pick(userFields, 'email'))

const emailVerification = input('LegacyEmailVerification', {
  ...typedCodeFields,
  code: text({ max: 255, wire: 'verification_code', ...aboutCode }),
})

const SENT = 'Código de recuperação enviado para o e-mail informado.'
const RESET = 'Senha foi redefinida com sucesso'
const VERIFICATION = 'Código de verificação enviado com sucesso'
const VERIFIED = 'E-mail verificado com sucesso!'

/** Source: 01-access.md, Legacy authentication; decisions.md §12, Codes. */
export const legacyCodeRows: readonly AnyRow[] = [
  route({
    name: 'legacy-auth.forgot',
    area,
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
    ...takesCode,
    name: 'legacy-auth.reset',
    area,
    summary: 'Define uma nova senha com o que veio por e-mail',
    methods: ['POST'],
    paths: ['/access/auth/reset'],
    dialect: 'bare',
    auth: 'public',
    input: { body: newPassword },
    run: ({ core, request }, { body: sent }) => core.codes.resetPasswordByToken(sent, originOf(request)),
    reply: json({ message: RESET }),
    errors: { 'code.throttled': {}, 'code.invalid': { message: 'Código de recuperação inválido ou expirado.' } },
    deprecated: { use: '/v1/auth/reset-password' },
    example: {
      given: 'linked',
      request: { body: { token: 'q7Yw2Lr9Tn4Kd8Vb', password: 'nova e longa', password_confirmation: 'nova e longa' } },
      reply: { message: RESET },
    },
  }),
  route({
    name: 'legacy-auth.send-verification-code',
    area,
    summary: 'Envia um novo código de verificação ao usuário autenticado',
    methods: ['POST'],
    paths: ['/access/auth/send-verification-code'],
    dialect: 'envelope',
    auth: 'session',
    input: { body: verificationRequest },
    run: ({ core, actor }, { body: sent }) => core.codes.sendVerification(actor, sent),
    reply: json({ message: VERIFICATION }),
    errors: { 'permission.lacking': {}, 'code.soon': { status: 400 } },
    deprecated: { use: '/v1/auth/send-verification-code' },
    example: {
      given: 'user',
      request: { body: { email: 'maria@example.com' } },
      reply: { code: 200, success: true, message: VERIFICATION },
    },
  }),
  route({
    ...takesCode,
    name: 'legacy-auth.verify-email',
    area,
    summary: 'Confirma o e-mail do usuário autenticado com o código de verificação',
    methods: ['POST'],
    paths: ['/access/auth/verify-email'],
    dialect: 'bare',
    auth: 'session',
    input: { body: emailVerification },
    run: ({ core, actor }, { body: sent }) => core.codes.verifyEmail(sent, actor),
    reply: json({ message: VERIFIED }),
    errors: { 'code.throttled': {}, 'code.invalid': { status: 400 } },
    deprecated: { use: '/v1/auth/verify-email' },
    example: {
      given: 'verifying',
      request: { body: { email: 'maria@example.com', verification_code: '123456' } },
      reply: { message: VERIFIED },
    },
  }),
]
