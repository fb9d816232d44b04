import { input } from '../../../core/kernel/input/input.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { accountPaymentFields, confirmationFields, keyLookup } from '../../../core/payments/withdrawals/inputs.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { namedValue } from './named-value.ts'
import { lookupErrors, PAY_OUT_STAGES, payOutErrors, payOutPrecondition } from './pay-out-precondition.ts'
import { accountPaymentExample, accountWithdrawalExample, DONE, withdrawalExample } from './withdrawal-example.ts'
import { messageOf, paidEntry, paidView, pendingStatus, recordView, startedView } from './withdrawal-views.ts'

const about = { area: 'Saques', dialect: 'withdrawal', auth: 'account' } as const

/** What is sent with the PIN, which the core never hears. */
export const confirmationForm = input('ConfirmedWithdrawal', { ...confirmationFields, pin: pinFields.pin })
export const accountPaymentForm = input('ConfirmedAccountPayment', { ...accountPaymentFields, pin: pinFields.pin })

/** Source: 02-billing.md, Withdrawals; decisions.md §5 and §11. */
export const withdrawalRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'recipients.start',
    summary: 'Consulta uma chave Pix, e começa um saque para ela',
    methods: ['POST'],
    paths: ['/recipients'],
    permission: 'withdrawals:write',
    input: { body: keyLookup },
    run: ({ core, actor }, { body }) => core.withdrawals.lookUp(actor, body, 'refused'),
    reply: json({ view: startedView, message: 'Chave Pix consultada com sucesso.' }),
    errors: lookupErrors,
    example: {
      given: 'withdrawer',
      request: { body: { keypix: 'maria@example.com', value: 10 } },
      reply: {
        success: true,
        data: {
          txid: withdrawalExample.txid,
          data: '2030-11-21T10:05:09-03:00',
          endToEndId: null,
          valor: 10,
          pagador: {
            nome: 'Padaria Central',
            documento: '11222333000181',
            conta: '12345-6',
            banco: 'BCO COOPERATIVO SICREDI S.A.',
          },
          recebedor: {
            nome: 'Maria da Silva',
            documento: '***.456.789-**',
            conta: '12345-6',
            banco: 'ITAÚ UNIBANCO S.A.',
          },
          internal_id: 1,
          account_balance: 1_000,
          stored_recipient: null,
        },
        message: 'Chave Pix consultada com sucesso.',
      },
    },
  }),
  route({
    ...about,
    name: 'pix.withdraw',
    summary: 'Paga um saque que foi consultado, com o PIN',
    methods: ['POST'],
    paths: ['/api/pix/withdraw'],
    permission: 'withdrawals:write',
    stages: PAY_OUT_STAGES,
    precondition: payOutPrecondition,
    input: { body: confirmationForm },
    run: ({ core, actor }, { body: { pin: _, ...asked } }) => core.withdrawals.confirm(actor, asked),
    resume: ({ core }, intent) => core.withdrawals.resume(intent),
    reply: json({ status: 201, otherwise: pendingStatus, view: paidView, message: messageOf }),
    errors: { ...payOutErrors, 'withdrawal.used': { status: 409 } },
    example: {
      given: 'lookedUp',
      request: { body: { internal_id: 1, keypix: 'maria@example.com', value: 10, pin: '135790' } },
      reply: {
        success: true,
        data: {
          txid: withdrawalExample.txid,
          endtoendid: withdrawalExample.endtoendid,
          value: 10,
          date: '2030-11-21T10:05:09-03:00',
        },
        message: DONE,
      },
    },
  }),
  route({
    ...about,
    name: 'pix.withdraw-bank',
    summary: 'Paga a uma conta em qualquer banco, com o PIN',
    methods: ['POST'],
    paths: ['/api/pix/withdraw-bank'],
    permission: 'withdrawals:write',
    stages: PAY_OUT_STAGES,
    precondition: payOutPrecondition,
    input: { body: accountPaymentForm },
    run: ({ core, actor }, { body: { pin: _, ...asked } }) => namedValue(core.withdrawals.payAccount(actor, asked)),
    resume: ({ core }, intent) => core.withdrawals.resume(intent),
    reply: json({ otherwise: pendingStatus, view: recordView, more: paidEntry, message: messageOf }),
    errors: payOutErrors,
    example: {
      given: 'withdrawer',
      request: { body: accountPaymentExample },
      reply: {
        success: true,
        data: accountWithdrawalExample,
        transaction: { id: 1, value: -10, balance: 990 },
        message: DONE,
      },
    },
  }),
]
