import { nullable } from '../../kernel/input/field.ts'
import { oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { all, eq, isIn } from '../../kernel/records/record.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { listAbout } from '../../office/mail.ts'
import { byId, listOf } from '../../ports/store.ts'
import { CHANNELS } from '../accounts/account.ts'
import { type Event, type EventType, events } from '../events.ts'
import { mails, messages, type QueuedMail, templateOf } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { aboutCharge, charges } from './charge.ts'

/** The newest events and messages that a history has. */
const MAX_SHOWN = 100

const TITLES = {
  'charge.created': 'Emitida',
  'charge.updated': 'Alterada',
  'charge.paid': 'Paga',
  'charge.partially_paid': 'Paga em parte',
  'charge.overpaid': 'Paga a mais',
  'charge.expired': 'Expirada sem pagamento',
  'charge.cancelled': 'Cancelada',
  'charge.deleted': 'Apagada',
  'charge.failed': 'Não emitida',
  'charge.refunded': 'Devolvida',
  'pix.received': 'Pix recebido',
} as const satisfies { readonly [T in EventType]?: string }

type MomentType = keyof typeof TITLES
const MOMENT_TYPES = Object.keys(TITLES) as MomentType[]

/** An event of a charge. */
export interface ChargeMoment {
  readonly type: MomentType
  readonly at: Instant
  /** The amount of the payment that caused it; null for other events. */
  readonly receivedCents: number | null
  /** The refunded amount of the charge since; null unless a refund caused it. */
  readonly refundedCents: number | null
}

const MESSAGE_STATUSES = ['sent', 'waiting', 'failed', 'limited'] as const

/** A message to the payer of a charge. */
export interface ChargeMessage {
  readonly channel: (typeof CHANNELS)[number]
  readonly to: string
  /** The subject of an e-mail; null for a short message. */
  readonly subject: string | null
  readonly status: (typeof MESSAGE_STATUSES)[number]
  readonly createdAt: Instant
}

/** The events of a charge and the messages to its payer, the newest first. */
export interface ChargeHistory {
  readonly events: readonly ChargeMoment[]
  /** Those of the last seven days. */
  readonly messages: readonly ChargeMessage[]
}

export const readHistory =
  ({ store, cipher }: Pick<PaymentsPorts, 'store' | 'cipher'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number) =>
    readUseCase('charge.unknown', async (): Promise<ChargeHistory | null> => {
      const charge = await store.find(byId(charges, id))
      if (charge?.accountId !== accountId) return null
      const about = aboutCharge(id)
      const found = await store.read({
        events: listOf(events, {
          where: all<'subjectId' | 'accountId' | 'type'>(
            eq('subjectId', id),
            eq('accountId', accountId),
            isIn<'type'>('type', MOMENT_TYPES),
          ),
          sort: { by: 'createdAt', dir: 'desc' },
          limit: MAX_SHOWN,
        }),
        mails: listAbout(mails, about, MAX_SHOWN),
        messages: listAbout(messages, about, MAX_SHOWN),
      })
      const shown = [
        ...found.mails.records.map((mail) => ({
          ...messageOf(mail),
          channel: 'email' as const,
          subject: templateOf(cipher, mail).subject,
        })),
        ...found.messages.records.map((sent) => ({ ...messageOf(sent), channel: sent.channel, subject: null })),
      ]
      return {
        events: found.events.records.toSorted((one, other) => timeOf(other) - timeOf(one)).flatMap(momentOf),
        messages: shown.sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt)),
      }
    })

/** Events of one commit were created at the same time. */
const timeOf = ({ happenedMs, createdAt }: Event): number => happenedMs ?? Date.parse(createdAt)

const isMoment = (type: EventType): type is MomentType => type in TITLES

const momentOf = ({ type, createdAt, receivedCents, refundedCents }: Event): readonly ChargeMoment[] => {
  if (!isMoment(type)) return []
  return [{ type, at: createdAt, receivedCents, refundedCents: type === 'charge.refunded' ? refundedCents : null }]
}

type Queued = Pick<QueuedMail, 'to' | 'createdAt' | 'unsentReason' | 'dueAt' | 'failedAt'>

const messageOf = ({ to, createdAt, unsentReason, dueAt, failedAt }: Queued) => ({
  to,
  createdAt,
  status: statusOf({ unsentReason, dueAt, failedAt }),
})

const statusOf = ({ unsentReason, dueAt, failedAt }: Omit<Queued, 'to' | 'createdAt'>): ChargeMessage['status'] => {
  if (unsentReason !== null) return 'limited'
  if (failedAt !== null) return 'failed'
  return dueAt === null ? 'sent' : 'waiting'
}

const momentView = view(
  'ChargeMoment',
  {
    type: oneOf(MOMENT_TYPES, { about: 'O que aconteceu' }),
    title: output.text({ about: 'O que aconteceu, por extenso' }),
    at: timestamp({ about: 'Quando' }),
    receivedCents: nullable(output.money({ wire: 'received', about: 'Valor do pagamento; null onde não houve' })),
    refundedCents: nullable(
      output.money({ wire: 'refunded', about: 'Total devolvido até então; null onde não houve' }),
    ),
  },
  (moment: ChargeMoment) => ({ ...moment, title: TITLES[moment.type] }),
)

const messageView = view(
  'ChargeMessage',
  {
    channel: oneOf(CHANNELS, { about: 'Por onde' }),
    to: output.text({ about: 'A quem' }),
    subject: nullable(output.text({ about: 'Assunto do e-mail' })),
    status: oneOf(MESSAGE_STATUSES, {
      about: 'Enviada, à espera, sem entrega, ou guardada sem envio por passar do limite do dia',
    }),
    createdAt: timestamp({ about: 'Quando' }),
  },
  (message: ChargeMessage) => message,
)

export const historyView = view(
  'ChargeHistory',
  {
    events: output.views(momentView, { about: 'O que aconteceu com a cobrança, do mais novo ao mais antigo' }),
    messages: output.views(messageView, { about: 'As mensagens a quem paga, dos últimos 7 dias' }),
  },
  (history: ChargeHistory) => history,
)
