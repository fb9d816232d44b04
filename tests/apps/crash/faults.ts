import { payments as notices, payOuts, titles } from '../../../adapters/bank/fake/books.ts'
import { always, type Collection } from '../../../core/kernel/records/record.ts'
import { type Due, WAITING } from '../../../core/kernel/running/queue.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { UNAVAILABLE } from '../../../core/payments/bank/operation.ts'
import { LOST } from '../../../core/payments/bank/run-operation.ts'
import { type Charge, charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { restTitles } from '../../../core/payments/charges/rest-title.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { events } from '../../../core/payments/events.ts'
import { entries } from '../../../core/payments/ledger/ledger.ts'
import { type Delivery, deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import { everyRecord } from '../../every-record.ts'
import {
  isAsking,
  isOnceEach,
  ledgerFaults,
  moneyFaults,
  reconcileFaults,
  titleFaults,
} from '../processes/money-faults.ts'
import type { Webhook } from '../processes/webhooks.ts'
import type { Answers, Call, CallOf, Kind } from './calls.ts'

const hasWaiting =
  <R extends Due>(queue: Collection<R>) =>
  async (store: Store): Promise<boolean> =>
    (await store.list(listOf(queue, { where: always, when: WAITING, limit: 1 }))).records.length > 0

const QUEUES = [
  isAsking,
  hasWaiting(events),
  hasWaiting(deliveries),
  hasWaiting(notices),
  hasWaiting(titles),
  hasWaiting(restTitles),
]

/** Reports whether no work is left in a store. */
export const isIdle = async (store: Store): Promise<boolean> => {
  for (const isWaiting of QUEUES) if (await isWaiting(store)) return false
  return true
}

/** Returns the faults of a store after a crash: an answered change is lost, or a change happened twice. */
export const crashFaults = async (
  store: Store,
  answers: Answers,
  received: readonly Webhook[],
): Promise<readonly string[]> => {
  const unanswered = [...answers.unanswered, ...answers.running, ...answers.locked, ...answers.unsent]
  const paid = [...answers.paid.values()]
  const uncertain = ofKind(unanswered, 'pay').filter(({ endToEndId }) => !answers.paid.has(endToEndId))
  return [
    ...answers.faults,
    ...(await ledgerFaults(store, { paid, uncertain })),
    ...(await issuedFaults(store, answers, unanswered)),
    ...(await registeredFaults(store, answers, unanswered)),
    ...(await moneyFaults(store)),
    ...(await withdrawnFaults(store, answers, unanswered)),
    ...(await refundedFaults(store, answers, unanswered)),
    ...(await cancelledFaults(store, answers)),
    ...(await limitFaults(store, answers)),
    ...(await statementFaults(store, answers)),
    ...webhookFaults(await everyRecord(store, deliveries), received),
  ]
}

const ofKind = <K extends Kind>(calls: readonly Call[], kind: K): readonly CallOf<K>[] =>
  calls.filter((call): call is CallOf<K> => call.kind === kind)

/** Returns the faults of records by key: an answered key has one record, an unanswered one at most one. */
const keyFaults = <I>(
  made: ReadonlyMap<string, readonly I[]>,
  answered: ReadonlyMap<string, I>,
  unanswered: readonly string[],
): readonly string[] => {
  const possible = new Set(unanswered)
  return [
    ...[...answered]
      .filter(([key, id]) => made.get(key)?.join() !== `${id}`)
      .map(([key, id]) => `${key} exists as ${made.get(key)} and not as ${id}`),
    ...[...made]
      .filter(([key, ids]) => !answered.has(key) && !(possible.has(key) && ids.length === 1))
      .map(([key, ids]) => `${key} exists as ${ids} without an answer`),
  ]
}

const idsBy = <I, R extends { readonly id: I }>(records: readonly R[], keyOf: (record: R) => string) => {
  const ids = new Map<string, R['id'][]>()
  for (const record of records) ids.set(keyOf(record), [...(ids.get(keyOf(record)) ?? []), record.id])
  return ids
}

const issuedFaults = async (
  store: Store,
  { issued }: Answers,
  unanswered: readonly Call[],
): Promise<readonly string[]> => {
  // A charge without a title fails, and a repeat of its key issues another one.
  const made = (await everyRecord(store, charges)).filter(({ status }) => status !== 'failed')
  const answered = new Map([...issued].map(([key, { id }]) => [key, id]))
  const sent = ofKind(unanswered, 'issue').map(({ key }) => key)
  return keyFaults(idsBy(made, keyOfCharge), answered, sent)
}

const keyOfCharge = ({ description }: Charge): string => description ?? ''

const PAYER = 'Maria da Silva'

const registeredFaults = async (store: Store, { registered }: Answers, unanswered: readonly Call[]) => {
  const made = (await everyRecord(store, clients)).filter(({ name }) => name !== PAYER)
  const sent = ofKind(unanswered, 'register').map(({ key }) => key)
  return keyFaults(
    idsBy(made, ({ name }) => name ?? ''),
    registered,
    sent,
  )
}

const withdrawnFaults = async (
  store: Store,
  { withdrawn, completed, unsent }: Answers,
  unanswered: readonly Call[],
) => {
  const sent = ofKind(unanswered, 'withdraw').map(({ key }) => key)
  const all = await everyRecord(store, withdrawals)
  // One that failed because the bank was unavailable was not sent: a repeat of its key begins another one.
  const made = all.filter(({ failure }) => failure !== UNAVAILABLE)
  const paid = new Set((await everyRecord(store, payOuts)).map(({ id }) => id))
  const lost = new Set(ofKind(unsent, 'withdraw').map(({ key }) => key))
  return [
    ...keyFaults(
      idsBy(made, ({ message }) => message ?? ''),
      withdrawn,
      sent,
    ),
    ...all
      .filter(({ txid, status }) => status === 'failed' && paid.has(txid))
      .map(({ message }) => `${message} failed, and the bank paid it`),
    ...made.flatMap(({ message, status, failure }) => {
      const [key, isFailed] = [message ?? '', status === 'failed']
      return [
        ...(completed.has(key) && status !== 'completed' ? [`${key} was answered as completed and is ${status}`] : []),
        ...(lost.has(key) && !isFailed ? [`${key} was never sent and is ${status}`] : []),
        ...(isFailed && failure !== LOST ? [`${key} failed without a refusal: ${failure}`] : []),
      ]
    }),
  ]
}

/** The refunds of one key count as one: they begin in one commit. */
const refundedFaults = async (store: Store, { refunded }: Answers, unanswered: readonly Call[]) => {
  const sent = ofKind(unanswered, 'refund').map(({ key }) => key)
  const made = idsBy(await everyRecord(store, refunds), ({ reason }) => reason ?? '')
  const together = new Map([...made].map(([key, ids]) => [key, [ids.toSorted().join()]]))
  return keyFaults(together, refunded, sent)
}

/** A cancelled title ends its charge, unless the charge was paid before or the notice is still due. */
const cancelledFaults = async (store: Store, { cancelled }: Answers): Promise<readonly string[]> => {
  const ofTitle = new Map((await everyRecord(store, charges)).map((charge) => [charge.txid, charge.status]))
  const closed = new Map((await everyRecord(store, titles)).map((title) => [title.id, title]))
  return [...cancelled].flatMap((txid) => {
    const title = closed.get(txid)
    if (title?.status !== 'cancelled') return [`title ${txid} was cancelled and is ${title?.status}`]
    const isEnded = ofTitle.get(txid) !== 'pending' || title.dueAt !== null
    return isEnded ? [] : [`the charge of ${txid} was cancelled and is pending`]
  })
}

const limitFaults = async (store: Store, { limits }: Answers): Promise<readonly string[]> =>
  (await everyRecord(store, accounts)).flatMap(({ id, limits: { chargeMinCents } }) => {
    const { answered, sent } = limits.get(id) ?? { answered: 0, sent: 0 }
    const cents = chargeMinCents ?? 0
    return cents >= answered && cents <= sent ? [] : [`limit ${id} is ${cents} and not from ${answered} to ${sent}`]
  })

const statementFaults = async (store: Store, { balances }: Answers): Promise<readonly string[]> => {
  const stored = new Map((await everyRecord(store, entries)).map(({ id, balanceCents }) => [id, balanceCents]))
  return [...balances]
    .filter(([id, cents]) => stored.get(id) !== cents)
    .map(([id]) => `entry ${id} has another balance than its statement`)
}

/** Each received webhook has a delivery, and each delivered one was received. */
const webhookFaults = (made: readonly Delivery[], received: readonly Webhook[]): readonly string[] => {
  const receivedIds = new Set(received.map(({ webhookId }) => webhookId))
  const madeIds = new Set(made.map(({ webhookId }) => webhookId))
  return [
    ...(isOnceEach(made.map(({ eventId, url }) => `${eventId} ${url}`)) ? [] : ['an event is delivered twice']),
    ...[...receivedIds].filter((id) => !madeIds.has(id)).map((id) => `${id} was received and has no delivery`),
    ...made.filter(({ status, webhookId }) => status === 'delivered' && !receivedIds.has(webhookId)).map(undelivered),
  ]
}

const undelivered = ({ id, status }: Delivery): string => `delivery ${id} is ${status} and was not received`

/** Returns the faults at the end: every event is delivered, and no work is left. */
export const endFaults = async (
  store: Store,
  answers: Answers,
  received: readonly Webhook[],
): Promise<readonly string[]> => {
  const made = await everyRecord(store, deliveries)
  const delivered = new Set(made.map(({ eventId }) => eventId))
  return [
    ...(await crashFaults(store, answers, received)),
    ...(await titleFaults(store)),
    ...(await reconcileFaults(store)),
    ...[...answers.unanswered, ...answers.running].map(({ kind }) => `${kind}: never answered`),
    ...made.filter(({ status }) => status !== 'delivered').map(undelivered),
    // A withdrawal that was never sent is failed; the bank was never unavailable.
    ...(await everyRecord(store, withdrawals))
      .filter(({ status, failure }) => (status !== 'completed' && status !== 'failed') || failure === UNAVAILABLE)
      .map(({ id, status, failure }) => `withdrawal ${id} is ${status} at the end: ${failure}`),
    ...(await everyRecord(store, refunds))
      .filter(({ status }) => status !== 'completed')
      .map(({ id, status }) => `${id} is ${status} at the end`),
    ...(await everyRecord(store, events))
      .filter(({ id }) => !delivered.has(id))
      .map(({ id, type }) => `${type} ${id} has no delivery`),
  ]
}
