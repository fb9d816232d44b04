import { t } from '../../../../core/fp.ts'
import { body } from '../../../../core/kernel/input/body.ts'
import { email, secret } from '../../../../core/kernel/input/fields/texts.ts'
import { sameAs } from '../../../../core/kernel/input/rules.ts'
import { DIGITS } from '../../../../core/payments/access/codes/code-format.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { originOf } from '../../origin.ts'
import { takesCode, typedCode } from './typed-code.ts'

const area = 'Autenticação'

const code = typedCode(secret({ min: DIGITS.length, max: DIGITS.length }), DIGITS)

const newPassword = body(
  { email: email({ max: 255 }), code, password: secret({ min: 8 }), password_confirmation: secret() },
  sameAs('password_confirmation', 'password'),
)

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
    input: { body: body({ email: email({ max: 255 }) }) },
    output: t.null,
    run: ({ core }, { body: sent }) => core.codes.forgotPassword(sent),
    reply: json({ message: RECOVERY }),
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
    output: t.null,
    run: ({ core, request }, { body: { password_confirmation: _, ...sent } }) =>
      core.codes.resetPassword(sent, originOf(request)),
    reply: json({ message: RESET }),
    errors: { 'code.invalid': { message: 'Código de recuperação inválido ou expirado.' } },
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
    input: { body: body({ email: email({ max: 255 }), code }) },
    output: t.null,
    run: ({ core, request }, { body: sent }) =>
      core.codes.verifyEmail(sent, { userId: null, origin: originOf(request) }),
    reply: json({ message: VERIFIED }),
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
    output: t.null,
    run: ({ core, actor }) => core.codes.sendVerification(actor),
    reply: json({ message: VERIFICATION }),
    example: { given: 'user', reply: { code: 200, success: true, message: VERIFICATION } },
  }),
]
