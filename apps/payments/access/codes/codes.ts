import { input } from '../../../../core/kernel/input/input.ts'
import { sameAs } from '../../../../core/kernel/input/rules.ts'
import { secret } from '../../../../core/kernel/input/texts.ts'
import { aboutCode, typedCodeFields } from '../../../../core/payments/access/code.ts'
import { DIGITS, typedCode } from '../../../../core/payments/access/code-format.ts'
import { forgottenPassword } from '../../../../core/payments/access/password-reset.ts'
import { passwordFields } from '../../../../core/payments/members/user.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { originOf } from '../../origin.ts'
import { takesCode } from './takes-code.ts'

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
    ...takesCode,
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
    ...takesCode,
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
