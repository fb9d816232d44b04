import { formatDay, nextBusinessDay } from '../../../../core/kernel/values/day.ts'
import { type Html, html } from '../../../http/pages/page.ts'
import type { Contract, Notification, PageOf, Payment, Visit } from './wire.ts'
import { CONTRACT_TYPES, momentOf, PAYMENT_TYPES, reais, since, timeOf, until, VISIT_STATUSES } from './words.ts'

/** How many a list shows; who wants all of them goes where they can do something about them. */
const SHOWN = 6
/** A day is shown whole. */
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

/** Whom it is with and what it is of, as far as it is known. */
const between = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')

export const contractList = ({ data, total }: PageOf<Contract>, today: string): Html => {
  const soonest = data.toSorted((a, b) => a.endDate.localeCompare(b.endDate))
  const lines = soonest.map(({ type, endDate, property, client }) => ({
    lead: until(today, endDate),
    title: client?.name ?? 'Sem cliente',
    about: between(property?.code, CONTRACT_TYPES[type], `até ${formatDay(endDate)}`),
  }))
  return listHtml(lines, total, 'Nenhum contrato termina nos próximos 30 dias.')
}

export const overdueList = ({ data, total }: PageOf<Payment>, today: string): Html => {
  const oldest = data.toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))
  const lines = oldest.map(({ type, value, dueDate, contract }) => ({
    lead: since(today, nextBusinessDay(dueDate)),
    title: contract.client.name,
    about: between(contract.property.code, PAYMENT_TYPES[type], `venceu em ${formatDay(dueDate)}`),
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
    about: between(property?.code, broker && `com ${broker.name}`),
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

/** What stands in a part that could not be read. */
export const failed = html`<p class="alert">Não foi possível carregar.</p><button type="button" class="quiet" data-again>Tentar de novo</button>`

/** What stands in a part before anything is known. */
export const ghost = html`<p class="unseen">Carregando…</p><div class="ghost"></div><div class="ghost short"></div>`
