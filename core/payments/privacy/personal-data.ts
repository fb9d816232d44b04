import { left } from '../../failure.ts'
import { nullable, output, pick, timestamp, view } from '../../kernel/input/mod.ts'
import { gather, slicesOf } from '../../kernel/running/slices.ts'
import { accept, useCase, withoutKeys } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { type AuditEntry, entriesAbout } from '../../office/audit.ts'
import { plainText } from '../../office/mail.ts'
import { byId, listAll, type Store } from '../../ports/store.ts'
import { type Charge, chargeFields, chargeStatusView } from '../charges/charge.ts'
import { type Refund, refundView } from '../charges/refund-records.ts'
import { type Client, clientView } from '../customers/client.ts'
import type { Event } from '../events.ts'
import { type Entry, isShareOfPayment } from '../ledger/ledger.ts'
import { linkFields, type PaymentLink } from '../links/link.ts'
import { audit, auditInAccount, shortMessages, templateOf } from '../office.ts'
import type { AccountActor, PaymentsPorts } from '../payments-ports.ts'
import { partyView } from '../statements/views.ts'
import { type Delivery, deliveryView } from '../webhooks/deliveries.ts'
import { findPayer, UNKNOWN_CLIENT } from './erase-client.ts'
import {
  type Erasure,
  erasureId,
  erasures,
  erasureView,
  keptPayerView,
  paidDayOf,
  withLatePayments,
} from './erasure.ts'
import { chargesOf, deliveryWalk, entryWalk, eventWalk, linkWalk, readMessages, refundWalk } from './payer-records.ts'

/** A queued mail or message to the payer. */
export interface SentText {
  readonly channel: string
  readonly to: string
  readonly text: string
  readonly createdAt: Instant
}

/** All stored data about a payer, as of an instant. */
export interface PersonalData {
  readonly client: Client
  readonly charges: readonly Charge[]
  readonly transactions: readonly Entry[]
  readonly refunds: readonly Refund[]
  readonly links: readonly PaymentLink[]
  readonly messages: readonly SentText[]
  readonly events: readonly Event[]
  readonly deliveries: readonly Delivery[]
  /** The audit entries of the erasure. Entries of reads are left out, so that a repeated read returns the same data. */
  readonly audit: readonly AuditEntry[]
  /** Null if the data was not erased. */
  readonly erasure: Erasure | null
  readonly issuedAt: Instant
}

export const readPersonalData = (ports: PaymentsPorts) => (actor: AccountActor, clientId: number | null) =>
  // An idempotency key would store the answer, and the data with it.
  withoutKeys(
    useCase(
      ports,
      (store) => readAll(ports, store, actor.accountId, clientId),
      (found, fresh) => {
        if (!found) return left(UNKNOWN_CLIENT)
        return accept<PersonalData>(
          { ...found, issuedAt: fresh.now },
          ...auditInAccount(fresh, actor, actor.accountId, 'personal-data.read', `client:${found.client.id}`),
        )
      },
    ),
  )

const readAll = async (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  store: Store,
  accountId: number,
  clientId: number | null,
): Promise<Omit<PersonalData, 'issuedAt'> | null> => {
  const client = await findPayer(store, accountId, clientId)
  if (!client) return null
  const found = {
    charges: await gather(chargesOf(store, client)),
    transactions: [] as Entry[],
    refunds: [] as Refund[],
    links: await gather(slicesOf(store, linkWalk(client))),
    messages: [] as SentText[],
    events: [] as Event[],
    deliveries: [] as Delivery[],
  }
  for (const charge of found.charges) {
    const caused = await gather(slicesOf(store, eventWalk(charge)))
    found.events.push(...caused)
    for (const event of caused) found.deliveries.push(...(await gather(slicesOf(store, deliveryWalk(event)))))
    const posted = await gather(slicesOf(store, entryWalk(charge)))
    found.transactions.push(...posted.map(withoutReceivers))
    found.refunds.push(...(await gather(slicesOf(store, refundWalk(charge)))))
    const queued = await readMessages(store, charge, caused)
    found.messages.push(
      ...queued.mails.map((mail) => ({ ...mail, channel: 'email', text: plainText(templateOf(cipher, mail)) })),
      ...queued.messages.map((message) => ({ ...message, text: shortMessages.textOf(cipher, message) })),
    )
  }
  const [chain, subject] = [`account:${accountId}`, `client:${client.id}`]
  const audited = await listAll(store, entriesAbout(audit, { chain, subject, action: 'personal-data.erased' }))
  const known = await store.find(byId(erasures, erasureId(client.id)))
  const erasure = known && withLatePayments(known, found.charges.map(paidDayOf))
  return { client, ...found, audit: audited, erasure }
}

/** The sides of a share are the issuer and another account, whose data are not the payer's. */
const withoutReceivers = (entry: Entry): Entry =>
  isShareOfPayment(entry) ? { ...entry, payer: null, receiver: null } : entry

const clientRecordView = view('PersonalDataClient', {
  ...clientView.table,
  fbId: nullable(output.text({ about: 'Identificador do cliente no Facebook' })),
  removedAt: nullable(timestamp({ about: 'Quando foi removido' })),
})

const cardView = view('PersonalDataCard', {
  brand: output.text({ about: 'Bandeira' }),
  last4: output.text({ about: 'Últimos quatro dígitos' }),
  holder: output.text({ about: 'Nome impresso no cartão' }),
})

const chargeRecordView = view('PersonalDataCharge', {
  ...pick(chargeFields, 'id', 'valueCents', 'paymentMethod', 'dueDate', 'paymentDate'),
  code: output.text({ about: 'Código público' }),
  status: output.view(chargeStatusView, { about: 'Situação' }),
  amountPaidCents: nullable(output.money({ wire: 'amount_paid', about: 'Total já pago' })),
  txid: nullable(output.text({ about: 'Identificador do Pix ou do boleto' })),
  ...pick(chargeFields, 'description', 'details', 'instructions', 'address'),
  card: nullable(output.view(cardView, { about: 'O cartão' })),
  createdAt: chargeFields.createdAt,
})

const transactionView = view(
  'PersonalDataTransaction',
  {
    id: chargeFields.id,
    chargeId: nullable(output.count({ about: 'A cobrança' })),
    valueCents: output.money({ wire: 'value', about: 'Valor, negativo se saiu da conta' }),
    datetime: timestamp({ about: 'Quando foi lançada' }),
    description: output.text({ about: 'Descrição' }),
    endToEndId: nullable(output.text({ about: 'endToEndId do Pix' })),
    txid: nullable(output.text({ about: 'Identificador do Pix ou do boleto' })),
    payer: nullable(output.view(partyView, { about: 'Quem pagou, segundo o banco' })),
    receiver: nullable(output.view(partyView, { about: 'A quem foi devolvido' })),
  },
  (entry: Entry) => ({ ...entry, endToEndId: entry.endToEnd }),
)

const linkRecordView = view('PersonalDataLink', {
  id: output.text({ about: 'Identificador' }),
  ...pick(linkFields, 'title', 'description', 'referenceCode'),
})

const messageView = view('PersonalDataMessage', {
  channel: output.text({ about: '`email`, `whatsapp` ou `sms`' }),
  to: output.text({ about: 'A quem' }),
  text: output.text({ about: 'O texto' }),
  createdAt: timestamp({ about: 'Criação' }),
})

const eventRecordView = view(
  'PersonalDataEvent',
  {
    type: output.text({ about: 'O que aconteceu' }),
    data: output.json({ about: 'Com o que aconteceu' }),
    createdAt: timestamp({ about: 'Quando aconteceu' }),
  },
  ({ type, data, createdAt }: Event) => ({ type, data: JSON.parse(data), createdAt }),
)

const auditView = view(
  'PersonalDataAudit',
  {
    action: output.text({ about: 'O que foi feito: `personal-data.erased`' }),
    actorUserId: nullable(output.count({ wire: 'user_id', about: 'Quem o fez' })),
    createdAt: timestamp({ about: 'Quando' }),
  },
  ({ action, actorUserId, createdAt }: AuditEntry) => ({
    action,
    actorUserId: typeof actorUserId === 'number' ? actorUserId : null,
    createdAt,
  }),
)

export const personalDataView = view(
  'PersonalData',
  {
    client: output.view(clientRecordView, { about: 'O cadastro' }),
    payer: nullable(
      output.view(keptPayerView, { about: 'Nome e documento que a lei manda guardar depois da eliminação' }),
    ),
    charges: output.views(chargeRecordView, { about: 'As cobranças, também as apagadas' }),
    transactions: output.views(transactionView, { about: 'Os lançamentos dessas cobranças no extrato' }),
    refunds: output.views(refundView, { about: 'As devoluções' }),
    links: output.views(linkRecordView, { about: 'Os links de pagamento feitos para este cliente' }),
    messages: output.views(messageView, { about: 'Os avisos dos últimos 7 dias' }),
    events: output.views(eventRecordView, { about: 'O que aconteceu com as cobranças, como a API o mostrava então' }),
    deliveries: output.views(deliveryView, { about: 'Os webhooks enviados sobre as cobranças' }),
    audit: output.views(auditView, { about: 'Os registros de auditoria sobre estes dados' }),
    erasure: nullable(output.view(erasureView, { about: 'A eliminação dos dados, se foi pedida' })),
    issuedAt: timestamp({ about: 'Quando foi consultado' }),
  },
  (of: PersonalData) => ({ ...of, payer: of.erasure?.payerName ? of.erasure : null }),
)
