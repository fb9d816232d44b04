import { payOuts, titles } from '../../../adapters/bank/fake/books.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { LOST } from '../../../core/payments/bank/run-operation.ts'
import { type Charge, charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { events } from '../../../core/payments/events.ts'
import { entries } from '../../../core/payments/ledger/ledger.ts'
import { type Delivery, deliveries } from '../../../core/payments/webhooks/delivery.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import type { Store } from '../../../core/ports/store.ts'
import { everyRecord, isOnceEach, ledgerFaults, moneyOutFaults } from '../processes/money-faults.ts'
import type { Told } from '../processes/webhooks.ts'
import type { Heard, Kind, Order, OrderOf } from './heard.ts'

/** Returns the faults of a store after a crash: an answered change is lost, or a change happened twice. */
export const crashFaults = async (store: Store, heard: Heard, told: readonly Told[]): Promise<readonly string[]> => {
  const doubtful = [...heard.doubtful, ...heard.running, ...heard.locked, ...heard.lost]
  const paid = [...heard.paid.values()]
  const known = new Set(heard.paid.keys())
  const unheard = ofKind(doubtful, 'pay').filter(({ endToEndId }) => !known.has(endToEndId))
  return [
    ...heard.odd,
    ...(await ledgerFaults(store, { paid, doubtful: unheard })),
    ...(await issuedFaults(store, heard, doubtful)),
    ...(await registeredFaults(store, heard, doubtful)),
    ...(await moneyOutFaults(store)),
    ...(await withdrawnFaults(store, heard, doubtful)),
    ...(await refundedFaults(store, heard, doubtful)),
    ...(await cancelledFaults(store, heard)),
    ...(await limitFaults(store, heard)),
    ...(await shownFaults(store, heard)),
    ...toldFaults(await everyRecord(store, deliveries), told),
  ]
}

const ofKind = <K extends Kind>(orders: readonly Order[], kind: K): readonly OrderOf<K>[] =>
  orders.filter((order): order is OrderOf<K> => order.kind === kind)

/** Returns the faults of records by key: an answered key has one record, a doubtful one at most one. */
const onceEach = <I>(
  made: ReadonlyMap<string, readonly I[]>,
  answered: ReadonlyMap<string, I>,
  doubtful: readonly string[],
): readonly string[] => {
  const perhaps = new Set(doubtful)
  return [
    ...[...answered]
      .filter(([key, id]) => made.get(key)?.join() !== `${id}`)
      .map(([key, id]) => `${key} exists as ${made.get(key)} and not as ${id}`),
    ...[...made]
      .filter(([key, ids]) => !answered.has(key) && !(perhaps.has(key) && ids.length === 1))
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
  { issued }: Heard,
  doubtful: readonly Order[],
): Promise<readonly string[]> => {
  const made = await everyRecord(store, charges)
  const answered = new Map([...issued].map(([key, { id }]) => [key, id]))
  const asked = ofKind(doubtful, 'issue').map(({ key }) => key)
  return onceEach(idsBy(made, keyOfCharge), answered, asked)
}

const keyOfCharge = ({ description }: Charge): string => description ?? ''

const PAYER = 'Maria da Silva'

const registeredFaults = async (store: Store, { registered }: Heard, doubtful: readonly Order[]) => {
  const made = (await everyRecord(store, clients)).filter(({ name }) => name !== PAYER)
  const asked = ofKind(doubtful, 'register').map(({ key }) => key)
  return onceEach(
    idsBy(made, ({ name }) => name ?? ''),
    registered,
    asked,
  )
}

const withdrawnFaults = async (store: Store, { withdrawn, left, lost }: Heard, doubtful: readonly Order[]) => {
  const asked = ofKind(doubtful, 'withdraw').map(({ key }) => key)
  const made = await everyRecord(store, withdrawals)
  const paid = new Set((await everyRecord(store, payOuts)).map(({ id }) => id))
  const unsent = new Set(ofKind(lost, 'withdraw').map(({ key }) => key))
  return [
    ...onceEach(
      idsBy(made, ({ message }) => message ?? ''),
      withdrawn,
      asked,
    ),
    ...made.flatMap(({ message, txid, status, failure }) => {
      const [key, isFailed] = [message ?? '', status === 'failed']
      return [
        ...(left.has(key) && status !== 'completed' ? [`${key} has left, and is ${status}`] : []),
        ...(unsent.has(key) && !isFailed ? [`${key} was never sent, and is ${status}`] : []),
        ...(isFailed && failure !== LOST ? [`${key} has failed without a refusal: ${failure}`] : []),
        ...(isFailed && paid.has(txid) ? [`${key} has failed, and the bank has paid it`] : []),
      ]
    }),
  ]
}

const refundedFaults = async (store: Store, { refunded }: Heard, doubtful: readonly Order[]) => {
  const asked = ofKind(doubtful, 'refund').map(({ key }) => key)
  const made = await everyRecord(store, refunds)
  return onceEach(
    idsBy(made, ({ reason }) => reason ?? ''),
    refunded,
    asked,
  )
}

/** A cancelled title ends its charge, unless the charge was paid before or the notice is still due. */
const cancelledFaults = async (store: Store, { cancelled }: Heard): Promise<readonly string[]> => {
  const ofTitle = new Map((await everyRecord(store, charges)).map((charge) => [charge.txid, charge.status]))
  const closed = new Map((await everyRecord(store, titles)).map((title) => [title.id, title]))
  return [...cancelled].flatMap((txid) => {
    const title = closed.get(txid)
    if (title?.status !== 'cancelled') return [`title ${txid} was cancelled and is ${title?.status}`]
    const isEnded = ofTitle.get(txid) !== 'pending' || title.dueAt !== null
    return isEnded ? [] : [`the charge of ${txid} was cancelled and is pending`]
  })
}

const limitFaults = async (store: Store, { limits }: Heard): Promise<readonly string[]> =>
  (await everyRecord(store, accounts)).flatMap(({ id, limits: { chargeMinCents } }) => {
    const { known, asked } = limits.get(id) ?? { known: 0, asked: 0 }
    const is = chargeMinCents ?? 0
    return is >= known && is <= asked ? [] : [`the limit of ${id} is ${is} and not from ${known} to ${asked}`]
  })

const shownFaults = async (store: Store, { shown }: Heard): Promise<readonly string[]> => {
  const there = new Map((await everyRecord(store, entries)).map(({ id, balanceCents }) => [id, balanceCents]))
  return [...shown]
    .filter(([id, cents]) => there.get(id) !== cents)
    .map(([id]) => `entry ${id} was shown and is not so`)
}

/** Each received webhook has a delivery, and each delivered one was received. */
const toldFaults = (made: readonly Delivery[], told: readonly Told[]): readonly string[] => {
  const heard = new Set(told.map(({ webhookId }) => webhookId))
  const written = new Set(made.map(({ webhookId }) => webhookId))
  return [
    ...(isOnceEach(made.map(({ eventId, url }) => `${eventId} ${url}`)) ? [] : ['an event is delivered twice']),
    ...[...heard].filter((id) => !written.has(id)).map((id) => `${id} was told and is not written down`),
    ...made.filter(({ status, webhookId }) => status === 'delivered' && !heard.has(webhookId)).map(untold),
  ]
}

const untold = ({ id, status }: Delivery): string => `delivery ${id} is ${status} and was not told`

/** Returns the faults at the end: every event is delivered, and no work is left. */
export const endFaults = async (store: Store, heard: Heard, told: readonly Told[]): Promise<readonly string[]> => {
  const made = await everyRecord(store, deliveries)
  const toldOf = new Set(made.map(({ eventId }) => eventId))
  return [
    ...(await crashFaults(store, heard, told)),
    ...[...heard.doubtful, ...heard.running].map(({ kind }) => `${kind}: never answered`),
    ...made.filter(({ status }) => status !== 'delivered').map(untold),
    // A pay-out that was not sent has failed.
    ...(await everyRecord(store, withdrawals))
      .filter(({ status }) => status !== 'completed' && status !== 'failed')
      .map(({ id, status }) => `withdrawal ${id} is ${status} in the end`),
    ...(await everyRecord(store, refunds))
      .filter(({ status }) => status !== 'completed')
      .map(({ id, status }) => `${id} is ${status} in the end without a refusal`),
    ...(await everyRecord(store, events))
      .filter(({ id }) => !toldOf.has(id))
      .map(({ id, type }) => `${type} ${id} has no delivery`),
  ]
}
