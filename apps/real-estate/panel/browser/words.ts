import { daysBetween, formatDay, localDateTime } from '../../../../core/kernel/values/day.ts'

const NO_BREAK = '\u00a0'

/** Returns `12,3%` for 0.1234. */
export const percent = (share: number): string =>
  `${(share * 100).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%`

/** Returns `1 contrato`, `3 contratos`. */
export const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('pt-BR')}${NO_BREAK}${n === 1 ? one : many}`

const MONTH = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long' })

/** Returns `novembro` for `2026-11`. */
export const monthName = (period: string): string => MONTH.format(new Date(period))

/** Returns `nov/26` for `2026-11`. */
export const shortMonth = (period: string): string => `${monthName(period).slice(0, 3)}/${period.slice(2, 4)}`

/** Returns the time until a day: `hoje`, `amanhã`, `em 12 dias`. */
export const until = (today: string, day: string): string => {
  const days = daysBetween(today, day)
  if (days === 0) return 'hoje'
  return days === 1 ? 'amanhã' : `em ${days}${NO_BREAK}dias`
}

/** Returns the time since a day: `há 3 dias`. */
export const since = (today: string, day: string): string => {
  const days = daysBetween(day, today)
  if (days <= 0) return 'hoje'
  return `há ${count(days, 'dia', 'dias')}`
}

/** Returns `14:00`, in São Paulo. */
export const timeOf = (instant: string): string => localDateTime(instant).slice(11, 16)

/** Returns `14:00` for an instant of today, `25/11/2026` for one of another day. */
export const momentOf = (today: string, instant: string): string => {
  const day = localDateTime(instant).slice(0, 10)
  return day === today ? timeOf(instant) : formatDay(day)
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
