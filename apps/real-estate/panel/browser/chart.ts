import { BarController, BarElement, CategoryScale, Chart, LinearScale, type Plugin, Tooltip } from 'chart.js'
import { money } from '../../../panels/browser/format.ts'
import type { MonthlyRevenue } from './wire.ts'
import { shortMonth } from './words.ts'

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
          callbacks: { label: ({ parsed: { y } }) => money(y ?? 0) },
        },
      },
    },
    plugins: [values],
  })

/** Draws the revenue by month in the colours of the page, also when they change. Returns a function that ends it. */
export const drawRevenue = (canvas: HTMLCanvasElement, months: readonly MonthlyRevenue[]): (() => void) => {
  let chart = chartOf(canvas, months)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const redraw = (): void => {
    chart.destroy()
    chart = chartOf(canvas, months)
  }
  scheme.addEventListener('change', redraw)
  return () => {
    scheme.removeEventListener('change', redraw)
    chart.destroy()
  }
}
