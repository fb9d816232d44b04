import { type Html, html } from '../../../http/pages/page.ts'
import type { Dashboard } from './wire.ts'
import { count, monthName, percent, reais } from './words.ts'

interface Tile {
  readonly label: string
  readonly value: string
  readonly about: string
  readonly tone?: 'wrong' | 'right'
  readonly isMoney?: boolean
}

const tileHtml = ({ label, value, about, tone, isMoney = false }: Tile): Html =>
  html`<dl class="card tile ${tone ?? null} ${isMoney && 'money'}"><dt>${label}</dt><dd><strong>${value}</strong><span>${about}</span></dd></dl>`

/** How this month's revenue stands to that of the month before, which was whole. */
const againstLast = ({ revenueByMonth }: Dashboard): string => {
  const [last, current] = revenueByMonth.slice(-2)
  if (!last || !current || last.value === 0) return 'no mês até agora'
  return `${percent(current.value / last.value)} do recebido em ${monthName(last.period)}`
}

const moneyTiles = (dashboard: Dashboard): readonly Tile[] => {
  const { financial, revenueByMonth } = dashboard
  const month = revenueByMonth.at(-1)?.period
  return [
    {
      label: month ? `Recebido em ${monthName(month)}` : 'Recebido no mês',
      value: reais(financial.monthlyRevenue),
      about: againstLast(dashboard),
      tone: 'right',
      isMoney: true,
    },
    {
      label: 'A receber',
      value: reais(financial.pendingValue),
      about: count(financial.pendingPayments, 'pagamento pendente', 'pagamentos pendentes'),
      isMoney: true,
    },
    {
      label: 'Em atraso',
      value: reais(financial.defaultedValue),
      about:
        financial.defaultedPayments === 0
          ? 'nenhum pagamento em atraso'
          : `${count(financial.defaultedPayments, 'pagamento', 'pagamentos')}, inadimplência de ${percent(financial.defaultRate)}`,
      ...(financial.defaultedPayments > 0 && { tone: 'wrong' as const }),
      isMoney: true,
    },
  ]
}

const countTiles = ({ properties, contracts, visits }: Dashboard): readonly Tile[] => [
  {
    label: 'Imóveis',
    value: properties.total.toLocaleString('pt-BR'),
    about: [
      count(properties.available, 'disponível', 'disponíveis'),
      count(properties.rented, 'alugado', 'alugados'),
      ...(properties.reserved > 0 ? [count(properties.reserved, 'reservado', 'reservados')] : []),
      ...(properties.sold > 0 ? [count(properties.sold, 'vendido', 'vendidos')] : []),
    ].join(', '),
  },
  {
    label: 'Contratos ativos',
    value: contracts.active.toLocaleString('pt-BR'),
    about:
      contracts.expiringSoon === 0
        ? 'nenhum termina em 30 dias'
        : `${count(contracts.expiringSoon, 'termina', 'terminam')} em 30 dias`,
  },
  {
    label: 'Visitas por fazer',
    value: (visits.scheduled + visits.confirmed).toLocaleString('pt-BR'),
    about: `${count(visits.confirmed, 'confirmada', 'confirmadas')}, ${count(visits.done, 'já feita', 'já feitas')}`,
  },
]

/** The figures of an agency; those of money for who may see them. */
export const figures = (dashboard: Dashboard, seesMoney: boolean): Html =>
  html`${[...(seesMoney ? moneyTiles(dashboard) : []), ...countTiles(dashboard)].map(tileHtml)}`

interface Stage {
  readonly label: string
  readonly count: number
  readonly tone: string
}

/** A bar by attributes of SVG: the page's policy takes no styles in markup. */
const stageHtml = ({ label, count: n, tone }: Stage, most: number): Html =>
  html`<li><span>${label}</span><strong>${n.toLocaleString('pt-BR')}</strong><svg class="bar ${tone}" aria-hidden="true" focusable="false">
<rect class="track" width="100%" height="100%" rx="6"></rect><rect width="${most === 0 ? 0 : (100 * n) / most}%" height="100%" rx="6"></rect></svg></li>`

/** The proposals, from the first look to the answer. */
export const funnel = ({ proposals }: Dashboard): Html => {
  const stages: readonly Stage[] = [
    { label: 'Em análise', count: proposals.underReview, tone: 'first' },
    { label: 'Em negociação', count: proposals.negotiating, tone: 'second' },
    { label: 'Aprovadas', count: proposals.approved, tone: 'third' },
    { label: 'Rejeitadas', count: proposals.rejected, tone: 'off' },
  ]
  const most = Math.max(...stages.map((stage) => stage.count))
  if (most === 0) return html`<p class="none">Nenhuma proposta ainda.</p>`
  return html`<ol class="stages">${stages.map((stage) => stageHtml(stage, most))}</ol>`
}

/** The place of the chart, and the same in a table for who does not see it. */
export const revenue = ({ revenueByMonth }: Dashboard): Html => {
  if (revenueByMonth.every(({ value }) => value === 0)) {
    return html`<p class="none">Nada foi recebido nos últimos ${revenueByMonth.length} meses.</p>`
  }
  return html`<div class="chart"><canvas aria-hidden="true"></canvas></div>
<table class="unseen"><caption>Receita por mês</caption><thead><tr><th scope="col">Mês</th><th scope="col">Recebido</th></tr></thead>
<tbody>${revenueByMonth.map(({ period, value }) => html`<tr><th scope="row">${monthName(period)} de ${period.slice(0, 4)}</th><td>${reais(value)}</td></tr>`)}</tbody></table>`
}
