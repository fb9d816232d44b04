import { right } from '../failure.ts'
import { type Decoded, instant, output, view } from '../kernel/input/mod.ts'
import { all, type Collection, eq, type Field, gte, isIn, lte, type Rec, type Where } from '../kernel/records/record.ts'
import type { GroupRow } from '../kernel/records/tally.ts'
import type { UseCase } from '../kernel/running/use-case.ts'
import { type Day, dayOf, type Instant } from '../kernel/values/day.ts'
import { type Group, groupOf, NEWEST_FIRST, type Store } from '../ports/store.ts'
import { readBrokerFigures, shareOf } from './brokers.ts'
import { listOfCompany, ownBroker } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { contracts } from './records/contract.ts'
import { id, monthOf, shiftMonth } from './records/fields.ts'
import { type PaymentStatus, payments } from './records/payment.ts'
import { type Broker, brokers } from './records/people.ts'
import { PROPERTY_STATUSES, properties } from './records/property.ts'
import { PROPOSAL_STATUSES, proposals } from './records/proposal.ts'
import { entriesByMonth } from './records/receipt-entry.ts'
import { VISIT_STATUSES, visits } from './records/visit.ts'
import { monthFields, revenueOf } from './rents/reports.ts'
import { expiringDays } from './terms/periods.ts'

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
        const scope: FigureScope = own === undefined ? { companyId } : { companyId, brokerId: own?.id ?? '' }
        const [figures, rows] = await Promise.all([
          readFigures(store, scope, today),
          readBrokers(store, companyId, own).then((shown) => readRows(store, companyId, shown)),
        ])
        return right(dashboardOf(figures, rows, today, clock.now()))
      },
  }),
} satisfies RealEstateModule

/** Reads the brokers with a row: all of the company, or the actor's own. */
const readBrokers = async (
  store: Store,
  companyId: string,
  own: Broker | null | undefined,
): Promise<readonly Broker[]> => {
  if (own !== undefined) return own === null ? [] : [own]
  return listOfCompany(store, brokers, companyId, { when: 'live', sort: NEWEST_FIRST })
}

/** Reads the rows of brokers. */
const readRows = async (store: Store, companyId: string, shown: readonly Broker[]): Promise<readonly ShownBroker[]> => {
  const ids = shown.map(({ id }) => id)
  const figures = await readBrokerFigures(store, companyId, ids)
  return shown.flatMap(({ id, name }) => {
    const own = figures.get(id)
    return own ? [{ id, name, ...own }] : []
  })
}

/** Returns the counts of statuses: `underReview` for `UnderReview`. */
const countsOf = <S extends string>(rows: readonly GroupRow[], statuses: readonly S[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status.replace(/^./, (first) => first.toLowerCase()),
      totalOf(rows.filter(({ by }) => by.status === status)),
    ]),
  ) as Readonly<Record<Uncapitalize<S>, number>>

/** Returns the value of the payments of a status. */
const owedCents = (rows: readonly GroupRow[], status: PaymentStatus): number =>
  rows.find(({ by }) => by.status === status)?.sums.valueCents ?? 0

const totalOf = (rows: readonly GroupRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

const dashboardOf = (
  figures: Awaited<ReturnType<typeof readFigures>>,
  brokers: readonly ShownBroker[],
  today: Day,
  generatedAt: Instant,
): Dashboard => {
  const { properties, contracts, expiring, proposals, visits, owed, revenue, entries } = figures
  const { byMonth: revenueByMonth } = revenueOf(revenue, entries, shownMonths(today))
  const monthlyRevenueCents = revenueByMonth.at(-1)?.valueCents ?? 0
  const payments = countsOf(owed, ['Pending', 'Defaulted'])
  const defaultedValueCents = owedCents(owed, 'Defaulted')
  return {
    properties: { total: totalOf(properties), ...countsOf(properties, PROPERTY_STATUSES) },
    contracts: {
      expiringSoon: totalOf(expiring),
      ...countsOf(contracts, ['Active', 'Terminated', 'Cancelled']),
    },
    financial: {
      monthlyRevenueCents,
      pendingPayments: payments.pending,
      pendingValueCents: owedCents(owed, 'Pending'),
      defaultedPayments: payments.defaulted,
      defaultedValueCents,
      // Refunds of former months may make the revenue negative.
      defaultRate: shareOf(defaultedValueCents, Math.max(0, monthlyRevenueCents) + defaultedValueCents),
    },
    brokers,
    proposals: countsOf(proposals, PROPOSAL_STATUSES),
    visits: countsOf(visits, VISIT_STATUSES),
    revenueByMonth,
    generatedAt,
  }
}

/** The months of revenue, the current one last. */
const MONTHS = 5

/** The records that a dashboard counts: those of the company, or of one broker. */
interface FigureScope {
  readonly companyId: string
  /** Absent for the whole company; empty, which matches no record, for a broker without a record. */
  readonly brokerId?: string
}

const shownMonths = (today: Day): readonly string[] =>
  Array.from({ length: MONTHS }, (_, index) => shiftMonth(monthOf(today), index + 1 - MONTHS))

const within = <F extends string>({ companyId, brokerId }: FigureScope, ...more: readonly Where<F>[]) =>
  all<F | 'companyId' | 'brokerId'>(
    eq('companyId', companyId),
    ...(brokerId === undefined ? [] : [eq('brokerId', brokerId)]),
    ...more,
  )

const byStatus = <R extends Rec>(from: Collection<R>, scope: FigureScope): Group<R> =>
  groupOf(from, { where: within(scope) as Where<Field<R>>, when: 'live', by: ['status'], sum: [] })

/** Reads the figures from tallies: the cost does not depend on the number of records. */
const readFigures = async (store: Store, scope: FigureScope, today: Day) => {
  const { from, to } = expiringDays(today)
  const own = eq('companyId', scope.companyId)
  const { owed, revenue, entries, ...counted } = await store.read({
    properties: byStatus(properties, scope),
    contracts: byStatus(contracts, scope),
    expiring: groupOf(contracts, {
      where: within(scope, gte('endDate', from), lte('endDate', to)),
      when: 'active',
      by: [],
      sum: [],
    }),
    proposals: byStatus(proposals, scope),
    visits: byStatus(visits, scope),
    owed: groupOf(payments, { where: own, when: 'live', by: ['status'], sum: ['valueCents'] }),
    revenue: groupOf(payments, {
      where: all(own, eq('status', 'Paid'), isIn('paidMonth', shownMonths(today))),
      when: 'live',
      by: ['paidMonth'],
      sum: ['paidValueCents'],
    }),
    entries: entriesByMonth(scope.companyId, shownMonths(today)),
  })
  // A broker sees no figures of money.
  return scope.brokerId === undefined
    ? { ...counted, owed, revenue, entries }
    : { ...counted, owed: [], revenue: [], entries: [] }
}

/** Returns the view of counts by their descriptions. */
const countsView = <N extends string>(name: string, about: Readonly<Record<N, string>>) =>
  view(name, Object.fromEntries(Object.entries(about).map(([key, each]) => [key, output.count({ about: `${each}` })])))

const propertyCounts = countsView('PropertyCounts', {
  total: 'Imóveis ao todo',
  available: 'Disponíveis',
  reserved: 'Reservados',
  rented: 'Alugados',
  sold: 'Vendidos',
})

const contractCounts = countsView('ContractCounts', {
  active: 'Ativos',
  expiringSoon: 'Ativos que terminam em até 30 dias',
  terminated: 'Rescindidos',
  cancelled: 'Cancelados',
})

const proposalCounts = countsView('ProposalCounts', {
  underReview: 'Em análise',
  negotiating: 'Em negociação',
  approved: 'Aprovadas',
  rejected: 'Rejeitadas',
})

const visitCounts = countsView('VisitCounts', {
  scheduled: 'Agendadas',
  confirmed: 'Confirmadas',
  done: 'Realizadas',
  cancelled: 'Canceladas',
})

const financialFields = {
  monthlyRevenueCents: output.money({
    wire: 'monthlyRevenue',
    about: 'Recebido no mês corrente, menos o devolvido de meses anteriores',
  }),
  pendingPayments: output.count({ about: 'Pagamentos pendentes' }),
  pendingValueCents: output.money({ wire: 'pendingValue', about: 'Valor dos pendentes' }),
  defaultedPayments: output.count({ about: 'Pagamentos em atraso' }),
  defaultedValueCents: output.money({ wire: 'defaultedValue', about: 'Valor dos em atraso' }),
  defaultRate: output.number({
    about: 'Em atraso / (recebido no mês + em atraso), de 0 a 1, com 4 casas decimais; um mês negativo conta como 0',
  }),
}

/** Money in cents; the rate of defaulted payments is 0 without any payments. */
export type Financial = Decoded<typeof financialFields>

const brokerFields = {
  id,
  name: output.text({ about: 'Nome' }),
  totalSales: output.count({ about: 'Contratos de venda' }),
  totalLeases: output.count({ about: 'Contratos de locação' }),
  conversionRate: output.number({ about: 'Propostas convertidas / propostas, com 4 casas decimais' }),
}

/** A broker's row of the dashboard. */
export type ShownBroker = Decoded<typeof brokerFields>

const financial = view('FinancialFigures', financialFields)
const brokerRow = view('BrokerPerformance', brokerFields)
const monthRow = view('MonthlyRevenue', monthFields)

const dashboardFields = {
  properties: output.view(propertyCounts, { about: 'Imóveis por situação' }),
  contracts: output.view(contractCounts, { about: 'Contratos por situação' }),
  financial: output.view(financial, { about: 'Dinheiro; zeros para corretores' }),
  brokers: output.views(brokerRow, { about: 'Corretores; para um corretor, só o próprio' }),
  proposals: output.view(proposalCounts, { about: 'Propostas por situação' }),
  visits: output.view(visitCounts, { about: 'Visitas por situação' }),
  revenueByMonth: output.views(monthRow, { about: 'Recebido nos últimos cinco meses, o corrente por último' }),
  generatedAt: instant({ about: 'Quando foi contado' }),
}

/** The figures of an agency at a moment; money is cents. */
export type Dashboard = Decoded<typeof dashboardFields>

export const dashboardView = view('Dashboard', dashboardFields)
