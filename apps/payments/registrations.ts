import { input } from '../../core/kernel/input/mod.ts'
import { applicant, confirmation } from '../../core/payments/registrations/register.ts'
import { fullApplicant, signedInOwnerView } from '../../core/payments/registrations/register-full.ts'
import {
  pairFields,
  registrationLookup,
  registrationPair,
  registrationStatusView,
  registrationView,
} from '../../core/payments/registrations/registration.ts'
import { imageFields } from '../../core/payments/registrations/review.ts'
import { imageFile } from '../http/bodies/image.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { codeThrottle } from './access/codes.ts'
import { memberExample } from './access/users.ts'
import { accountExample } from './accounts.ts'
import { originOf, route } from './api.ts'

const statusExample = {
  document: '52998224725',
  id: 1,
  email: 'maria@example.com',
  name: 'Maria da Silva',
  account_type: 'PF',
  account_status: 'PENDING_EMAIL',
}

const registrationExample = {
  ...statusExample,
  address: 'Rua das Flores, 100, São Paulo, SP',
  created_at: '2030-11-21T10:05:09-03:00',
}

const legacy = {
  area: 'Abertura de conta (legado)',
  dialect: 'envelope',
  auth: 'public',
  methods: ['POST'],
  deprecated: { use: '/v1/organizations' },
} as const

/** Limits lookups, so that documents cannot be tried one after the other. */
const LOOKUPS_PER_MINUTE = 20

const imagesForm = input('RegistrationImages', {
  ...pairFields,
  image1: imageFile(imageFields.image1),
  image2: imageFile(imageFields.image2),
})

/** Applications for an account, step by step, and registration at once. */
export const registrationRows: readonly AnyRow[] = [
  route({
    ...legacy,
    name: 'registrations.begin',
    summary: 'Pede a abertura de uma conta',
    paths: ['/access/register'],
    input: { body: applicant },
    run: ({ core, request }, { body: sent }) => core.registrations.begin(sent, originOf(request)),
    reply: json({ message: 'Abertura de Conta Realizada', view: registrationView }),
    // The specification of this route replies to a wrong document with 200 and `success: false`.
    errors: { 'document.kind': { status: 200 }, 'bank.unsupported': {} },
    example: {
      given: 'newcomer',
      request: {
        body: {
          name: 'Maria da Silva',
          email: 'maria@example.com',
          address: 'Rua das Flores, 100, São Paulo, SP',
          document: '529.982.247-25',
        },
      },
      data: registrationExample,
    },
  }),
  route({
    ...legacy,
    ...codeThrottle,
    name: 'registrations.confirm',
    summary: 'Confirma o e-mail do cadastro com o código de 4 letras',
    paths: ['/access/register/verify'],
    input: { body: confirmation },
    run: ({ core, request }, { body: sent }) => core.registrations.confirm(sent, originOf(request)),
    reply: json({ message: 'E-mail validado', view: registrationView }),
    errors: { 'code.throttled': {}, 'code.invalid': {}, 'registration.unknown': {} },
    example: {
      given: 'applicant',
      request: { body: { document: '529.982.247-25', register_id: 1, code: 'QWER' } },
      data: { ...registrationExample, account_status: 'PENDING_DOCUMENTS' },
    },
  }),
  route({
    ...legacy,
    name: 'registrations.resend',
    summary: 'Envia de novo o código de 4 letras',
    paths: ['/access/register/email'],
    input: { body: registrationPair },
    run: ({ core }, { body: sent }) => core.registrations.resendCodes(sent),
    reply: json({ message: 'Email Enviado', view: registrationView }),
    errors: { 'registration.unknown': {}, 'code.soon': { status: 400 } },
    example: {
      given: 'patientApplicant',
      request: { body: { document: '529.982.247-25', register_id: 1 } },
      data: registrationExample,
    },
  }),
  route({
    ...legacy,
    name: 'registrations.show',
    summary: 'Consulta o cadastro de um documento',
    methods: ['GET'],
    paths: ['/access/register/status'],
    rate: { perMinute: LOOKUPS_PER_MINUTE },
    input: { query: registrationLookup },
    run: ({ core }, { query: sent }) => core.registrations.read(sent),
    reply: json({ message: 'Cadastro recuperado com sucesso.', view: registrationStatusView }),
    errors: { 'registration.unknown': {} },
    example: { given: 'applicant', request: { query: { document: '52998224725' } }, data: statusExample },
  }),
  route({
    ...legacy,
    name: 'registrations.images',
    summary: 'Envia as duas imagens do documento e pede a análise do banco',
    paths: ['/access/register/images'],
    body: { kinds: ['multipart'] },
    input: { body: imagesForm },
    run: ({ core }, { body: sent }) => core.registrations.submitImages(sent),
    reply: json({ message: 'Imagens Enviadas', view: registrationView }),
    errors: { 'registration.unknown': {}, 'bank.unsupported': {} },
    example: {
      given: 'confirmedApplicant',
      request: { body: { document: '529.982.247-25', register_id: 1, image01: 'frente.png', image02: 'verso.png' } },
      data: { ...registrationExample, account_status: 'APPROVED' },
    },
  }),
  route({
    ...legacy,
    name: 'registrations.full',
    summary: 'Cria de uma vez usuário, conta e organização, e autentica',
    paths: ['/access/register-full'],
    input: { body: fullApplicant },
    run: ({ core, request }, { body: sent }) => core.registrations.registerFull(sent, originOf(request)),
    reply: json({ status: 201, message: 'Cadastrado com sucesso', view: signedInOwnerView }),
    errors: {
      'credentials.wrong': {},
      'registration.unknown': {},
      'bank.unsupported': {},
      'bank.refused': { status: 422, message: 'O banco recusou a abertura da conta: {reason}' },
      'bank.unavailable': { status: 503, message: 'O banco não respondeu. A abertura da conta continua em andamento.' },
    },
    example: {
      given: 'newcomer',
      request: {
        body: {
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '529.982.247-25',
          password: 'segredo',
          phone: '+55 11 99999-0000',
          account_type: 'PF',
        },
      },
      data: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
        time: 3600,
        account: { ...accountExample, name: 'Maria da Silva', email: 'maria@example.com', document: '52998224725' },
        user: { ...memberExample, document: '52998224725' },
        roles: [{ id: 1, name: 'ADMIN' }],
      },
    },
  }),
]
