import { BarController, BarElement, CategoryScale, Chart, LinearScale, type Plugin, Tooltip } from 'chart.js'
import { formatDay, nextBusinessDay } from '../../../../core/kernel/values/day.ts'
import { type Html, html } from '../../../http/pages/html.ts'
import type { Contract, Dashboard, MonthlyRevenue, Notification, PageOf, Payment, Visit } from './wire.ts'
import {
  CONTRACT_TYPES,
  count,
  momentOf,
  monthName,
  PAYMENT_TYPES,
  percent,
  reais,
  shortMonth,
  since,
  timeOf,
  until,
  VISIT_STATUSES,
} from './words.ts'

interface Tile {
  readonly label: string
  readonly value: string
  readonly about: string
  readonly tone?: 'wrong' | 'right'
  readonly isMoney?: boolean
}

const tileHtml = ({ label, value, about, tone, isMoney = false }: Tile): Html =>
  html`<dl class="card tile ${tone ?? null} ${isMoney && 'money'}"><dt>${label}</dt><dd><strong>${value}</strong><span>${about}</span></dd></dl>`

/** Returns the revenue of this month as a share of the whole month before. */
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

/** Returns the figures of an agency, with those of money for roles that may see them. */
export const figures = (dashboard: Dashboard, seesMoney: boolean): Html =>
  html`${[...(seesMoney ? moneyTiles(dashboard) : []), ...countTiles(dashboard)].map(tileHtml)}`

interface Stage {
  readonly label: string
  readonly count: number
  readonly tone: string
}

/** Returns a bar as SVG: the policy of the page forbids styles in markup. */
const stageHtml = ({ label, count: n, tone }: Stage, most: number): Html =>
  html`<li><span>${label}</span><strong>${n.toLocaleString('pt-BR')}</strong><svg class="bar ${tone}" aria-hidden="true" focusable="false">
<rect class="track" width="100%" height="100%" rx="6"></rect><rect width="${most === 0 ? 0 : (100 * n) / most}%" height="100%" rx="6"></rect></svg></li>`

/** Returns the proposals by status. */
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

/** Returns the canvas of the chart, and its values as a table for screen readers. */
export const revenue = ({ revenueByMonth }: Dashboard): Html => {
  if (revenueByMonth.every(({ value }) => value === 0)) {
    return html`<p class="none">Nada foi recebido nos últimos ${revenueByMonth.length} meses.</p>`
  }
  return html`<div class="chart"><canvas aria-hidden="true"></canvas></div>
<table class="unseen"><caption>Receita por mês</caption><thead><tr><th scope="col">Mês</th><th scope="col">Recebido</th></tr></thead>
<tbody>${revenueByMonth.map(({ period, value }) => html`<tr><th scope="row">${monthName(period)} de ${period.slice(0, 4)}</th><td>${reais(value)}</td></tr>`)}</tbody></table>`
}

/** The lines of a list. */
const SHOWN = 6
/** The lines of the visits of a day. */
const SHOWN_OF_DAY = 16

interface Line {
  readonly lead: string
  readonly title: string
  readonly about: string
  readonly end?: Html
}

const lineHtml = ({ lead, title, about, end }: Line): Html =>
  html`<li><span class="lead">${lead}</span><span class="what"><strong>${title}</strong><span>${about}</span></span>${end ?? null}</li>`

const listHtml = (lines: readonly Line[], total: number, none: string, shown = SHOWN): Html => {
  if (lines.length === 0) return html`<p class="none">${none}</p>`
  const more = total - shown
  return html`<ul class="lines">${lines.slice(0, shown).map(lineHtml)}</ul>${more > 0 && html`<p class="more">e mais ${more.toLocaleString('pt-BR')}</p>`}`
}

const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')

export const contractList = ({ data, total }: PageOf<Contract>, today: string): Html => {
  const soonest = data.toSorted((a, b) => a.endDate.localeCompare(b.endDate))
  const lines = soonest.map(({ type, endDate, property, client }) => ({
    lead: until(today, endDate),
    title: client?.name ?? 'Sem cliente',
    about: joined(property?.code, CONTRACT_TYPES[type], `até ${formatDay(endDate)}`),
  }))
  return listHtml(lines, total, 'Nenhum contrato termina nos próximos 30 dias.')
}

export const overdueList = ({ data, total }: PageOf<Payment>, today: string): Html => {
  const oldest = data.toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))
  const lines = oldest.map(({ type, value, dueDate, contract }) => ({
    lead: since(today, nextBusinessDay(dueDate)),
    title: contract.client.name,
    about: joined(contract.property.code, PAYMENT_TYPES[type], `venceu em ${formatDay(dueDate)}`),
    end: html`<strong class="value">${reais(value)}</strong>`,
  }))
  return listHtml(lines, total, 'Nenhum pagamento em atraso.')
}

export const visitList = ({ data }: PageOf<Visit>): Html => {
  const coming = data
    .filter(({ status }) => status !== 'Cancelled')
    .toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt))
  const lines = coming.map(({ scheduledAt, status, property, client, broker }) => ({
    lead: timeOf(scheduledAt),
    title: client?.name ?? 'Sem cliente',
    about: joined(property?.code, broker && `com ${broker.name}`),
    end: html`<span class="chip ${status.toLowerCase()}">${VISIT_STATUSES[status]}</span>`,
  }))
  return listHtml(lines, lines.length, 'Nenhuma visita hoje.', SHOWN_OF_DAY)
}

export const newsList = ({ data, total }: PageOf<Notification>, today: string): Html => {
  const lines = data.map(({ title, message, isRead, createdAt }) => ({
    lead: momentOf(today, createdAt),
    title,
    about: message,
    ...(!isRead && { end: html`<span class="chip new">Nova</span>` }),
  }))
  return listHtml(lines, total, 'Nada de novo por aqui.')
}

/** The content of a part that could not be read. */
export const failed = html`<p class="alert">Não foi possível carregar.</p><button type="button" class="quiet" data-again>Tentar de novo</button>`

/** The content of a part that is loading. */
export const ghost = html`<p class="unseen">Carregando…</p><div class="ghost"></div><div class="ghost short"></div>`

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

const compact = new Intl.NumberFormat('pt-BR', { notation: 'compact', maximumFractionDigits: 1 })

/** Returns `R$ 12,5 mil`. */
const roughly = (value: number): string => `R$\u00a0${compact.format(value)}`

/** Returns a colour of the page, light or dark. */
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const font = { family: 'system-ui, Arial, Helvetica, sans-serif', size: 13 }

/** Pixels from bar to bar: below NARROW values have no currency, below NARROWEST they are small. */
const NARROW = 90
const NARROWEST = 60
const SMALL_SIZE = 11

/** Writes the value above each bar. */
const values: Plugin<'bar'> = {
  id: 'values',
  afterDatasetsDraw(chart) {
    const { ctx, data } = chart
    const bars = chart.getDatasetMeta(0).data
    const distance = chart.chartArea.width / bars.length
    ctx.save()
    ctx.font = `600 ${distance < NARROWEST ? SMALL_SIZE : font.size}px ${font.family}`
    ctx.fillStyle = colour('--ink')
    ctx.textAlign = 'center'
    const [months] = data.datasets
    const format = distance < NARROW ? compact.format : roughly
    bars.forEach(({ x, y }, index) => {
      const value = months?.data[index]
      if (typeof value === 'number' && value > 0) ctx.fillText(format(value), x, y - 8)
    })
    ctx.restore()
  },
}

const chartOf = (canvas: HTMLCanvasElement, months: readonly MonthlyRevenue[]): Chart<'bar'> =>
  new Chart(canvas, {
    type: 'bar',
    data: {
      labels: months.map(({ period }) => shortMonth(period)),
      datasets: [
        {
          data: months.map(({ value }) => value),
          // The current month, which is not over, has another colour.
          backgroundColor: months.map((_, index) => colour(index === months.length - 1 ? '--deed' : '--bar')),
          borderRadius: 6,
          maxBarThickness: 72,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { top: 24 } },
      scales: {
        x: {
          grid: { display: false },
          border: { color: colour('--hair') },
          ticks: { color: colour('--quiet'), font, maxRotation: 0, autoSkip: false },
        },
        y: { display: false, beginAtZero: true },
      },
      plugins: {
        tooltip: {
          displayColors: false,
          callbacks: { label: ({ parsed: { y } }) => reais(y ?? 0) },
        },
      },
    },
    plugins: [values],
  })

let shown: { readonly chart: Chart<'bar'>; readonly months: readonly MonthlyRevenue[] } | null = null

/** Draws the chart of revenue by month, and destroys the previous one. Without a canvas it only destroys. */
export const drawRevenue = (canvas: HTMLCanvasElement | null, months: readonly MonthlyRevenue[]): void => {
  shown?.chart.destroy()
  shown = canvas && { chart: chartOf(canvas, months), months }
}

/** Redraws the chart when the colour scheme changes. */
export const followColours = (): void => {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (shown) drawRevenue(shown.chart.canvas, shown.months)
  })
}
