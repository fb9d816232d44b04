import { issue } from '../../../core/failure.ts'
import { right } from '../../../core/fp.ts'
import { nullIfAbsent } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { rule } from '../../../core/kernel/input/rules.ts'
import { day, money } from '../../../core/kernel/input/scalars.ts'
import { taxId } from '../../../core/kernel/input/texts.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { pixKey } from '../../../core/payments/pix/pix-key.ts'
import { accountPaymentFields, branchField, messageField } from '../../../core/payments/withdrawals/inputs.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { paidReceiverExample } from './legacy-withdrawals.ts'
import { namedValue } from './named-value.ts'
import { PAY_OUT_STAGES, payOutErrors, payOutPrecondition } from './pay-out-precondition.ts'
import { accountPaymentExample, accountWithdrawalExample, DONE } from './withdrawal-example.ts'
import { messageOf, paidEntry, paidReceiverView, pendingStatus, recordView } from './withdrawal-views.ts'

const about = {
  area: 'Saques (legado)',
  dialect: 'withdrawal',
  auth: 'account',
  methods: ['POST'],
  permission: 'withdrawals:write',
} as const
const paysOut = { ...about, stages: PAY_OUT_STAGES, precondition: payOutPrecondition } as const

const MAX_MESSAGE = 99
const LEAST_CENTS = 1

const keyForm = input('LegacyKeyPayment', {
  valueCents: money({ wire: 'mount', minCents: LEAST_CENTS, about: 'Valor' }),
  key: pixKey({ wire: 'keyPix', about: 'Chave Pix' }),
  document: nullIfAbsent(taxId({ wire: 'documentoBeneficiario', about: 'CPF ou CNPJ de quem recebe, para conferir' })),
  message: messageField({ max: MAX_MESSAGE }),
  pin: pinFields.pin,
})

const { message: _, branch: __, ...accountTable } = accountPaymentFields

/** Nothing is kept to be paid later. */
const today = rule<{ readonly paymentDate: string | null }, 'paymentDate', 'withdrawal.date'>(
  ['paymentDate'],
  ({ paymentDate }, now) =>
    paymentDate !== null && now !== null && paymentDate !== now ? [issue('paymentDate', 'withdrawal.date')] : [],
)

const accountForm = input(
  'LegacyAccountPayment',
  {
    ...accountTable,
    branch: branchField('branch'),
    message: messageField({ wire: 'mensagem' }),
    paymentDate: nullIfAbsent(day({ about: 'Data do pagamento: hoje' })),
    pin: pinFields.pin,
  },
  today,
)

const UNIMPLEMENTED = { success: false, message: 'Não implementado.', error_code: 'withdrawal.boleto' } as const

const unimplementedView = view(
  'Unimplemented',
  {
    success: output.json({ about: 'Sempre falso' }),
    message: output.text({ about: 'O que aconteceu, para pessoas' }),
    errorCode: output.text({ about: 'O que aconteceu, para programas' }),
  },
  (of: typeof UNIMPLEMENTED) => ({ ...of, errorCode: of.error_code }),
)

const { agency, ...sentAlike } = accountPaymentExample
const dataBankExample = { ...sentAlike, branch: agency }

/** Source: 02-billing.md, Legacy instant-payment module; decisions.md §5. */
export const deprecatedWithdrawalRows: readonly AnyRow[] = [
  route({
    ...paysOut,
    name: 'legacy-withdrawals.saida-sicred',
    summary: 'Paga a uma chave Pix sem consulta, com o PIN',
    paths: ['/legacypay/saida-sicred'],
    deprecated: { use: '/legacypay/withdraws/confirm' },
    input: { body: keyForm },
    run: ({ core, actor }, { body: { pin: _pin, ...asked } }) => namedValue(core.withdrawals.payKey(actor, asked)),
    resume: ({ core }, intent) => core.withdrawals.resume(intent),
    reply: json({ status: 201, otherwise: pendingStatus, view: paidReceiverView, message: messageOf }),
    errors: { ...payOutErrors, 'key.throttled': {}, 'key.unknown': {} },
    example: {
      given: 'withdrawer',
      request: { body: { mount: 10, keyPix: 'maria@example.com', pin: '135790' } },
      reply: { success: true, data: paidReceiverExample, message: DONE },
    },
  }),
  route({
    ...paysOut,
    name: 'legacy-withdrawals.data-bank',
    summary: 'Paga a uma conta em qualquer banco, com o PIN',
    paths: ['/legacypay/pix-out/dataBank'],
    deprecated: { use: '/legacypay/withdraws/bank' },
    input: { body: accountForm },
    run: ({ core, actor }, { body: { pin: _pin, paymentDate: _date, ...asked } }) =>
      namedValue(core.withdrawals.payAccount(actor, asked)),
    resume: ({ core }, intent) => core.withdrawals.resume(intent),
    reply: json({ otherwise: pendingStatus, view: recordView, more: paidEntry, message: messageOf }),
    errors: payOutErrors,
    example: {
      given: 'withdrawer',
      request: { body: dataBankExample },
      reply: {
        success: true,
        data: accountWithdrawalExample,
        transaction: { id: 1, value: -10, balance: 990 },
        message: DONE,
      },
    },
  }),
  route({
    ...about,
    dialect: 'bare',
    name: 'legacy-withdrawals.boleto',
    summary: 'Pagar boletos não está implementado: sempre 500',
    paths: ['/legacypay/boleto-saida-sicred'],
    deprecated: { use: null },
    key: false,
    input: {},
    run: () => async () => right(UNIMPLEMENTED),
    reply: json({ status: 500, view: unimplementedView }),
    example: { given: 'withdrawer', reply: UNIMPLEMENTED },
  }),
]
