import {
  cardBalanceFilter,
  cardEntryFilter,
  cardWithdrawalView,
  newCardWithdrawal,
} from '../../../core/payments/statements/card-balance.ts'
import {
  cardSummaryFilter,
  cardSummaryView,
  cardTransactionFilter,
  cardTransactionView,
} from '../../../core/payments/statements/card-sales.ts'
import { balanceView } from '../../../core/payments/statements/entries.ts'
import { transactionView } from '../../../core/payments/statements/views.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { envelopeExample, listExample, route } from '../api.ts'
import { chargeExample } from '../charges/charges.ts'
import { ONLY_ACTIVE } from '../withdrawals/pay-out.ts'
import { transactionExample } from './transactions.ts'

const area = 'Vendas no cartão'
const ofSales = { area, methods: ['GET'], auth: 'account', permission: 'statements:read' } as const

const LISTED = 'Vendas no cartão listadas com sucesso.'
const ENTRIES_LISTED = 'Transações listadas com sucesso.'

const saleExample = {
  id: 1,
  charge: {
    ...chargeExample,
    payment_method: 'CREDIT_CARD',
    amount_paid: 150.5,
    payment_date: '2030-11-21',
    status: { id: 2, title: 'paid', description: 'Pago' },
    pix: null,
  },
  gross_amount: 150.5,
  fee_amount: 0,
  net_amount: 150.5,
  status: 'PENDING',
  payment_date: '2030-11-21',
}

const ofCard = {
  type: { id: 16, slug: 'card-settlement', name: 'Liquidação Cartão' },
  status: { id: 5, title: 'Cartão' },
}
const ofNoTitle = { txid: null, endtoend: null }
const settled = {
  ...transactionExample,
  ...ofCard,
  ...ofNoTitle,
  metadata: { ...transactionExample.metadata, ...ofNoTitle },
}

const TXID = 'kVh2aQ0mZr8TgW5xYc3LdPq7B'
const byWithdrawal = { txid: TXID, endtoend: null, payer: null, receiver: null }
const withdrawn = {
  ...settled,
  id: 2,
  description: 'Saque do saldo de cartão',
  value: -100,
  balance: 50.5,
  type: { id: 17, slug: 'card-withdrawal', name: 'Saque Cartão' },
  ...byWithdrawal,
  metadata: byWithdrawal,
}

/** Source: 02-billing.md, Card transaction, Statements and reports; decisions.md §4 and §11. */
export const cardSaleRows: readonly AnyRow[] = [
  route({
    ...ofSales,
    name: 'card-sales.list',
    summary: 'Lista as vendas no cartão',
    paths: ['/consolidation/card-transactions'],
    dialect: 'envelope',
    input: { query: cardTransactionFilter },
    run: ({ core, actor }, { query }) => core.cardSales.list(actor, query),
    reply: page({ view: cardTransactionView, message: LISTED }),
    example: {
      given: 'paidCard',
      reply: listExample(saleExample, LISTED),
    },
  }),
  route({
    ...ofSales,
    name: 'card-sales.summary',
    summary: 'Soma as vendas no cartão: as sacadas e as que não foram',
    paths: ['/consolidation/card-transactions/summary'],
    dialect: 'envelope',
    input: { query: cardSummaryFilter },
    run: ({ core, actor }, { query }) => core.cardSales.summarize(actor, query),
    reply: json({ view: cardSummaryView, message: 'Vendas no cartão somadas com sucesso.' }),
    example: {
      given: 'paidCard',
      reply: envelopeExample(
        {
          total: { count: 1, gross: 150.5, fee: 0, net: 150.5 },
          pending: { count: 1, net: 150.5 },
          withdrawn: { count: 0, net: 0 },
        },
        'Vendas no cartão somadas com sucesso.',
      ),
    },
  }),
  route({
    ...ofSales,
    name: 'card-sales.entries',
    summary: 'Lista as liquidações e os saques de cartão',
    paths: ['/transactions/card'],
    dialect: 'envelope',
    input: { query: cardEntryFilter },
    run: ({ core, actor }, { query }) => core.cardSales.listEntries(actor, query),
    reply: page({ view: transactionView, message: ENTRIES_LISTED }),
    example: {
      given: 'paidCard',
      reply: listExample(settled, ENTRIES_LISTED),
    },
  }),
  route({
    ...ofSales,
    name: 'card-sales.balance',
    summary: 'Mostra o saldo de cartão',
    paths: ['/transactions/card/balance'],
    dialect: 'bare',
    input: { query: cardBalanceFilter },
    run: ({ core, actor }, { query }) => core.cardSales.readBalance(actor, query),
    reply: json({ view: balanceView }),
    example: { given: 'paidCard', reply: { balance: 150.5 } },
  }),
  route({
    ...ofSales,
    name: 'card-sales.withdraw',
    summary: 'Passa do saldo de cartão ao saldo da conta',
    methods: ['POST'],
    paths: ['/transactions/card/withdraw'],
    dialect: 'card',
    permission: 'withdrawals:write',
    // Money leaves an ACTIVE organization alone, which is asked after what is wrong with the request.
    accountWritable: false,
    input: { body: newCardWithdrawal },
    run: ({ core, actor }, { body }) => core.cardSales.withdraw(actor, body),
    reply: json({ view: cardWithdrawalView }),
    errors: { 'account.unknown': {}, 'organization.inactive': ONLY_ACTIVE, 'card-balance.insufficient': {} },
    example: {
      given: 'paidCard',
      request: { body: { amount: 100 } },
      reply: {
        message: 'Saque realizado com sucesso.',
        amount: 100,
        balance: 50.5,
        txid: TXID,
        transactions: [
          withdrawn,
          { ...withdrawn, id: 3, value: 100, balance: 100, status: { id: 1, title: 'Confirmado' } },
        ],
      },
    },
  }),
]
