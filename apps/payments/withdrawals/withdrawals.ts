import { input } from '../../../core/kernel/input/input.ts'
import { output, view, viewEach } from '../../../core/kernel/input/view.ts'
import { pageMeta } from '../../../core/kernel/values/page.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { accountPaymentFields, confirmationFields, keyLookup } from '../../../core/payments/withdrawals/inputs.ts'
import { frequentFilter, recipientView } from '../../../core/payments/withdrawals/recipients.ts'
import { type PageOfWithdrawals, withdrawalFilter, withdrawalView } from '../../../core/payments/withdrawals/views.ts'
import type { Withdrawal } from '../../../core/payments/withdrawals/withdrawal.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { listExample, route, succeedWith } from '../api.ts'
import { lookupErrors, namedValue, PAY_OUT_STAGES, payOutErrors, payOutPrecondition } from './pay-out.ts'
import {
  accountPaymentExample,
  accountWithdrawalExample,
  answerExample,
  DONE,
  fullRecordView,
  messageOf,
  paidEntry,
  paidView,
  pendingStatus,
  recipientExample,
  recordView,
  startedView,
  withdrawalEntry,
  withdrawalExample,
} from './withdrawal-views.ts'

const about = { area: 'Saques', dialect: 'withdrawal', auth: 'account' } as const
const FREQUENT = 'Destinatários frequentes recuperados com sucesso.'

const link = (of: PageOfWithdrawals, at: number | null): string | null => {
  if (at === null) return null
  const search = of.search === null ? '' : `&search=${encodeURIComponent(of.search)}`
  return `/recipients?page=${at}&per_page=${of.perPage}${search}`
}

const linksView = view(
  'WithdrawalLinks',
  {
    first: output.json({ about: 'A primeira página' }),
    last: output.json({ about: 'A última página' }),
    prev: output.json({ about: 'A página anterior, ou nulo' }),
    next: output.json({ about: 'A próxima página, ou nulo' }),
  },
  (of: PageOfWithdrawals) => {
    const last = Math.max(1, pageMeta(of).last_page)
    return {
      first: link(of, 1),
      last: link(of, last),
      prev: link(of, of.page > 1 ? of.page - 1 : null),
      next: link(of, of.page < last ? of.page + 1 : null),
    }
  },
)

const besideLinks = view(
  null,
  { links: output.view(linksView, { about: 'Outras páginas' }) },
  (of: PageOfWithdrawals) => ({ links: of }),
)

/** What has left, and whom it reached. Source: 02-billing.md, Withdrawals; decisions.md §11. */
export const withdrawalReadRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'recipients.frequent',
    summary: 'Lista os destinatários mais frequentes',
    methods: ['GET'],
    paths: ['/recipients/frequent'],
    permission: 'withdrawals:read',
    input: { query: frequentFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.frequentRecipients(actor, query),
    reply: json({ view: viewEach(recipientView), message: FREQUENT }),
    example: { given: 'withdrawn', reply: { success: true, data: [recipientExample], message: FREQUENT } },
  }),
  route({
    ...about,
    name: 'recipients.list',
    summary: 'Lista os saques',
    methods: ['GET'],
    paths: ['/recipients'],
    permission: 'withdrawals:read',
    input: { query: withdrawalFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.list(actor, query),
    reply: page<Withdrawal, PageOfWithdrawals>({
      view: withdrawalView,
      message: 'Saques listados com sucesso.',
      more: besideLinks,
    }),
    example: {
      given: 'withdrawn',
      reply: listExample(withdrawalExample, 'Saques listados com sucesso.', {
        links: {
          first: '/recipients?page=1&per_page=15',
          last: '/recipients?page=1&per_page=15',
          prev: null,
          next: null,
        },
      }),
    },
  }),
  route({
    ...about,
    name: 'recipients.show',
    summary: 'Mostra um saque, com o que o banco respondeu',
    methods: ['GET'],
    paths: ['/recipients/:id'],
    permission: 'withdrawals:read',
    record: ({ core, actor, request }) => core.withdrawals.read(actor, parseId(request.params.id ?? '')),
    input: {},
    run: ({ record }) => succeedWith(record),
    reply: json({ view: fullRecordView, more: withdrawalEntry, message: 'Detalhes do saque.' }),
    errors: { 'withdrawal.unknown': {} },
    example: {
      given: 'withdrawn',
      request: { params: { id: '1' } },
      reply: {
        success: true,
        data: { ...withdrawalExample, json: answerExample },
        transaction: {
          id: 1,
          value: -10,
          balance: 990,
          type_id: 2,
          datetime: '2030-11-21T10:05:09-03:00',
        },
        message: 'Detalhes do saque.',
      },
    },
  }),
]

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
