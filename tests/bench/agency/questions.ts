import { filterOf, type ListQuery } from '../../../apps/http/rows/crud.ts'
import { type Either, isLeft } from '../../../core/failure.ts'
import type { RealEstate } from '../../../core/real-estate/real-estate.ts'
import type { Figure } from '../table.ts'
import { ADMIN, idOf, PAID_UP } from './history.ts'

/** The filter of a list, in the names of its route. */
type Asked = Readonly<Record<string, string | number | boolean>>
type Answering = (agency: RealEstate, asked: Asked, page: number) => Promise<Either<unknown, unknown>>

export interface AgencyQuestion {
  readonly name: string
  readonly route: string
  readonly aim: Figure['aim']
  readonly filter: Asked
  readonly asks: (agency: RealEstate) => Promise<Either<unknown, unknown>>
}

const PER_PAGE = 20
const ALIKE: Figure['aim'] = { atMost: 1.5, orMoreByMs: 5 }
/** Answers from tallies and from indexes of open records do not depend on the history. */
const SAME: Figure['aim'] = { atMost: 1.5 }
/** A scan is linear in the records of a company: 50 ms for 100,000. */
const WALKS: Figure['aim'] = { under: 50 }
/** A late page: a thousand records have fifty. */
const FAR = 40
const SHORT = ['condominiums.list', 'brokers.list']

type Listing = { [K in keyof RealEstate]: RealEstate[K] extends { list: unknown } ? K : never }[keyof RealEstate]

/** Lists whose input contains the page and the filters together. */
type Whole = Extract<Listing, 'proposals' | 'contracts' | 'visits' | 'notifications' | 'invitations'>

/** A list of a plain resource takes its page and its filter apart. */
const plain =
  (module: Exclude<Listing, Whole>): Answering =>
  (agency, asked, page) =>
    agency[module].list(ADMIN, { page, perPage: PER_PAGE }, filterOf(asked as ListQuery))()

const given =
  (module: Whole): Answering =>
  (agency, asked, page) =>
    agency[module].list(ADMIN, { ...asked, page, perPage: PER_PAGE })()

const BROKER = idOf('broker', 7)
const [CLIENT, PROPERTY, CONTRACT] = [idOf('client', 8), idOf('property', 8), idOf('contract', 8)]
const SEARCHED: Asked = { search: 'joaquina' }
const CONDOMINIUM = idOf('condominium', 3)

/** Every list with each of its filters alone. */
const lists: readonly (readonly [route: string, answer: Answering, filters: readonly Asked[]])[] = [
  [
    'properties.list',
    plain('properties'),
    [
      ...[{ status: 'Available' }, { status: 'Reserved' }, { type: 'Warehouse' }, { purpose: 'Sale' }],
      ...[{ brokerId: BROKER }, { ownerId: CLIENT }, { condominiumId: CONDOMINIUM }],
    ],
  ],
  ['clients.list', plain('clients'), [{ type: 'Individual' }, { type: 'Company' }, { interest: 'Both' }]],
  [
    'contracts.list',
    given('contracts'),
    [
      ...[{ status: 'Active' }, { status: 'Cancelled' }, { type: 'Sale' }, { expiringDays: 30 }],
      ...[{ brokerId: BROKER }, { propertyId: PROPERTY }, { clientId: CLIENT }],
    ],
  ],
  [
    'payments.list',
    plain('payments'),
    [{ status: 'Paid' }, { status: 'Defaulted' }, { type: 'Expense' }, { period: '2024-03' }, { contractId: CONTRACT }],
  ],
  [
    'proposals.list',
    given('proposals'),
    [{ status: 'UnderReview' }, { status: 'Rejected' }, { type: 'Sale' }, { brokerId: BROKER }],
  ],
  [
    'visits.list',
    given('visits'),
    [
      ...[{ status: 'Scheduled' }, { status: 'Cancelled' }, { brokerId: BROKER }, { propertyId: PROPERTY }],
      ...[{ dateFrom: '2026-11-22' }, { dateTo: '2021-12-01' }, { dateFrom: '2024-03-01', dateTo: '2024-03-07' }],
    ],
  ],
  [
    'commissions.list',
    plain('commissions'),
    [{ status: 'Pending' }, { status: 'Paid' }, { brokerId: BROKER }, { contractId: CONTRACT }],
  ],
  ['condominiums.list', plain('condominiums'), [{ syndicId: ADMIN.userId }]],
  ['brokers.list', plain('brokers'), [{ status: 'Inactive' }]],
  ['files.list', plain('files'), [{ contentType: 'image/png' }]],
]

const wordOf = (filter: Asked): string => Object.values(filter).join(', ').slice(0, 10)
const nameOf = (route: string, filter: Asked): string =>
  [route, ...Object.keys(filter).map((field) => `${field} ${wordOf(filter)}`)].join(': ')

const aimOf = (route: string, filter: Asked): Figure['aim'] => {
  if ('search' in filter) return WALKS
  return route === 'properties.list' ? { atMost: 1.3, orMoreByMs: 5 } : ALIKE
}

const questionOf = (route: string, answer: Answering, filter: Asked, page = 1): AgencyQuestion => ({
  name: page === 1 ? nameOf(route, filter) : `${route}: a page far in`,
  route,
  aim: aimOf(route, filter),
  filter,
  asks: (agency) => answer(agency, filter, page),
})

const figure = (route: string, asks: AgencyQuestion['asks'], aim = SAME): AgencyQuestion => ({
  ...{ name: route, route, aim },
  filter: {},
  asks,
})

/** Reads the overdue report and every payment in it. */
const overdue: AgencyQuestion['asks'] = async (agency) => {
  const report = await agency.payments.reportDefaulted(PAID_UP)()
  if (isLeft(report)) return report
  for await (const payment of report.right.payments) payment.id
  return report
}

/** Every list without a filter, searched, by each filter alone and on a late page; and the sums. */
export const agencyQuestions: readonly AgencyQuestion[] = [
  ...lists.flatMap(([route, answer, filters]) => [
    questionOf(route, answer, {}),
    ...(SHORT.includes(route) ? [] : [questionOf(route, answer, {}, FAR)]),
    ...[SEARCHED, ...filters].map((filter) => questionOf(route, answer, filter)),
  ]),
  questionOf('invitations.list', given('invitations'), {}),
  questionOf('notifications.list', given('notifications'), {}),
  questionOf('notifications.list', given('notifications'), { unreadOnly: true }),
  figure('dashboard.read', (agency) => agency.dashboard.read(ADMIN)()),
  figure('payments.report-revenue', (agency) => agency.payments.reportRevenue(ADMIN, {})()),
  figure('payments.report-defaulted', overdue),
]
