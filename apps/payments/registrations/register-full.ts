import { fullApplicant, signedInOwnerView } from '../../../core/payments/registrations/register-full.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { memberExample } from '../access/people/member-example.ts'
import { accountExample } from '../accounts/account-example.ts'
import { route } from '../api.ts'
import { originOf } from '../origin.ts'

const MESSAGE = 'Cadastrado com sucesso'

/** Source: 01-access.md, Legacy onboarding; decisions.md §1 and §12, Onboarding. */
export const registerFullRow: AnyRow = route({
  name: 'registrations.full',
  area: 'Abertura de conta (legado)',
  summary: 'Cria de uma vez usuário, conta e organização, e autentica',
  methods: ['POST'],
  paths: ['/access/register-full'],
  dialect: 'envelope',
  auth: 'public',
  input: { body: fullApplicant },
  run: ({ core, request }, { body: sent }) => core.registrations.registerFull(sent, originOf(request)),
  reply: json({ status: 201, message: MESSAGE, view: signedInOwnerView }),
  errors: {
    'credentials.wrong': {},
    'registration.unknown': {},
    'bank.unsupported': {},
    'bank.refused': { status: 422, message: 'O banco recusou a abertura da conta: {reason}' },
    'bank.unavailable': { status: 503, message: 'O banco não respondeu. A abertura da conta continua em andamento.' },
  },
  deprecated: { use: '/v1/organizations' },
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
    reply: {
      code: 201,
      success: true,
      data: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
        time: 3600,
        account: {
          ...accountExample,
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '52998224725',
        },
        user: { ...memberExample, document: '52998224725' },
        roles: [{ id: 1, name: 'ADMIN' }],
      },
      message: MESSAGE,
    },
  },
})
