import { instant, month } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Dashboard } from './dashboard.ts'

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

/** Source: 03-real-estate.md, Dashboard; decisions.md §10, Figures. */
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
