import {
  cardBalanceFilter,
  cardEntryFilter,
  cardSummaryFilter,
  cardSummaryView,
  cardTransactionFilter,
  cardTransactionView,
  cardWithdrawalView,
  newCardWithdrawal,
} from '../../../core/payments/statements/card-sales.ts'
import { balanceView } from '../../../core/payments/statements/entries.ts'
import { transactionView } from '../../../core/payments/statements/views.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { paidExample } from '../charges/charges.ts'
import { ONLY_ACTIVE } from '../withdrawals/pay-out.ts'
import { statementRow, transactionExample } from './transactions.ts'

const saleRow = { ...statementRow, area: 'Vendas no cartão' } as const

const saleExample = {
  id: 1,
  charge: { ...paidExample, payment_method: 'CREDIT_CARD', pix: null },
  gross_amount: 150.5,
  fee_amount: 0,
  net_amount: 150.5,
  status: 'PENDING',
  payment_date: '2030-11-21',
}

const withoutTitle = { txid: null, endtoend: null }
const settlementExample = {
  ...transactionExample,
  type: { id: 16, slug: 'card-settlement', name: 'Liquidação Cartão' },
  status: { id: 5, title: 'Cartão' },
  ...withoutTitle,
  metadata: { ...transactionExample.metadata, ...withoutTitle },
}

const TXID = 'kVh2aQ0mZr8TgW5xYc3LdPq7B'
const withdrawalMetadata = { txid: TXID, endtoend: null, payer: null, receiver: null }
const withdrawalExample = {
  ...settlementExample,
  id: 2,
  description: 'Saque do saldo de cartão',
  value: -100,
  balance: 50.5,
  type: { id: 17, slug: 'card-withdrawal', name: 'Saque Cartão' },
  ...withdrawalMetadata,
  metadata: withdrawalMetadata,
}

export const cardSaleRows: readonly AnyRow[] = [
  route({
    ...saleRow,
    name: 'card-sales.list',
    summary: 'Lista as vendas no cartão',
    paths: ['/consolidation/card-transactions'],
    dialect: 'envelope',
    input: { query: cardTransactionFilter },
    run: ({ core, actor }, { query }) => core.cardSales.list(actor, query),
    reply: page({ view: cardTransactionView, message: 'Vendas no cartão listadas com sucesso.' }),
    example: { given: 'paidCard', data: saleExample },
  }),
  route({
    ...saleRow,
    name: 'card-sales.summary',
    summary: 'Soma as vendas no cartão: as sacadas e as que não foram',
    paths: ['/consolidation/card-transactions/summary'],
    dialect: 'envelope',
    input: { query: cardSummaryFilter },
    run: ({ core, actor }, { query }) => core.cardSales.summarize(actor, query),
    reply: json({ view: cardSummaryView, message: 'Vendas no cartão somadas com sucesso.' }),
    example: {
      given: 'paidCard',
      data: {
        total: { count: 1, gross: 150.5, fee: 0, net: 150.5 },
        pending: { count: 1, net: 150.5 },
        withdrawn: { count: 0, net: 0 },
      },
    },
  }),
  route({
    ...saleRow,
    name: 'card-sales.entries',
    summary: 'Lista as liquidações e os saques de cartão',
    paths: ['/transactions/card'],
    dialect: 'envelope',
    input: { query: cardEntryFilter },
    run: ({ core, actor }, { query }) => core.cardSales.listEntries(actor, query),
    reply: page({ view: transactionView, message: 'Transações listadas com sucesso.' }),
    example: { given: 'paidCard', data: settlementExample },
  }),
  route({
    ...saleRow,
    name: 'card-sales.balance',
    summary: 'Mostra o saldo de cartão',
    paths: ['/transactions/card/balance'],
    dialect: 'bare',
    input: { query: cardBalanceFilter },
    run: ({ core, actor }, { query }) => core.cardSales.readBalance(actor, query),
    reply: json({ view: balanceView }),
    example: { given: 'paidCard', data: { balance: 150.5 } },
  }),
  route({
    ...saleRow,
    name: 'card-sales.withdraw',
    summary: 'Passa do saldo de cartão ao saldo da conta',
    methods: ['POST'],
    paths: ['/transactions/card/withdraw'],
    dialect: 'card',
    permission: 'withdrawals:write',
    // The use case checks for an ACTIVE organization, after the request is validated.
    accountWritable: false,
    input: { body: newCardWithdrawal },
    run: ({ core, actor }, { body }) => core.cardSales.withdraw(actor, body),
    reply: json({ view: cardWithdrawalView }),
    errors: { 'account.unknown': {}, 'organization.inactive': ONLY_ACTIVE, 'card-balance.insufficient': {} },
    example: {
      given: 'paidCard',
      request: { body: { amount: 100 } },
      data: {
        message: 'Saque realizado com sucesso.',
        amount: 100,
        balance: 50.5,
        txid: TXID,
        transactions: [
          withdrawalExample,
          { ...withdrawalExample, id: 3, value: 100, balance: 100, status: { id: 1, title: 'Confirmado' } },
        ],
      },
    },
  }),
]
