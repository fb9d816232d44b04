import { output, view, viewEach } from '../../../core/kernel/input/view.ts'
import { pageMeta } from '../../../core/kernel/values/page.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import { frequentFilter, recipientView } from '../../../core/payments/withdrawals/recipients.ts'
import { type PageOfWithdrawals, withdrawalFilter, withdrawalView } from '../../../core/payments/withdrawals/views.ts'
import type { Withdrawal } from '../../../core/payments/withdrawals/withdrawal.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { shown as found, route } from '../api.ts'
import { answerExample, recipientExample, withdrawalExample } from './withdrawal-example.ts'
import { fullRecordView, withdrawalEntry } from './withdrawal-views.ts'

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
      reply: {
        code: 200,
        success: true,
        data: [withdrawalExample],
        meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 },
        links: {
          first: '/recipients?page=1&per_page=15',
          last: '/recipients?page=1&per_page=15',
          prev: null,
          next: null,
        },
        message: 'Saques listados com sucesso.',
      },
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
    run: ({ record }) => found(record),
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
