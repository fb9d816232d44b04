import { issue } from '../../../core/failure.ts'
import { t } from '../../../core/fp.ts'
import { body } from '../../../core/kernel/input/body.ts'
import { nullIfAbsent } from '../../../core/kernel/input/codec.ts'
import { oneOf } from '../../../core/kernel/input/fields/choices.ts'
import { id } from '../../../core/kernel/input/fields/numbers.ts'
import { email, line, secret, taxId } from '../../../core/kernel/input/fields/texts.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { rule } from '../../../core/kernel/input/rules.ts'
import { enteredView } from '../../../core/payments/registrations/enter-account.ts'
import { ACCOUNT_TYPES, accountTypeOf } from '../../../core/payments/registrations/registration-view.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { memberExample, memberShape, roleShape } from '../access/people/member-shape.ts'
import { accountExample, accountShape } from '../accounts/account-shape.ts'
import { route } from '../api.ts'
import { originOf } from '../origin.ts'

const applicant = body(
  {
    name: line({ max: 255 }),
    email: email({ max: 255 }),
    document: taxId(),
    password: secret({ min: 5 }),
    phone: nullIfAbsent(line({ max: 20 })),
    account_type: nullIfAbsent(oneOf(ACCOUNT_TYPES)),
    bank_id: nullIfAbsent(id()),
  },
  rule(['account_type', 'document'], ({ account_type: type, document }) =>
    type === null || type === accountTypeOf(document) ? [] : [issue('account_type', 'account-type')],
  ),
)

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
  input: { body: applicant },
  output: t.type({
    token: t.string,
    time: out.integer,
    account: accountShape,
    user: memberShape,
    roles: t.array(roleShape),
  }),
  run: ({ core, request }, { body: { account_type: _, bank_id: bankId, ...sent } }) =>
    core.registrations.registerFull({ ...sent, bankId }, originOf(request)),
  reply: json({ status: 201, message: MESSAGE, view: enteredView }),
  errors: {
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
