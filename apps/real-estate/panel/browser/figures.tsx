import { useEffect, useRef } from 'preact/hooks'
import { Figure } from '../../../panels/browser/elements.tsx'
import { money } from '../../../panels/browser/format.ts'
import { drawRevenue } from './chart.ts'
import type { Dashboard } from './wire.ts'
import { count, monthName, percent } from './words.ts'

interface Tile {
  readonly label: string
  readonly value: string
  readonly about: string
  readonly tone?: 'wrong' | 'right'
  readonly isMoney?: boolean
}

/** Returns the revenue of this month as a share of that of the whole last month, if refunds make neither negative. */
const shareOfLastMonth = ({ revenueByMonth }: Dashboard): string => {
  const [last, current] = revenueByMonth.slice(-2)
  if (!last || !current || last.value <= 0 || current.value < 0) return 'no mês até agora'
  return `${percent(current.value / last.value)} do recebido em ${monthName(last.period)}`
}

const moneyTiles = (dashboard: Dashboard): readonly Tile[] => {
  const { financial, revenueByMonth } = dashboard
  const month = revenueByMonth.at(-1)?.period
  return [
    {
      label: month ? `Recebido em ${monthName(month)}` : 'Recebido no mês',
      value: money(financial.monthlyRevenue),
      about: shareOfLastMonth(dashboard),
      tone: 'right',
      isMoney: true,
    },
    {
      label: 'A receber',
      value: money(financial.pendingValue),
      about: count(financial.pendingPayments, 'pagamento pendente', 'pagamentos pendentes'),
      isMoney: true,
    },
    {
      label: 'Em atraso',
      value: money(financial.defaultedValue),
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

interface FiguresProps {
  readonly dashboard: Dashboard
  readonly seesMoney: boolean
}

const classOf = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

/** The figures of an agency, with those of money for roles that may see them. */
export const Figures = ({ dashboard, seesMoney }: FiguresProps) => (
  <div class="tiles">
    {[...(seesMoney ? moneyTiles(dashboard) : []), ...countTiles(dashboard)].map(
      ({ label, value, about, tone, isMoney }) => (
        <dl key={label} class={classOf('card tile', tone, isMoney && 'money')}>
          <dt>{label}</dt>
          <dd>
            <Figure text={value} />
            <span>{about}</span>
          </dd>
        </dl>
      ),
    )}
  </div>
)

export const FiguresGhost = ({ seesMoney }: Pick<FiguresProps, 'seesMoney'>) => (
  <div class="tiles">
    <p class="unseen">Carregando…</p>
    {Array.from({ length: seesMoney ? 6 : 3 }, (_, tile) => (
      <div key={tile} class={classOf('card ghost tile', seesMoney && tile < 3 && 'money')} />
    ))}
  </div>
)

/** The proposals by status. The bars are SVG: the policy of the page forbids styles in markup. */
export const Funnel = ({ proposals }: Pick<Dashboard, 'proposals'>) => {
  const stages = [
    { label: 'Em análise', size: proposals.underReview, tone: 'first' },
    { label: 'Em negociação', size: proposals.negotiating, tone: 'second' },
    { label: 'Aprovadas', size: proposals.approved, tone: 'third' },
    { label: 'Rejeitadas', size: proposals.rejected, tone: 'off' },
  ]
  const most = Math.max(...stages.map(({ size }) => size))
  if (most === 0) return <p class="none">Nenhuma proposta ainda.</p>
  return (
    <ol class="stages">
      {stages.map(({ label, size, tone }) => (
        <li key={label}>
          <span>{label}</span>
          <strong>{size.toLocaleString('pt-BR')}</strong>
          <svg class={`bar ${tone}`} aria-hidden="true" focusable="false">
            <rect class="track" width="100%" height="100%" rx="6" />
            <rect width={`${(100 * size) / most}%`} height="100%" rx="6" />
          </svg>
        </li>
      ))}
    </ol>
  )
}

/** The chart of revenue, and its values as a table for screen readers. */
export const Revenue = ({ months }: { readonly months: Dashboard['revenueByMonth'] }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = JSON.stringify(months)
  useEffect(() => (canvas.current ? drawRevenue(canvas.current, JSON.parse(text)) : undefined), [text])
  if (months.every(({ value }) => value === 0))
    return <p class="none">Nada foi recebido nos últimos {months.length} meses.</p>
  return (
    <>
      <div class="chart" aria-hidden="true">
        <canvas ref={canvas} />
      </div>
      {/* A table takes the width of its content, whatever its style says. */}
      <div class="unseen">
        <table>
          <caption>Receita por mês</caption>
          <thead>
            <tr>
              <th scope="col">Mês</th>
              <th scope="col">Recebido</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ period, value }) => (
              <tr key={period}>
                <th scope="row">
                  {monthName(period)} de {period.slice(0, 4)}
                </th>
                <td>{money(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
