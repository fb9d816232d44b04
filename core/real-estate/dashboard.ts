import { right } from '../failure.ts'
import { guid, instant, month } from '../kernel/input/scalars.ts'
import { output, view } from '../kernel/input/view.ts'
import { all, type Collection, eq, type Field, gte, isIn, lte, type Rec, type Where } from '../kernel/records/record.ts'
import type { GroupRow } from '../kernel/records/tally.ts'
import type { UseCase } from '../kernel/running/use-case.ts'
import { addDays, addMonths, type Day, dayOf, type Instant } from '../kernel/values/day.ts'
import { MAX_PAGE } from '../limits.ts'
import { type Group, groupOf, listAll, listOf, type Store } from '../ports/store.ts'
import { type BrokerFigures, readBrokerFigures, shareOf } from './brokers.ts'
import { ownBroker } from './own.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { type Contract, contracts } from './records/contract.ts'
import { type Payment, payments } from './records/payment.ts'
import { type Broker, brokers } from './records/people.ts'
import { properties } from './records/property.ts'
import { proposals } from './records/proposal.ts'
import { visits } from './records/visit.ts'

/** Returns the brokers with a row: all of the company, or the actor's own. */
const brokersIn = async (
  store: Store,
  companyId: string,
  own: Broker | null | undefined,
): Promise<readonly Broker[]> => {
  if (own !== undefined) return own === null ? [] : [own]
  const list = listOf(brokers, {
    where: eq('companyId', companyId),
    when: 'live',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })
  return listAll(store, list)
}

const rowsOf = async (store: Store, companyId: string, of: readonly Broker[]): Promise<readonly ShownBroker[]> => {
  const figures = await readBrokerFigures(
    store,
    companyId,
    of.map(({ id }) => id),
  )
  return of.flatMap(({ id, name }) => {
    const own = figures.get(id)
    return own ? [{ id, name, ...own }] : []
  })
}

/** The figures of an agency. */
export const dashboard = {
  useCases: ({ store, clock }: RealEstatePorts) => ({
    /** Returns the current figures of the company; brokers see their own, without money. Money is cents. */
    read:
      (actor: Actor): UseCase<Dashboard, never> =>
      async () => {
        const { companyId, role } = actor
        const today = dayOf(clock.steady())
        const own = role === 'Broker' ? await ownBroker(store, actor) : undefined
        // No record has the empty id: a broker without a record sees nothing.
        const sight: Sight = own === undefined ? { companyId } : { companyId, brokerId: own?.id ?? '' }
        const [counted, rows] = await Promise.all([
          readFigures(store, sight, today),
          brokersIn(store, companyId, own).then((of) => rowsOf(store, companyId, of)),
        ])
        return right(dashboardOf(counted, rows, today, clock.now()))
      },
  }),
} satisfies RealEstateModule

/** The figures of an agency at a moment; money is cents. */
export interface Dashboard {
  readonly properties: Readonly<Record<'total' | 'available' | 'reserved' | 'rented' | 'sold', number>>
  readonly contracts: Readonly<Record<'active' | 'expiringSoon' | 'terminated' | 'cancelled', number>>
  readonly financial: Financial
  readonly brokers: readonly ShownBroker[]
  readonly proposals: Readonly<Record<'underReview' | 'negotiating' | 'approved' | 'rejected', number>>
  readonly visits: Readonly<Record<'scheduled' | 'confirmed' | 'done' | 'cancelled', number>>
  readonly revenueByMonth: readonly MonthlyRevenue[]
  readonly generatedAt: Instant
}

export interface Financial {
  readonly monthlyRevenueCents: number
  readonly pendingPayments: number
  readonly pendingValueCents: number
  readonly defaultedPayments: number
  readonly defaultedValueCents: number
  /** Defaulted value / (revenue of the month + defaulted value); 4 decimals, 0 if both are 0. */
  readonly defaultRate: number
}

export interface MonthlyRevenue {
  /** `YYYY-MM`. */
  readonly period: string
  readonly valueCents: number
}

const countOf = (rows: readonly GroupRow[], status: string): number =>
  rows.reduce((sum, { by, count }) => sum + (by.status === status ? count : 0), 0)

const sumOf = (rows: readonly GroupRow[], field: string, is: string, summed: string): number =>
  rows.reduce((sum, { by, sums }) => sum + (by[field] === is ? (sums[summed] ?? 0) : 0), 0)

const totalOf = (rows: readonly GroupRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

const dashboardOf = (
  counted: CountedFigures,
  brokers: readonly ShownBroker[],
  today: Day,
  generatedAt: Instant,
): Dashboard => {
  const { properties, contracts, expiring, proposals, visits, owed, revenue } = counted
  const revenueByMonth = shownMonths(today).map((period) => ({
    period,
    valueCents: sumOf(revenue, 'paidMonth', period, 'paidValueCents'),
  }))
  const monthlyRevenueCents = revenueByMonth.at(-1)?.valueCents ?? 0
  const defaultedValueCents = sumOf(owed, 'status', 'Defaulted', 'valueCents')
  return {
    properties: {
      total: totalOf(properties),
      available: countOf(properties, 'Available'),
      reserved: countOf(properties, 'Reserved'),
      rented: countOf(properties, 'Rented'),
      sold: countOf(properties, 'Sold'),
    },
    contracts: {
      active: countOf(contracts, 'Active'),
      expiringSoon: totalOf(expiring),
      terminated: countOf(contracts, 'Terminated'),
      cancelled: countOf(contracts, 'Cancelled'),
    },
    financial: {
      monthlyRevenueCents,
      pendingPayments: countOf(owed, 'Pending'),
      pendingValueCents: sumOf(owed, 'status', 'Pending', 'valueCents'),
      defaultedPayments: countOf(owed, 'Defaulted'),
      defaultedValueCents,
      defaultRate: shareOf(defaultedValueCents, monthlyRevenueCents + defaultedValueCents),
    },
    brokers,
    proposals: {
      underReview: countOf(proposals, 'UnderReview'),
      negotiating: countOf(proposals, 'Negotiating'),
      approved: countOf(proposals, 'Approved'),
      rejected: countOf(proposals, 'Rejected'),
    },
    visits: {
      scheduled: countOf(visits, 'Scheduled'),
      confirmed: countOf(visits, 'Confirmed'),
      done: countOf(visits, 'Done'),
      cancelled: countOf(visits, 'Cancelled'),
    },
    revenueByMonth,
    generatedAt,
  }
}

/** The months of revenue, the current one last. */
const MONTHS = 5
/** Contracts that end within these days count as expiring. */
const EXPIRING_DAYS = 30

/** The records that a dashboard counts: the company's, or a broker's own; null for a broker without a record. */
interface Sight {
  readonly companyId: string
  /** Absent for the whole company. */
  readonly brokerId?: string | null
}

/** The counts behind a dashboard. */
interface CountedFigures {
  readonly properties: readonly GroupRow[]
  readonly contracts: readonly GroupRow[]
  readonly expiring: readonly GroupRow[]
  readonly proposals: readonly GroupRow[]
  readonly visits: readonly GroupRow[]
  readonly owed: readonly GroupRow[]
  readonly revenue: readonly GroupRow[]
}

const monthOf = (day: Day): string => day.slice(0, 7)

/** The months of revenue, oldest first. */
const shownMonths = (today: Day): readonly string[] =>
  Array.from({ length: MONTHS }, (_, index) => monthOf(addMonths(today, index + 1 - MONTHS)))

const within = <F extends string>({ companyId, brokerId }: Sight, ...more: readonly Where<F>[]) =>
  all<F | 'companyId' | 'brokerId'>(
    eq('companyId', companyId),
    ...(brokerId === undefined ? [] : [eq<'brokerId'>('brokerId', brokerId)]),
    ...more,
  )

type Tenant = Rec & { readonly companyId: string; readonly brokerId: string | null; readonly status: string }

const byStatus = <R extends Tenant>(from: Collection<R>, sight: Sight): Group<R> =>
  groupOf(from, { where: within(sight) as Where<Field<R>>, when: 'live', by: ['status'], sum: [] })

/** Reads the counts from tallies: the cost does not depend on the number of records. */
const readFigures = async (store: Store, sight: Sight, today: Day): Promise<CountedFigures> => {
  const soon = [gte<keyof Contract & string>('endDate', today), lte('endDate', addDays(today, EXPIRING_DAYS))]
  const own = eq<keyof Payment & string>('companyId', sight.companyId)
  const { owed, revenue, ...counted } = await store.read({
    properties: byStatus(properties, sight),
    contracts: byStatus(contracts, sight),
    expiring: groupOf(contracts, { where: within(sight, ...soon), when: 'active', by: [], sum: [] }),
    proposals: byStatus(proposals, sight),
    visits: byStatus(visits, sight),
    owed: groupOf(payments, { where: own, when: 'live', by: ['status'], sum: ['valueCents'] }),
    revenue: groupOf(payments, {
      where: all(own, eq('status', 'Paid'), isIn('paidMonth', shownMonths(today))),
      when: 'live',
      by: ['paidMonth'],
      sum: ['paidValueCents'],
    }),
  })
  // A broker sees no figures of money.
  return sight.brokerId === undefined ? { ...counted, owed, revenue } : { ...counted, owed: [], revenue: [] }
}

/** A broker's row of the dashboard. */
export interface ShownBroker extends BrokerFigures {
  readonly id: string
  readonly name: string
}

const count = (about: string) => output.count({ about })

const propertyCounts = view(
  'PropertyCounts',
  {
    total: count('Imóveis ao todo'),
    available: count('Disponíveis'),
    reserved: count('Reservados'),
    rented: count('Alugados'),
    sold: count('Vendidos'),
  },
  (of: Dashboard['properties']) => of,
)

const contractCounts = view(
  'ContractCounts',
  {
    active: count('Ativos'),
    expiringSoon: count('Ativos que terminam em até 30 dias'),
    terminated: count('Rescindidos'),
    cancelled: count('Cancelados'),
  },
  (of: Dashboard['contracts']) => of,
)

const proposalCounts = view(
  'ProposalCounts',
  {
    underReview: count('Em análise'),
    negotiating: count('Em negociação'),
    approved: count('Aprovadas'),
    rejected: count('Rejeitadas'),
  },
  (of: Dashboard['proposals']) => of,
)

const visitCounts = view(
  'VisitCounts',
  {
    scheduled: count('Agendadas'),
    confirmed: count('Confirmadas'),
    done: count('Realizadas'),
    cancelled: count('Canceladas'),
  },
  (of: Dashboard['visits']) => of,
)

const financial = view(
  'FinancialFigures',
  {
    monthlyRevenueCents: output.money({ wire: 'monthlyRevenue', about: 'Recebido no mês corrente' }),
    pendingPayments: count('Pagamentos pendentes'),
    pendingValueCents: output.money({ wire: 'pendingValue', about: 'Valor dos pendentes' }),
    defaultedPayments: count('Pagamentos em atraso'),
    defaultedValueCents: output.money({ wire: 'defaultedValue', about: 'Valor dos em atraso' }),
    defaultRate: output.number({ about: 'Em atraso / (recebido no mês + em atraso), com 4 casas decimais' }),
  },
  (of: Dashboard['financial']) => of,
)

const brokerRow = view(
  'BrokerPerformance',
  {
    id: guid({ about: 'Identificador' }),
    name: output.text({ about: 'Nome' }),
    totalSales: count('Contratos de venda'),
    totalLeases: count('Contratos de locação'),
    conversionRate: output.number({ about: 'Propostas convertidas / propostas, com 4 casas decimais' }),
  },
  (of: Dashboard['brokers'][number]) => of,
)

const monthRow = view(
  'MonthlyRevenue',
  {
    period: month({ about: 'Mês' }),
    valueCents: output.money({ wire: 'value', about: 'Recebido no mês' }),
  },
  (of: Dashboard['revenueByMonth'][number]) => of,
)

export const dashboardView = view(
  'Dashboard',
  {
    properties: output.view(propertyCounts, { about: 'Imóveis por situação' }),
    contracts: output.view(contractCounts, { about: 'Contratos por situação' }),
    financial: output.view(financial, { about: 'Dinheiro; zeros para corretores' }),
    brokers: output.views(brokerRow, { about: 'Corretores; para um corretor, só o próprio' }),
    proposals: output.view(proposalCounts, { about: 'Propostas por situação' }),
    visits: output.view(visitCounts, { about: 'Visitas por situação' }),
    revenueByMonth: output.views(monthRow, { about: 'Recebido nos últimos cinco meses, o corrente por último' }),
    generatedAt: instant({ about: 'Quando foi contado' }),
  },
  (of: Dashboard) => of,
)
