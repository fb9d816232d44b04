import { daysBetween, formatDay, localDateTime } from '../../../../core/kernel/values/day.ts'
import { formatReais } from '../../../../core/kernel/values/money.ts'

const NO_BREAK = '\u00a0'

/** `R$ 1.234,56` of reais, on one line. */
export const reais = (value: number): string => formatReais(Math.round(value * 100)).replaceAll(' ', NO_BREAK)

/** `12,3%` of 0.1234. */
export const percent = (share: number): string =>
  `${(share * 100).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%`

/** `1 contrato`, `3 contratos`. */
export const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('pt-BR')}${NO_BREAK}${n === 1 ? one : many}`

const MONTHS = [
  ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho', 'julho', 'agosto'],
  ...['setembro', 'outubro', 'novembro', 'dezembro'],
]

/** `novembro` of `2026-11`. */
export const monthName = (period: string): string => MONTHS[Number(period.slice(5, 7)) - 1] ?? period

/** `nov/26` of `2026-11`. */
export const shortMonth = (period: string): string => `${monthName(period).slice(0, 3)}/${period.slice(2, 4)}`

/** When a day comes: `hoje`, `amanhã`, `em 12 dias`. */
export const until = (today: string, day: string): string => {
  const days = daysBetween(today, day)
  if (days === 0) return 'hoje'
  return days === 1 ? 'amanhã' : `em ${days}${NO_BREAK}dias`
}

/** How long ago a day was: `há 3 dias`. */
export const since = (today: string, day: string): string => {
  const days = daysBetween(day, today)
  if (days <= 0) return 'hoje'
  return `há ${count(days, 'dia', 'dias')}`
}

/** `14:00`, in São Paulo. */
export const timeOf = (instant: string): string => localDateTime(instant).slice(11, 16)

/** `14:00` of today, `25/11/2026` of another day. */
export const momentOf = (today: string, instant: string): string => {
  const day = localDateTime(instant).slice(0, 10)
  return day === today ? timeOf(instant) : formatDay(day)
}

/** `28/11/2026 às 10:05` of an instant. */
export const dayAndTime = (instant: string): string => {
  const [day = '', time = ''] = localDateTime(instant).split(' ')
  return `${formatDay(day)} às ${time.slice(0, 5)}`
}

export const ROLE_NAMES = {
  Admin: 'Administração',
  Broker: 'Corretor',
  Financial: 'Financeiro',
  Owner: 'Proprietário',
  Tenant: 'Inquilino',
  Syndic: 'Síndico',
} as const

export const PAYMENT_TYPES = {
  Rent: 'Aluguel',
  Condo: 'Condomínio',
  IPTU: 'IPTU',
  Fine: 'Multa',
  Expense: 'Despesa',
} as const

export const CONTRACT_TYPES = { Lease: 'Locação', Sale: 'Venda', Management: 'Administração' } as const

export const VISIT_STATUSES = {
  Scheduled: 'Agendada',
  Confirmed: 'Confirmada',
  Done: 'Realizada',
  Cancelled: 'Cancelada',
} as const
