import { output, view } from '../../../core/kernel/input/mod.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import { keyLookup } from '../../../core/payments/withdrawals/key-lookup.ts'
import { type PageOfWithdrawals, withdrawalFilter, withdrawalView } from '../../../core/payments/withdrawals/views.ts'
import type { Withdrawal } from '../../../core/payments/withdrawals/withdrawal.ts'
import { pageMeta } from '../../../core/ports/store.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route, succeedWith } from '../api.ts'
import { confirmRow, lookupErrors, payAccountRow } from './pay-out.ts'
import { frequentRecipientsRow } from './recipients.ts'
import {
  answerExample,
  fullRecordView,
  paidEntry,
  paidView,
  startedView,
  withdrawalEntry,
  withdrawalExample,
} from './withdrawal-views.ts'

const area = 'Saques'
const withdrawalRow = { area, dialect: 'withdrawal', auth: 'account' } as const

const pageUrl = (listed: PageOfWithdrawals, page: number): string => {
  const search = listed.search === null ? '' : `&search=${encodeURIComponent(listed.search)}`
  return `/recipients?page=${page}&per_page=${listed.perPage}${search}`
}

const linksView = view(
  'WithdrawalLinks',
  {
    first: output.json({ about: 'A primeira página' }),
    last: output.json({ about: 'A última página' }),
    prev: output.json({ about: 'A página anterior, ou nulo' }),
    next: output.json({ about: 'A próxima página, ou nulo' }),
  },
  (listed: PageOfWithdrawals) => {
    const { page } = listed
    const last = pageMeta(listed).last_page
    return {
      first: pageUrl(listed, 1),
      last: pageUrl(listed, last),
      prev: page > 1 ? pageUrl(listed, page - 1) : null,
      next: page < last ? pageUrl(listed, page + 1) : null,
    }
  },
)

const pageLinks = view(
  null,
  { links: output.view(linksView, { about: 'Outras páginas' }) },
  (listed: PageOfWithdrawals) => ({ links: listed }),
)

export const withdrawalRows: readonly AnyRow[] = [
  frequentRecipientsRow({ area, name: 'recipients.frequent', paths: ['/recipients/frequent'] }),
  route({
    ...withdrawalRow,
    name: 'recipients.list',
    summary: 'Lista os saques',
    paths: ['/recipients'],
    permission: 'withdrawals:read',
    input: { query: withdrawalFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.list(actor, query),
    reply: page<Withdrawal, PageOfWithdrawals>({
      view: withdrawalView,
      message: 'Saques listados com sucesso.',
      more: pageLinks,
    }),
    example: {
      given: 'withdrawn',
      data: withdrawalExample,
      more: {
        links: {
          first: '/recipients?page=1&per_page=15',
          last: '/recipients?page=1&per_page=15',
          prev: null,
          next: null,
        },
      },
    },
  }),
  route({
    ...withdrawalRow,
    name: 'recipients.show',
    summary: 'Mostra um saque, com o que o banco respondeu',
    paths: ['/recipients/:id'],
    permission: 'withdrawals:read',
    record: ({ core, actor, request }) => core.withdrawals.read(actor, parseId(request.params.id ?? '')),
    run: ({ record }) => succeedWith(record),
    reply: json({ view: fullRecordView, more: withdrawalEntry, message: 'Detalhes do saque.' }),
    errors: { 'withdrawal.unknown': {} },
    example: {
      given: 'withdrawn',
      request: { params: { id: '1' } },
      data: { ...withdrawalExample, json: answerExample },
      more: { transaction: { id: 1, value: -10, balance: 990, type_id: 2, datetime: '2030-11-21T10:05:09-03:00' } },
    },
  }),
  route({
    ...withdrawalRow,
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
    },
  }),
  confirmRow({ area, name: 'pix.withdraw', paths: ['/api/pix/withdraw'] }, paidView, {
    txid: withdrawalExample.txid,
    endtoendid: withdrawalExample.endtoendid,
    value: 10,
    date: '2030-11-21T10:05:09-03:00',
  }),
  payAccountRow({ area, name: 'pix.withdraw-bank', paths: ['/api/pix/withdraw-bank'] }, paidEntry, {
    id: 1,
    value: -10,
    balance: 990,
  }),
]
