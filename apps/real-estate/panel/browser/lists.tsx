import type { ComponentChildren } from 'preact'
import { nextBusinessDay } from '../../../../core/kernel/values/day.ts'
import { dayText, money } from '../../../panels/browser/format.ts'
import type { Contract, Notification, PageOf, Payment, Visit } from './wire.ts'
import { CONTRACT_TYPES, momentOf, PAYMENT_TYPES, since, timeOf, until, VISIT_STATUSES } from './words.ts'

/** The number of lines that a list shows. */
const MAX_LINES = 6
/** The number of visits of a day that their list shows. */
const MAX_VISITS = 16

interface Line {
  readonly lead: string
  readonly title: string
  readonly about: string
  readonly end?: ComponentChildren
}

interface LinesProps {
  readonly lines: readonly Line[]
  readonly total: number
  /** The text of an empty list. */
  readonly none: string
  readonly shown?: number
}

const Lines = ({ lines, total, none, shown = MAX_LINES }: LinesProps) => {
  if (lines.length === 0) return <p class="none">{none}</p>
  return (
    <>
      <ul class="lines">
        {lines.slice(0, shown).map(({ lead, title, about, end }, index) => (
          <li key={index}>
            <span class="lead">{lead}</span>
            <span class="what">
              <strong>{title}</strong>
              <span>{about}</span>
            </span>
            {end}
          </li>
        ))}
      </ul>
      {total > shown && <p class="more">e mais {(total - shown).toLocaleString('pt-BR')}</p>}
    </>
  )
}

const joinParts = (...parts: readonly (string | 0 | null | undefined)[]): string => parts.filter(Boolean).join(' · ')

interface ListProps<R> {
  readonly page: PageOf<R>
  readonly today: string
}

export const Contracts = ({ page: { data, total }, today }: ListProps<Contract>) => {
  const soonest = data.toSorted((a, b) => a.endDate.localeCompare(b.endDate))
  const lines = soonest.map(({ type, endDate, property, client }) => ({
    lead: until(today, endDate),
    title: client?.name ?? 'Sem cliente',
    about: joinParts(property?.code, CONTRACT_TYPES[type], `até ${dayText(endDate)}`),
  }))
  return <Lines lines={lines} total={total} none="Nenhum contrato termina nos próximos 30 dias." />
}

export const Overdue = ({ page: { data, total }, today }: ListProps<Payment>) => {
  const oldest = data.toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))
  const lines = oldest.map(({ type, value, receivedValue, dueDate, contract }) => ({
    lead: since(today, nextBusinessDay(dueDate)),
    title: contract.client.name,
    about: joinParts(
      contract.property.code,
      PAYMENT_TYPES[type],
      `venceu em ${dayText(dueDate)}`,
      receivedValue && `recebido ${money(receivedValue)} de ${money(value)}`,
    ),
    end: <strong class="value">{money(value)}</strong>,
  }))
  return <Lines lines={lines} total={total} none="Nenhum pagamento em atraso." />
}

export const Visits = ({ page: { data } }: Pick<ListProps<Visit>, 'page'>) => {
  const visits = data
    .filter(({ status }) => status !== 'Cancelled')
    .toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt))
  const lines = visits.map(({ scheduledAt, status, property, client, broker }) => ({
    lead: timeOf(scheduledAt),
    title: client?.name ?? 'Sem cliente',
    about: joinParts(property?.code, broker && `com ${broker.name}`),
    end: <span class={`chip ${status.toLowerCase()}`}>{VISIT_STATUSES[status]}</span>,
  }))
  return <Lines lines={lines} total={lines.length} none="Nenhuma visita hoje." shown={MAX_VISITS} />
}

export const News = ({ page: { data, total }, today }: ListProps<Notification>) => {
  const lines = data.map(({ title, message, isRead, createdAt }) => ({
    lead: momentOf(today, createdAt),
    title,
    about: message,
    ...(!isRead && { end: <span class="chip new">Nova</span> }),
  }))
  return <Lines lines={lines} total={total} none="Nada de novo por aqui." />
}
