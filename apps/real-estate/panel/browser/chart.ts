import { BarController, BarElement, CategoryScale, Chart, LinearScale, type Plugin, Tooltip } from 'chart.js'
import type { MonthlyRevenue } from './wire.ts'
import { reais, shortMonth } from './words.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

const compact = new Intl.NumberFormat('pt-BR', { notation: 'compact', maximumFractionDigits: 1 })

/** `R$ 12,5 mil`. */
const roughly = (value: number): string => `R$\u00a0${compact.format(value)}`

/** The colours of the page, by day or by night. */
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const font = { family: 'system-ui, Arial, Helvetica, sans-serif', size: 13 }

/** Pixels from bar to bar below which the currency goes without saying, and below which figures are small. */
const NARROW = 90
const NARROWEST = 60
const SMALL_SIZE = 11

/** Each bar says what it is worth: who would rather look need not point at it. */
const values: Plugin<'bar'> = {
  id: 'values',
  afterDatasetsDraw(chart) {
    const { ctx, data } = chart
    const bars = chart.getDatasetMeta(0).data
    const apart = chart.chartArea.width / bars.length
    ctx.save()
    ctx.font = `600 ${apart < NARROWEST ? SMALL_SIZE : font.size}px ${font.family}`
    ctx.fillStyle = colour('--ink')
    ctx.textAlign = 'center'
    const [months] = data.datasets
    const worth = apart < NARROW ? compact.format : roughly
    bars.forEach(({ x, y }, index) => {
      const value = months?.data[index]
      if (typeof value === 'number' && value > 0) ctx.fillText(worth(value), x, y - 8)
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
          // The current month is not whole yet.
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

/** Draws revenue by month in the place of the former one, if any. */
export const drawRevenue = (canvas: HTMLCanvasElement | null, months: readonly MonthlyRevenue[]): void => {
  shown?.chart.destroy()
  shown = canvas && { chart: chartOf(canvas, months), months }
}

/** Draws it again when day becomes night. */
export const followColours = (): void => {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (shown) drawRevenue(shown.chart.canvas, shown.months)
  })
}
