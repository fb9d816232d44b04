import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { payments as notices, payOuts, titles } from '../../../adapters/bank/fake/books.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, type Collection } from '../../../core/kernel/records/record.ts'
import { type Due, WAITING } from '../../../core/kernel/running/queue.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
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
import { PIN } from '../../core/payments/world.ts'
import { everyRecord } from '../../every-record.ts'
import { FULL, printSeed } from '../../size.ts'
import { startedLine } from '../host/say-started.ts'
import { type Merchant, payer } from '../payments/given/merchants.ts'
import { until } from '../processes/lanes.ts'
import {
  isAsking,
  isOnceEach,
  ledgerFaults,
  moneyFaults,
  reconcileFaults,
  titleFaults,
} from '../processes/money-faults.ts'
import { type Process, startProcess } from '../processes/processes.ts'
import { type Receiver, receiver, type Told } from '../processes/webhooks.ts'
import { worked } from '../rows/wire.ts'
import { ask, type Heard, type Kind, note, nothingHeard, type Order, type OrderOf } from './heard.ts'
import { type Dice, dice, people, TOLERANCE_CENTS } from './load.ts'

const ROUNDS = FULL ? 20 : 1
/** In full it goes on for so long at least, and no longer than the most: each round reads all that those before it have left. */
const LEAST_MS = FULL ? 60_000 : 0
const MOST_ROUNDS_MS = 300_000
const LONGEST_MS = FULL ? 1_000_000 : 300_000
/** A process is killed after at most so many answers, and so long after the last of them. */
const MOST_ANSWERS = FULL ? 60 : 40
const MOST_MS = 30
/** Longer than any lease: in full they are waited for, else the last process has a clock that is ahead. */
const AHEAD_SECONDS = FULL ? 0 : 400
const ALL_LEASES_MS = FULL ? 300_000 : 120_000
const BEGIN_CENTS = 1_000_000
const FEE_CENTS = 35

/** The store of the processes that are killed. */
export interface Ground {
  readonly url: string
  readonly env: Record<string, string>
  /** Looks at what a process that is gone has left behind, as it is left; says what is wrong with it. */
  look(find: (store: Store) => Promise<readonly string[]>): Promise<readonly string[]>
}

interface Scene {
  readonly ground: Ground
  readonly heard: Heard
  readonly hook: Receiver
  readonly roll: Dice
}

/** Kills processes at random moments of a mixed load; at the end all begun work is finished. */
export const crashRounds = async (t: ExecutionContext, ground: Ground): Promise<void> => {
  t.timeout(LONGEST_MS)
  printSeed(t)
  const hook = await receiver()
  t.teardown(hook.close)
  const first = await startProcess(ground.url, ground.env)
  const owners = [await payer(first, hook.url), await payer(first, hook.url), await payer(first, hook.url)] as const
  const scene: Scene = { ground, heard: nothingHeard(), hook, roll: dice() }
  const { heard, roll } = scene
  for (const owner of owners) await beginWithMoney(first, scene, owner)
  await acceptParts(first, owners[1], 0)
  await acceptParts(first, owners[2], TOLERANCE_CENTS)
  const fees = { taxes: { pix_in: FEE_CENTS / 100 } }
  worked(await first.ask('PUT', `/fake-bank/accounts/${owners[2].id}`, { body: fees }))
  const shareKeys: string[] = []
  for (const { token } of owners) {
    const made = worked(await first.ask('POST', '/v1/split-receivers', { token, body: { name: 'Parte' } }))
    shareKeys.push(made.split_receiver.key)
  }
  await first.end('SIGKILL')

  const { work } = people({ owners, shareKeys, webhook: hook.url, heard, roll })
  const start = performance.now()
  let rounds = 0
  const goesOn = () => {
    const ms = performance.now() - start
    return ms < LEAST_MS || (rounds < ROUNDS && ms < MOST_ROUNDS_MS)
  }
  for (; goesOn(); rounds += 1) {
    await oneRound(t, scene, work)
    const faults = await ground.look((store) => crashFaults(store, heard, hook.told))
    if (faults.length > 0) return t.fail(`round ${rounds + 1}:\n${faults.slice(0, 20).join('\n')}`)
  }
  await allEnds(t, scene)
  const { issued, paid, withdrawn, refunded, answers, refusals } = heard
  const out = `${withdrawn.size} withdrawals, ${refunded.size} refunds, ${refusals} refused`
  const shared = [...issued.values()].filter(({ order }) => order.splits.length > 0)
  const told = (type: string) => hook.told.filter((each) => each.type === type).length
  const parts = `${told('charge.partially_paid')} in part, ${told('charge.overpaid')} in excess`
  t.log(
    `${rounds} rounds, ${answers} answers: ${issued.size} charges, ${shared.length} of them shared, ${paid.size} payments, ${parts}, ${out}, ${hook.told.length} webhooks`,
  )
}

/** Money that may leave from the first round on. */
const beginWithMoney = async (process: Process, { heard, hook }: Scene, owner: Merchant): Promise<void> => {
  const key = `begin ${owner.id}`
  const charge = { owner, key, webhook: hook.url, valueCents: BEGIN_CENTS, splits: [] }
  await answer(process, heard, { kind: 'issue', ...charge })
  const txid = heard.issued.get(key)?.txid ?? ''
  const endToEndId = `E01181521209912311100${`${owner.id}`.padStart(11, '0')}`
  await answer(process, heard, { kind: 'pay', txid, endToEndId, valueCents: BEGIN_CENTS })
}

const acceptParts = async (process: Process, { token }: Merchant, toleranceCents: number): Promise<void> => {
  const body = { pin: PIN, accept_partial: true, partial_tolerance: toleranceCents / 100 }
  worked(await process.ask('PUT', '/access/account', { token, body }))
}

type Work = ReturnType<typeof people>['work']

const oneRound = async (t: ExecutionContext, { ground, roll }: Scene, work: Work): Promise<void> => {
  const process = await startProcess(ground.url, ground.env)
  let isKilled = false
  let left = 1 + roll(MOST_ANSWERS)
  let enough = (): void => {}
  const answersEnough = new Promise<void>((resolve) => {
    enough = resolve
  })
  const answered = (): void => {
    left -= 1
    if (left === 0) enough()
  }
  const working = work(process, { isKilled: () => isKilled, answered })
  await Promise.race([answersEnough, working])
  await sleep(roll(MOST_MS))
  isKilled = true
  const { signal, stdout, stderr } = await process.end('SIGKILL')
  await working
  // The output is the start line alone.
  t.deepEqual([signal, stdout, stderr], ['SIGKILL', startedLine({ payments: process.url }), ''])
}

/** Lets the leases of dead processes expire, answers every open order, and delivers every event. */
const allEnds = async (t: ExecutionContext, { ground, heard, hook }: Scene): Promise<void> => {
  const last = await startProcess(ground.url, { ...ground.env, CLOCK_AHEAD_SECONDS: `${AHEAD_SECONDS}` })
  t.teardown(() => last.end('SIGKILL'))
  await until(
    async () => {
      for (const order of [...heard.doubtful.splice(0), ...heard.running.splice(0)]) await answer(last, heard, order)
      return heard.doubtful.length + heard.running.length === 0
    },
    'an answer to all',
    ALL_LEASES_MS,
  )
  const store = await openStore(ground.url, payments.collections)
  await until(() => nothingWaits(store), 'an end of all that was begun', ALL_LEASES_MS)
  await store.close()
  t.like(await last.end('SIGTERM'), { code: 0, stdout: startedLine({ payments: last.url }), stderr: '' })
  const faults = await ground.look((store) => endFaults(store, heard, hook.told))
  t.deepEqual(faults.slice(0, 20), [])
}

const answer = async (process: Process, heard: Heard, order: Order): Promise<void> =>
  note(heard, order, await ask(process, order))

const waitsIn =
  <R extends Due>(queue: Collection<R>) =>
  async (store: Store): Promise<boolean> =>
    (await store.list(listOf(queue, { where: always, when: WAITING, limit: 1 }))).records.length > 0

const QUEUES = [isAsking, waitsIn(events), waitsIn(deliveries), waitsIn(notices), waitsIn(titles), waitsIn(restTitles)]

const nothingWaits = async (store: Store): Promise<boolean> => {
  for (const isWaiting of QUEUES) if (await isWaiting(store)) return false
  return true
}

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
    ...(await moneyFaults(store)),
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

/** The refunds of one request are as one: they begin together. */
const refundedFaults = async (store: Store, { refunded }: Heard, doubtful: readonly Order[]) => {
  const asked = ofKind(doubtful, 'refund').map(({ key }) => key)
  const made = idsBy(await everyRecord(store, refunds), ({ reason }) => reason ?? '')
  const together = new Map([...made].map(([key, ids]) => [key, [ids.toSorted().join()]]))
  return onceEach(together, refunded, asked)
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
    ...(await titleFaults(store)),
    ...(await reconcileFaults(store)),
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
