import type { ChargeFilter } from '../../../core/payments/charges/list-charges.ts'
import type { TransactionFilter } from '../../../core/payments/statements/list-transactions.ts'
import type { Figure } from '../table.ts'

/** One page that somebody asks for. */
export interface Question {
  readonly name: string
  readonly aim: Figure['aim']
  /** What it asks, given how many charges there are. */
  readonly asks:
    | { readonly charges: (count: number) => ChargeFilter }
    | { readonly lines: (count: number) => TransactionFilter }
}

const ALIKE = { atMost: 1.5, orMoreByMs: 5 }
const QUICK = { underMs: 20 }
/** What walks is linear: 50 ms for each 100,000. */
const SEARCHED = { underMs: 500 }
const PER_PAGE = 15
const LATE = { from: '2023-01-01', to: '2023-06-30' }
const [SELDOM, OFTEN] = [100, 1]

const charges = (name: string, filter: ChargeFilter, aim: Figure['aim'] = ALIKE): Question => ({
  name,
  aim,
  asks: { charges: () => filter },
})
const paged = (
  name: string,
  filter: ChargeFilter,
  pageOf: (pages: number) => number,
  aim: Figure['aim'] = ALIKE,
): Question => ({
  name,
  aim,
  asks: { charges: (count) => ({ ...filter, page: Math.max(1, Math.floor(pageOf(count / PER_PAGE))) }) },
})
const lines = (name: string, filter: TransactionFilter, aim: Figure['aim'] = ALIKE): Question => ({
  name,
  aim,
  asks: { lines: () => filter },
})

/** Each order alone, each filter alone, filters together, and pages far in. */
export const questions: readonly Question[] = [
  charges('no filter', {}),
  ...(['createdAt', 'dueDate', 'paymentDate', 'id'] as const).flatMap((orderBy) =>
    (['asc', 'desc'] as const).map((orderDir) => charges(`order ${orderBy} ${orderDir}`, { orderBy, orderDir })),
  ),
  charges('status: most', { statuses: ['paidwithpix'] }),
  charges('status: few', { statuses: ['failed'] }),
  charges('status: DELETED', { statuses: ['DELETED'] }),
  charges('status: two of them', { statuses: ['failed', 'cancelled'] }),
  charges('method: most', { methods: ['PIX'] }),
  charges('method: two of them', { methods: ['BOLETO', 'CREDIT_CARD'] }),
  charges('client: one in 1,000', { clientId: SELDOM }),
  charges('client: one in 10', { clientId: OFTEN }),
  charges('client: none of theirs', { clientId: 999_999 }),
  charges('created: an old day', { created: { from: '2022-03-15', to: '2022-03-15' } }),
  charges('created: half a year', { created: LATE }),
  charges('created: since a day', { created: { from: '2022-03-15' } }),
  charges('due: an old day', { due: { from: '2022-03-15', to: '2022-03-15' } }),
  charges('due: half a year', { due: LATE }),
  charges('due: until a day', { due: { to: '2022-03-15' } }),
  charges('paid: an old day', { paid: { from: '2022-03-15', to: '2022-03-15' } }),
  charges('paid: 45 days', { paid: { from: '2023-02-01', to: '2023-03-17' } }),
  charges(
    'status, method and client: one in 1,000',
    { statuses: ['failed'], methods: ['BOLETO'], clientId: SELDOM },
    QUICK,
  ),
  charges(
    'status, method and client: one in 10',
    { statuses: ['failed'], methods: ['BOLETO'], clientId: OFTEN },
    QUICK,
  ),
  charges('status and method, by due date', { statuses: ['failed'], methods: ['BOLETO'], orderBy: 'dueDate' }, QUICK),
  charges('client and created, by due date', { clientId: OFTEN, created: LATE, orderBy: 'dueDate' }, QUICK),
  charges('due and status', { due: LATE, statuses: ['failed'] }, QUICK),
  charges('search: one is found', { search: 'maria da silva 999' }, SEARCHED),
  charges('search: none is found', { search: 'joaquina' }, SEARCHED),
  charges('search: all are found', { search: 'silva' }, SEARCHED),
  charges('search: two letters', { search: 'zq' }, SEARCHED),
  paged('page in the middle', {}, (pages) => pages / 2),
  paged('last page', {}, (pages) => pages * 0.97),
  paged('page in the middle, of a status', { statuses: ['paidwithpix'] }, (pages) => (pages * 0.8) / 2),
  paged('page in the middle, by due date', { orderBy: 'dueDate' }, (pages) => pages / 2),
  // Ids have no days: it walks from the nearer end.
  paged('page in the middle, by id', { orderBy: 'id' }, (pages) => pages / 2, QUICK),
  lines('statement', {}),
  lines('statement: an old day', { created: { from: '2022-03-15', to: '2022-03-15' } }),
  lines('statement: half a year', { created: LATE }),
  lines('statement: a type', { typeId: [2] }),
  lines('statement: a type on an old day', { typeId: [2], created: { from: '2022-03-15', to: '2022-03-15' } }),
  lines('statement: search', { search: 'silva 999' }, SEARCHED),
]
