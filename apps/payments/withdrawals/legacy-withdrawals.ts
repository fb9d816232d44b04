import { issue } from '../../../core/failure.ts'
import { right } from '../../../core/fp.ts'
import { nullIfAbsent } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { rule } from '../../../core/kernel/input/rules.ts'
import { day, money } from '../../../core/kernel/input/scalars.ts'
import { taxId } from '../../../core/kernel/input/texts.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { pixKey } from '../../../core/payments/pix/pix-key.ts'
import {
  accountPaymentFields,
  branchField,
  keyLookup,
  messageField,
} from '../../../core/payments/withdrawals/inputs.ts'
import { type PageOfWithdrawals, withdrawalFilter, withdrawalView } from '../../../core/payments/withdrawals/views.ts'
import type { Withdrawal } from '../../../core/payments/withdrawals/withdrawal.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { listExample, route, succeedWith } from '../api.ts'
import { lookupErrors, namedValue, PAY_OUT_STAGES, payOutErrors, payOutPrecondition } from './pay-out.ts'
import {
  accountPaymentExample,
  accountWithdrawalExample,
  DONE,
  lookupView,
  messageOf,
  paidEntry,
  paidReceiverView,
  pendingStatus,
  recordView,
  typedEntry,
  withdrawalExample,
} from './withdrawal-views.ts'
import { accountPaymentForm, confirmationForm } from './withdrawals.ts'

const about = { area: 'Saques (legado)', dialect: 'withdrawal', auth: 'account' } as const
const paysOut = {
  ...about,
  methods: ['POST'],
  permission: 'withdrawals:write',
  stages: PAY_OUT_STAGES,
  precondition: payOutPrecondition,
} as const

const LOOKED_UP = 'Chave Pix consultada com sucesso.'

const entryExample = {
  id: 1,
  datetime: '2030-11-21T10:05:09-03:00',
  value: -10,
  balance: 990,
  type: { slug: 'pix-out', name: 'Pix Out' },
}

const { name, document, bank_code, branch, account_number, account_type, key_pix } = withdrawalExample

/** Who was paid, as the legacy module says it. */
export const paidReceiverExample = {
  txid: withdrawalExample.txid,
  endtoendid: withdrawalExample.endtoendid,
  value: 10,
  receiver_name: name,
  receiver_document: document,
  receiver_bank_name: 'ITAÚ UNIBANCO S.A.',
  receiver_agency: branch,
  receiver_account: account_number,
  receiver_account_type: account_type,
}

/** Source: 02-billing.md, Legacy instant-payment module; decisions.md §5 and §11. */
export const legacyWithdrawalRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'legacy-withdrawals.list',
    summary: 'Lista os saques',
    methods: ['GET'],
    paths: ['/legacypay/withdraws'],
    permission: 'withdrawals:read',
    input: { query: withdrawalFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.list(actor, query),
    reply: page<Withdrawal, PageOfWithdrawals>({ view: withdrawalView, message: 'Saques listados com sucesso.' }),
    example: {
      given: 'withdrawn',
      reply: listExample(withdrawalExample, 'Saques listados com sucesso.'),
    },
  }),
  route({
    ...about,
    name: 'legacy-withdrawals.show',
    summary: 'Mostra um saque, com o lançamento dele no extrato',
    methods: ['GET'],
    paths: ['/legacypay/withdraws/:id'],
    permission: 'withdrawals:read',
    record: ({ core, actor, request }) => core.withdrawals.read(actor, parseId(request.params.id ?? '')),
    input: {},
    run: ({ record }) => succeedWith(record),
    reply: json({ view: recordView, more: typedEntry, message: 'Detalhes do saque.' }),
    errors: { 'withdrawal.unknown': {} },
    example: {
      given: 'withdrawn',
      request: { params: { id: '1' } },
      reply: { success: true, data: withdrawalExample, transaction: entryExample, message: 'Detalhes do saque.' },
    },
  }),
  route({
    ...about,
    name: 'legacy-withdrawals.look-up',
    summary: 'Consulta uma chave Pix; a mesma consulta dentro de uma hora é reaproveitada',
    methods: ['POST'],
    paths: ['/legacypay/withdraws'],
    permission: 'withdrawals:write',
    input: { body: keyLookup },
    run: ({ core, actor }, { body }) => core.withdrawals.lookUp(actor, body),
    reply: json({ view: lookupView, message: LOOKED_UP }),
    errors: lookupErrors,
    example: {
      given: 'withdrawer',
      request: { body: { keypix: 'maria@example.com', value: 10 } },
      reply: {
        success: true,
        data: {
          internal_id: 1,
          ...{ name, document, bank_code, branch, account_number, account_type, key_pix },
          account_balance: 1_000,
        },
        message: LOOKED_UP,
      },
    },
  }),
  route({
    ...paysOut,
    name: 'legacy-withdrawals.confirm',
    summary: 'Paga um saque que foi consultado, com o PIN',
    paths: ['/legacypay/withdraws/confirm'],
    input: { body: confirmationForm },
    run: ({ core, actor }, { body: { pin: _, ...asked } }) => core.withdrawals.confirm(actor, asked),
    resume: ({ core }, intent) => core.withdrawals.resume(intent),
    reply: json({ status: 201, otherwise: pendingStatus, view: paidReceiverView, message: messageOf }),
    errors: { ...payOutErrors, 'withdrawal.used': { status: 409 } },
    example: {
      given: 'lookedUp',
      request: { body: { internal_id: 1, keypix: 'maria@example.com', value: 10, pin: '135790' } },
      reply: { success: true, data: paidReceiverExample, message: DONE },
    },
  }),
  route({
    ...paysOut,
    name: 'legacy-withdrawals.pay-account',
    summary: 'Paga a uma conta em qualquer banco, com o PIN',
    paths: ['/legacypay/withdraws/bank'],
    input: { body: accountPaymentForm },
    run: ({ core, actor }, { body: { pin: _, ...asked } }) => namedValue(core.withdrawals.payAccount(actor, asked)),
    resume: ({ core }, intent) => core.withdrawals.resume(intent),
    reply: json({ otherwise: pendingStatus, view: recordView, more: typedEntry, message: messageOf }),
    errors: payOutErrors,
    example: {
      given: 'withdrawer',
      request: { body: accountPaymentExample },
      reply: { success: true, data: accountWithdrawalExample, transaction: entryExample, message: DONE },
    },
  }),
]

const deprecatedRow = {
  area: 'Saques (legado)',
  dialect: 'withdrawal',
  auth: 'account',
  methods: ['POST'],
  permission: 'withdrawals:write',
} as const
const deprecatedPayOut = { ...deprecatedRow, stages: PAY_OUT_STAGES, precondition: payOutPrecondition } as const

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
    ...deprecatedPayOut,
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
    ...deprecatedPayOut,
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
    ...deprecatedRow,
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
