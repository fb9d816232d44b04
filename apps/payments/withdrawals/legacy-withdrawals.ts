import { issue } from '../../../core/failure.ts'
import { day, input, money, nullIfAbsent, output, rule, taxId, view } from '../../../core/kernel/input/mod.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { pixKey } from '../../../core/payments/pix/pix-key.ts'
import { accountPaymentFields, branchField } from '../../../core/payments/withdrawals/direct-payment.ts'
import { keyLookup } from '../../../core/payments/withdrawals/key-lookup.ts'
import { type PageOfWithdrawals, withdrawalFilter, withdrawalView } from '../../../core/payments/withdrawals/views.ts'
import { messageField, type Withdrawal } from '../../../core/payments/withdrawals/withdrawal.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route, succeedWith } from '../api.ts'
import { confirmRow, lookupErrors, nameAmountValue, payAccountRow, payOutErrors, payOutRow } from './pay-out.ts'
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

const area = 'Saques (legado)'
const legacyRow = { area, dialect: 'withdrawal', auth: 'account' } as const
const legacyPayOut = { ...payOutRow, area } as const

const entryExample = {
  id: 1,
  datetime: '2030-11-21T10:05:09-03:00',
  value: -10,
  balance: 990,
  type: { slug: 'pix-out', name: 'Pix Out' },
}

const { name, document, bank_code, branch, account_number, account_type, key_pix } = withdrawalExample

const paidReceiverExample = {
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

export const legacyWithdrawalRows: readonly AnyRow[] = [
  route({
    ...legacyRow,
    name: 'legacy-withdrawals.list',
    summary: 'Lista os saques',
    paths: ['/legacypay/withdraws'],
    permission: 'withdrawals:read',
    input: { query: withdrawalFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.list(actor, query),
    reply: page<Withdrawal, PageOfWithdrawals>({ view: withdrawalView, message: 'Saques listados com sucesso.' }),
    example: { given: 'withdrawn', data: withdrawalExample },
  }),
  route({
    ...legacyRow,
    name: 'legacy-withdrawals.show',
    summary: 'Mostra um saque, com o lançamento dele no extrato',
    paths: ['/legacypay/withdraws/:id'],
    permission: 'withdrawals:read',
    record: ({ core, actor, request }) => core.withdrawals.read(actor, parseId(request.params.id ?? '')),
    run: ({ record }) => succeedWith(record),
    reply: json({ view: recordView, more: typedEntry, message: 'Detalhes do saque.' }),
    errors: { 'withdrawal.unknown': {} },
    example: {
      given: 'withdrawn',
      request: { params: { id: '1' } },
      data: withdrawalExample,
      more: { transaction: entryExample },
    },
  }),
  route({
    ...legacyRow,
    name: 'legacy-withdrawals.look-up',
    summary: 'Consulta uma chave Pix; a mesma consulta dentro de uma hora é reaproveitada',
    methods: ['POST'],
    paths: ['/legacypay/withdraws'],
    permission: 'withdrawals:write',
    input: { body: keyLookup },
    run: ({ core, actor }, { body }) => core.withdrawals.lookUp(actor, body),
    reply: json({ view: lookupView, message: 'Chave Pix consultada com sucesso.' }),
    errors: lookupErrors,
    example: {
      given: 'withdrawer',
      request: { body: { keypix: 'maria@example.com', value: 10 } },
      data: {
        internal_id: 1,
        ...{ name, document, bank_code, branch, account_number, account_type, key_pix },
        account_balance: 1_000,
      },
    },
  }),
  confirmRow(
    { area, name: 'legacy-withdrawals.confirm', paths: ['/legacypay/withdraws/confirm'] },
    paidReceiverView,
    paidReceiverExample,
  ),
  payAccountRow(
    { area, name: 'legacy-withdrawals.pay-account', paths: ['/legacypay/withdraws/bank'] },
    typedEntry,
    entryExample,
  ),
]

const MAX_MESSAGE = 99

const keyForm = input('LegacyKeyPayment', {
  valueCents: money({ wire: 'mount', minCents: 1, about: 'Valor' }),
  key: pixKey({ wire: 'keyPix', about: 'Chave Pix' }),
  document: nullIfAbsent(taxId({ wire: 'documentoBeneficiario', about: 'CPF ou CNPJ de quem recebe, para conferir' })),
  message: messageField({ max: MAX_MESSAGE }),
  pin: pinFields.pin,
})

const { message: _, branch: __, ...accountFields } = accountPaymentFields

/** Payments are not scheduled: the date must be today. */
const paidToday = rule<{ readonly paymentDate: string | null }, 'paymentDate', 'withdrawal.date'>(
  ['paymentDate'],
  ({ paymentDate }, today) =>
    paymentDate !== null && today !== null && paymentDate !== today ? [issue('paymentDate', 'withdrawal.date')] : [],
)

const accountForm = input(
  'LegacyAccountPayment',
  {
    ...accountFields,
    branch: branchField('branch'),
    message: messageField({ wire: 'mensagem' }),
    paymentDate: nullIfAbsent(day({ about: 'Data do pagamento: hoje' })),
    pin: pinFields.pin,
  },
  paidToday,
)

const UNIMPLEMENTED = { success: false, message: 'Não implementado.', error_code: 'withdrawal.boleto' } as const

const unimplementedView = view(
  'Unimplemented',
  {
    success: output.json({ about: 'Sempre falso' }),
    message: output.text({ about: 'O que aconteceu, para pessoas' }),
    errorCode: output.text({ about: 'O que aconteceu, para programas' }),
  },
  (failure: typeof UNIMPLEMENTED) => ({ ...failure, errorCode: failure.error_code }),
)

const { agency, ...otherFields } = accountPaymentExample
const dataBankExample = { ...otherFields, branch: agency }

export const deprecatedWithdrawalRows: readonly AnyRow[] = [
  route({
    ...legacyPayOut,
    name: 'legacy-withdrawals.saida-sicred',
    summary: 'Paga a uma chave Pix sem consulta, com o PIN',
    paths: ['/legacypay/saida-sicred'],
    deprecated: { use: '/legacypay/withdraws/confirm' },
    input: { body: keyForm },
    run: ({ core, actor }, { body: { pin: _pin, ...payment } }) =>
      nameAmountValue(core.withdrawals.payKey(actor, payment)),
    reply: json({ status: 201, otherwise: pendingStatus, view: paidReceiverView, message: messageOf }),
    errors: { ...payOutErrors, 'key.throttled': {}, 'key.unknown': {} },
    example: {
      given: 'withdrawer',
      request: { body: { mount: 10, keyPix: 'maria@example.com', pin: '135790' } },
      data: paidReceiverExample,
      message: DONE,
    },
  }),
  route({
    ...legacyPayOut,
    name: 'legacy-withdrawals.data-bank',
    summary: 'Paga a uma conta em qualquer banco, com o PIN',
    paths: ['/legacypay/pix-out/dataBank'],
    deprecated: { use: '/legacypay/withdraws/bank' },
    input: { body: accountForm },
    run: ({ core, actor }, { body: { pin: _pin, paymentDate: _date, ...payment } }) =>
      nameAmountValue(core.withdrawals.payAccount(actor, payment)),
    reply: json({ otherwise: pendingStatus, view: recordView, more: paidEntry, message: messageOf }),
    errors: payOutErrors,
    example: {
      given: 'withdrawer',
      request: { body: dataBankExample },
      data: accountWithdrawalExample,
      more: { transaction: { id: 1, value: -10, balance: 990 } },
      message: DONE,
    },
  }),
  route({
    ...legacyRow,
    methods: ['POST'],
    permission: 'withdrawals:write',
    dialect: 'bare',
    name: 'legacy-withdrawals.boleto',
    summary: 'Pagar boletos não está implementado: sempre 500',
    paths: ['/legacypay/boleto-saida-sicred'],
    deprecated: { use: null },
    key: false,
    run: () => succeedWith(UNIMPLEMENTED),
    reply: json({ status: 500, view: unimplementedView }),
    example: { given: 'withdrawer', data: UNIMPLEMENTED },
  }),
]
