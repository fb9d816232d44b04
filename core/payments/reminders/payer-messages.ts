import type { Change } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Day, formatDay, type Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { copy, type EmailTemplate, facts, link, MAIL_LIFE_SECONDS, text, type UnsentReason } from '../../office/mail.ts'
import { MESSAGE_CHANNELS } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { listByIds, type Store } from '../../ports/store.ts'
import type { Account, NotificationRule, RuleName } from '../accounts/account.ts'
import { endOfSentence } from '../accounts/views.ts'
import { aboutCharge, type Charge, type ChargeStatus, isOpen, statusAt } from '../charges/charge.ts'
import { chargePageUrl, dueOn, pixCodeOf, receivedCents, returnedOf, returnedText } from '../charges/detail.ts'
import { type Client, clients } from '../customers/client.ts'
import { queueMail, queueMessage } from '../office.ts'
import { countMessages, type MessageQuota, type Recipient } from './message-quota.ts'

/** A recipient and the id of the message to them. */
export interface MessageTarget extends Recipient {
  readonly id: string
}

/** Returns the payer's addresses for the channels of a rule, each once. A removed client has none. */
export const recipientsOf = ({ client, rule }: Pick<Trigger, 'client' | 'rule'>): readonly Recipient[] =>
  [...new Set(rule.channels)].flatMap((channel) => {
    const to = channel === 'email' ? client.email : client.phone
    return to === null || to === '' || client.removedAt !== null ? [] : [{ channel, to }]
  })

/** Returns the payer's addresses with message ids, which derive from `cause`: one cause sends no message twice. */
export const targetsOf = (about: Pick<Trigger, 'client' | 'rule'>, cause: string): readonly MessageTarget[] =>
  recipientsOf(about).map((recipient) => ({ id: `${cause}|${recipient.channel}`, ...recipient }))

/**
 * Returns the changes that count messages to payers, one for each target, and those that enqueue them. Without room for
 * both in one commit, the count comes first. Messages above the quota are stored as not sent; the other ones are not
 * sent after `expiresAt`.
 */
export const queueMessages = (
  cipher: Cipher,
  fresh: Fresh,
  quota: MessageQuota,
  payers: readonly { readonly about: Trigger; readonly targets: readonly MessageTarget[] }[],
  expiresAt: Instant = addSeconds(fresh.steady, MAIL_LIFE_SECONDS),
) => {
  const messages = payers.flatMap(({ about, targets }) => targets.map((target) => ({ about, target })))
  const { reasons, changes: counting } = countMessages(
    cipher,
    quota,
    messages.map(({ target }) => target),
    fresh,
  )
  const queuing = messages.map(({ about, target }, index) =>
    queueOne(cipher, fresh, about, target, expiresAt, reasons[index] ?? null),
  )
  return { reasons, counting, queuing }
}

const queueOne = (
  cipher: Cipher,
  fresh: Fresh,
  about: Trigger,
  { id, channel: named, to }: MessageTarget,
  sentUntil: Instant,
  unsentReason: UnsentReason | null,
): Change => {
  const expiresAt = unsentReason === null ? sentUntil : addSeconds(fresh.steady, MAIL_LIFE_SECONDS)
  const envelope = { id, to, expiresAt, unsentReason, about: aboutCharge(about.charge.id) }
  const channel = MESSAGE_CHANNELS.find((each) => each === named)
  return channel === undefined
    ? queueMail(cipher, fresh, { ...envelope, accountId: about.account.id, ...emailFor(about) })
    : queueMessage(cipher, fresh, { ...envelope, channel, tenantId: about.account.id, text: shortTextFor(about) })
}

/** Reads the payers of charges, by their ids. */
export const readPayers = (
  store: Store,
  owed: readonly Pick<Charge, 'clientId'>[],
): Promise<ReadonlyMap<number, Client>> =>
  listByIds(
    store,
    clients,
    owed.map(({ clientId }) => clientId),
  )

/** The cause of a message: a rule of the account, or a notice that a user requested. */
type Cause = RuleName | 'notice'

/** The facts of a message to a payer: the charge, and its rule; a requested notice has a rule of its own. */
export interface Trigger {
  readonly name: Cause
  readonly rule: NotificationRule
  readonly account: Pick<Account, 'id' | 'name'>
  readonly charge: Charge
  readonly client: Pick<Client, 'name' | 'email' | 'phone' | 'removedAt'>
  /** The paid amount of the event; null for the amount of the charge. */
  readonly paidCents: number | null
  /** The base of public links, without a trailing slash. */
  readonly publicUrl: string
  readonly steady: Instant
  readonly today: Day
}

const COPY_LABEL = 'Pix copia e cola'

/** Returns the email of a rule: the message of the account or the default, with amount, link and Pix code. */
export const emailFor = (about: Trigger): EmailTemplate => {
  const { rule, client, charge } = about
  const { subject, body } = defaultTextOf(about)
  const code = codeOf(about)
  const page = pageOf(about)
  const described: readonly Fact[] = charge.description === null ? [] : [['Descrição', charge.description]]
  return {
    subject,
    blocks: [
      text(`Olá, ${client.name}!`),
      text(rule.message ?? body),
      facts(...factsOf(about), ...described),
      ...(page === null ? [] : [link(...page)]),
      ...(code === null ? [] : [copy(COPY_LABEL, code)]),
    ],
  }
}

/** Returns the text for a phone: the message of the account alone, or the default with amount, link and Pix code. */
export const shortTextFor = (about: Trigger): string => {
  const { rule, account } = about
  if (rule.message !== null) return rule.message
  const code = codeOf(about)
  const page = pageOf(about)
  return [
    `${account.name}: ${defaultTextOf(about).body}`,
    ...factsOf(about).map(([fact, value]) => `${fact}: ${value}`),
    ...(page === null ? [] : [page.join(': ')]),
    ...(code === null ? [] : [`${COPY_LABEL}:`, code]),
  ].join('\n')
}

type Fact = readonly [name: string, value: string]

/** Returns the partial payments of an open charge. */
const openPartOf = (charge: Charge): number => (isOpen(charge) ? receivedCents(charge) : 0)

const dueFacts = ({ charge, steady, today }: Trigger): readonly Fact[] => {
  const dueCents = dueOn(charge, today)
  const paidCents = openPartOf(charge)
  const isAsked = statusAt(charge, steady) === 'pending' || paidCents > 0
  const isOther = isAsked && dueCents !== charge.valueCents
  return [
    ['Valor', formatReais(charge.valueCents)],
    ...(paidCents > 0 ? [['Já pago', formatReais(paidCents)] as const] : []),
    ...(isOther ? [[paidCents > 0 ? 'Falta pagar' : 'Valor hoje', formatReais(dueCents)] as const] : []),
    ['Vencimento', formatDay(charge.dueDate)],
  ]
}

const paymentFacts = ({ charge, paidCents, today }: Trigger): readonly Fact[] => [
  ['Valor pago', formatReais(paidCents ?? charge.amountPaidCents ?? charge.valueCents)],
  ['Data do pagamento', formatDay(charge.paymentDate ?? today)],
]

const returnedFacts = ({ charge }: Trigger): readonly Fact[] => {
  const returned = returnedOf(charge)
  if (!returned) return []
  const { cents, leftCents } = returned
  return [
    ['Devolvido', formatReais(cents)],
    ...(leftCents === null ? [] : [['Restam', formatReais(leftCents)] as const]),
  ]
}

/** Returns the facts of a reported or refunded payment, else the amount due; then the refunds. */
const factsOf = (about: Trigger): readonly Fact[] => {
  const returned = returnedFacts(about)
  if (isOpen(about.charge) && about.charge.received !== null) return [...dueFacts(about), ...returned]
  const isPaid = about.name === 'on_payment' || (returned.length > 0 && about.charge.amountPaidCents !== null)
  return [...(isPaid ? paymentFacts(about) : dueFacts(about)), ...returned]
}

const PAYABLE_CAUSES: ReadonlySet<Cause> = new Set([
  'on_creation',
  'on_update',
  'before_due',
  'on_due',
  'after_due',
  'notice',
])

/** Returns the link to the page of the charge; null for a deleted one, which has no page. */
const pageOf = ({ name, charge, publicUrl, steady }: Trigger): Fact | null => {
  if (name === 'on_delete' || charge.status === 'DELETED') return null
  const label = PAYABLE_CAUSES.has(name) && statusAt(charge, steady) === 'pending' ? 'Ver e pagar' : 'Ver a cobrança'
  return [label, chargePageUrl(publicUrl, charge)]
}

/** Returns the Pix code of today; null if the charge accepts no payment. */
const codeOf = ({ name, charge, steady, today }: Trigger): string | null =>
  PAYABLE_CAUSES.has(name) && statusAt(charge, steady) === 'pending' ? pixCodeOf(charge, today) : null

/** The text of a rule without a message of the account. */
interface DefaultText {
  readonly subject: string
  readonly body: string
}

type TextFacts = Pick<Trigger, 'account' | 'charge' | 'steady' | 'today'>

const PAID_ALREADY = 'Se você já pagou, desconsidere este aviso.'

/** Names the payment that a charge waits for. */
const openPayment = (charge: Charge): string => (openPartOf(charge) > 0 ? 'o pagamento do que falta' : 'o pagamento')

const dueVerb = ({ charge, today }: TextFacts): string => (charge.dueDate < today ? 'venceu' : 'vence')

const unpayable = ({ account, charge }: TextFacts): string => {
  const text = `A sua cobrança não pode mais ser paga. Em caso de dúvida, fale com ${endOfSentence(account.name)}`
  const returned = returnedOf(charge)
  return returned ? `${text} ${returnedText(returned)}` : text
}
const paid = ({ charge }: TextFacts): string => {
  const returned = returnedOf(charge)
  return returned ? `Recebemos o seu pagamento. ${returnedText(returned)}` : 'A sua cobrança está paga. Obrigado!'
}

/** A paid charge changes only by a refund. */
const updated = ({ account, charge }: TextFacts): DefaultText => {
  const returned = returnedOf(charge)
  if (returned)
    return {
      subject: `Devolução de ${account.name}`,
      body: `Houve uma devolução do seu pagamento. ${returnedText(returned)}`,
    }
  const body = 'Os dados de uma cobrança sua foram alterados. Valem os que estão aqui.'
  return { subject: `Cobrança de ${account.name} atualizada`, body }
}

/** The text of a requested notice, by the status of the charge. */
const STATUS_TEXTS: Readonly<Record<ChargeStatus, (about: TextFacts) => string>> = {
  pending: (about) =>
    `A sua cobrança ${dueVerb(about)} em ${formatDay(about.charge.dueDate)} e aguarda ${openPayment(about.charge)}. ${PAID_ALREADY}`,
  paid,
  paidwithpix: paid,
  cancelled: unpayable,
  expired: unpayable,
  failed: unpayable,
  DELETED: unpayable,
}

const DEFAULT_TEXTS: Readonly<Record<Cause, (about: TextFacts) => DefaultText>> = {
  on_creation: ({ account }) => ({
    subject: `Nova cobrança de ${account.name}`,
    body: 'Há uma nova cobrança para você.',
  }),
  on_payment: ({ account, charge }) => ({
    subject: `Pagamento recebido por ${account.name}`,
    body: isOpen(charge)
      ? 'Recebemos uma parte do pagamento. Obrigado! O que falta está aqui.'
      : 'Recebemos o seu pagamento. Obrigado!',
  }),
  on_update: updated,
  on_delete: ({ account }) => ({
    subject: `Cobrança de ${account.name} cancelada`,
    body: 'Uma cobrança sua foi cancelada. Não é preciso pagá-la.',
  }),
  before_due: ({ account, charge }) => ({
    subject: `Sua cobrança de ${account.name} vence em ${formatDay(charge.dueDate)}`,
    body: `Lembramos que a sua cobrança vence em ${formatDay(charge.dueDate)}. ${PAID_ALREADY}`,
  }),
  on_due: ({ account }) => ({
    subject: `Sua cobrança de ${account.name} vence hoje`,
    body: `Lembramos que a sua cobrança vence hoje. ${PAID_ALREADY}`,
  }),
  after_due: (about) => ({
    subject: `Sua cobrança de ${about.account.name} ${dueVerb(about)} em ${formatDay(about.charge.dueDate)}`,
    body: [
      `A sua cobrança ${dueVerb(about)} em ${formatDay(about.charge.dueDate)} e ainda não recebemos ${openPayment(about.charge)}.`,
      ...(statusAt(about.charge, about.steady) === 'pending'
        ? []
        : [`Para pagar, fale com ${endOfSentence(about.account.name)}`]),
      PAID_ALREADY,
    ].join(' '),
  }),
  notice: (about) => ({
    subject: `Sua cobrança de ${about.account.name}`,
    body: STATUS_TEXTS[statusAt(about.charge, about.steady)](about),
  }),
}

const defaultTextOf = (about: Trigger): DefaultText => DEFAULT_TEXTS[about.name](about)
