import { id, nullable, oneOf, output, timestamp, view } from '../../../kernel/input/mod.ts'
import { all, eq, isIn } from '../../../kernel/records/record.ts'
import { type Day, dayOf, type Instant } from '../../../kernel/values/day.ts'
import { listAbout } from '../../../office/mail.ts'
import { byKey, listOf, NEWEST_FIRST, type Store } from '../../../ports/store.ts'
import { CHANNELS } from '../../accounts/account.ts'
import { type Event, type EventType, events } from '../../events.ts'
import {
  CARD_SETTLEMENT,
  causeKey,
  type Entry,
  entries,
  journals,
  PAYMENT_TYPE_IDS,
  transactionType,
} from '../../ledger/ledger.ts'
import { mails, messages, type QueuedMail, templateOf } from '../../office.ts'
import { accountRead, findOwn } from '../../payments-ports.ts'
import { balanceOn } from '../../terms.ts'
import { saleCause } from '../card.ts'
import { aboutCharge, type Charge, charges, isOpen, ofCharge } from '../charge.ts'
import { overpaidLeft, termsOf } from '../detail.ts'
import { refundedOf, refundsOf } from '../refund-records.ts'

/** The newest events and messages that a history has. */
const MAX_SHOWN = 100

const TITLES = {
  'charge.created': 'Emitida',
  'charge.updated': 'Alterada',
  'charge.paid': 'Paga',
  'charge.partially_paid': 'Paga em parte',
  'charge.overpaid': 'Paga a mais',
  'charge.rest_refused': 'Resto recusado pelo banco',
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

export const readHistory = accountRead(
  'charge.unknown',
  async ({ store, cipher }, accountId, id: number): Promise<ChargeHistory | null> => {
    const charge = await findOwn(store, charges, accountId, id)
    if (!charge) return null
    const about = aboutCharge(id)
    const found = await store.read({
      events: listOf(events, {
        where: all(eq('subjectId', id), eq('accountId', accountId), isIn('type', MOMENT_TYPES)),
        sort: NEWEST_FIRST,
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
  },
)

/** Events of one commit were created at the same time. */
const timeOf = ({ happenedMs, createdAt }: Event): number => happenedMs ?? Date.parse(createdAt)

const isMoment = (type: Event['type']): type is MomentType => type in TITLES

const momentOf = ({ type, createdAt, receivedCents, refundedCents }: Event): readonly ChargeMoment[] => {
  if (!isMoment(type)) return []
  return [{ type, at: createdAt, receivedCents, refundedCents: type === 'charge.refunded' ? refundedCents : null }]
}

type Queued = Pick<QueuedMail, 'to' | 'createdAt' | 'unsentReason' | 'dueAt' | 'failedAt'>

const messageOf = (queued: Queued) => ({ to: queued.to, createdAt: queued.createdAt, status: statusOf(queued) })

const statusOf = ({ unsentReason, dueAt, failedAt }: Queued): ChargeMessage['status'] => {
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

const messageView = view('ChargeMessage', {
  channel: oneOf(CHANNELS, { about: 'Por onde' }),
  to: output.text({ about: 'A quem' }),
  subject: nullable(output.text({ about: 'Assunto do e-mail' })),
  status: oneOf(MESSAGE_STATUSES, {
    about: 'Enviada, à espera, sem entrega, ou guardada sem envio por passar do limite do dia',
  }),
  createdAt: timestamp({ about: 'Quando' }),
})

export const historyView = view('ChargeHistory', {
  events: output.views(momentView, { about: 'O que aconteceu com a cobrança, do mais novo ao mais antigo' }),
  messages: output.views(messageView, { about: 'As mensagens a quem paga, dos últimos 7 dias' }),
})

/** A payment of a charge. */
export interface ReceivedPayment {
  /** Names the receipt of the payment; null for a card sale of which other accounts receive all but the fee. */
  readonly entry: Entry | null
  readonly receivedAt: Instant
  /** The amount that the payer paid. */
  readonly paidCents: number
  readonly refundedCents: number
}

/** The payments of a charge, the newest first, and the parts of the amount that is left. */
export interface ChargePayments {
  readonly charge: Charge
  /** The day for which the open parts are computed. */
  readonly day: Day
  readonly payments: readonly ReceivedPayment[]
}

const MAX_REFUNDS = 1_000
const RECEIVED_TYPE_IDS = [...PAYMENT_TYPE_IDS, CARD_SETTLEMENT.id]

export const readPayments = accountRead(
  'charge.unknown',
  async ({ store, clock }, accountId, id: number): Promise<ChargePayments | null> => {
    const charge = await findOwn(store, charges, accountId, id)
    if (!charge) return null
    const found = await store.read({
      entries: listOf(entries, {
        where: all(ofCharge(charge), isIn('typeId', RECEIVED_TYPE_IDS)),
        sort: { by: 'seq', dir: 'desc' },
        limit: MAX_SHOWN,
      }),
      refunds: refundsOf(charge, MAX_REFUNDS),
    })
    const payments = found.entries.records.map((entry) => ({
      entry,
      receivedAt: entry.datetime,
      // The entry of a card sale is its net value, without the shares of other accounts.
      paidCents: entry.typeId === CARD_SETTLEMENT.id ? (charge.card?.valueCents ?? entry.valueCents) : entry.valueCents,
      refundedCents: refundedOf(entry, found.refunds.records),
    }))
    const sale = await readSaleWithoutEntry(store, charge, found.entries.records)
    return { charge, day: dayOf(clock.steady()), payments: [...sale, ...payments] }
  },
)

/** Reads the approved card sale of a charge from its journal if it has no entry; none otherwise. */
const readSaleWithoutEntry = async (
  store: Store,
  { accountId, code, card }: Charge,
  posted: readonly Entry[],
): Promise<readonly ReceivedPayment[]> => {
  if (card === null || card.netCents === null || posted.some(({ typeId }) => typeId === CARD_SETTLEMENT.id)) return []
  const journal = await store.find(byKey(journals, 'cause', causeKey(accountId, saleCause({ code }))))
  return journal ? [{ entry: null, receivedAt: journal.createdAt, paidCents: card.valueCents, refundedCents: 0 }] : []
}

const paymentView = view(
  'ReceivedPayment',
  {
    id: nullable(
      id({
        wire: 'transaction_id',
        about:
          'Transação do extrato, com que se baixa o comprovante; null na venda no cartão de que outras contas recebem tudo',
      }),
    ),
    type: output.text({ about: 'Tipo da transação' }),
    paidCents: output.money({ wire: 'value', about: 'Valor pago' }),
    refundedCents: output.money({ wire: 'refunded_value', about: 'Quanto dele foi devolvido' }),
    receivedAt: timestamp({ about: 'Quando foi lançado' }),
    endToEnd: nullable(output.text({ wire: 'end_to_end_id', about: 'endToEndId do Pix, ou nosso número do boleto' })),
    payerName: nullable(output.text({ about: 'Quem pagou, como o banco o informa' })),
  },
  ({ entry, ...payment }: ReceivedPayment) => ({
    ...payment,
    id: entry?.id ?? null,
    type: transactionType(entry?.typeId ?? CARD_SETTLEMENT.id)?.name ?? '',
    endToEnd: entry?.endToEnd ?? null,
    payerName: entry?.payer?.name ?? null,
  }),
)

/** The open parts of a charge that accepts no payment any more. */
const NOTHING_LEFT = { dueCents: 0, fineCents: 0, interestCents: 0, discountCents: 0, restCents: 0 }

export const chargePaymentsView = view(
  'ChargePayments',
  {
    amountPaidCents: output.money({ wire: 'amount_paid', about: 'Total já pago' }),
    refundedCents: output.money({ wire: 'refunded_value', about: 'Total já devolvido' }),
    overpaidCents: output.money({ wire: 'amount_over', about: 'Pago a mais e ainda não devolvido' }),
    dueCents: output.money({ wire: 'amount_left', about: 'Quanto falta pagar hoje' }),
    restCents: output.money({ wire: 'value_left', about: 'Quanto falta do valor' }),
    fineCents: output.money({ wire: 'fine', about: 'Multa que falta' }),
    interestCents: output.money({ wire: 'interest', about: 'Juros que faltam, até hoje' }),
    discountCents: output.money({ wire: 'discount', about: 'Desconto que vale hoje' }),
    payments: output.views(paymentView, { about: 'Os pagamentos, do mais novo ao mais antigo' }),
  },
  ({ charge, day, payments }: ChargePayments) => ({
    amountPaidCents: charge.amountPaidCents ?? 0,
    refundedCents: charge.refundedCents ?? 0,
    overpaidCents: overpaidLeft(charge),
    ...(isOpen(charge) ? balanceOn(termsOf(charge), day) : NOTHING_LEFT),
    payments,
  }),
)
