import type { Document } from 'mongodb'
import { payments as bankPayments } from '../../../adapters/bank/fake/books.ts'
import { always, type Change, eq, not, patch } from '../../../core/kernel/records/record.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import type { Answer } from '../payments/test-api.ts'
import {
  chargeBody,
  type Issued,
  inLanes,
  inTurn,
  type Merchant,
  numbers,
  PATIENCE_MS,
  payOutBody,
  until,
  type WithdrawOrder,
} from '../processes/merchants.ts'
import { isAsking, isLost, type Paid } from '../processes/money-faults.ts'
import type { Process } from '../processes/processes.ts'

/** A payment that is to be made, or a charge that is to be issued, or money that is to leave, with a key. */
export type Order =
  | { readonly kind: 'pay'; readonly txid: string; readonly endToEndId: string; readonly valueCents: number }
  | { readonly kind: 'issue'; readonly owner: Merchant; readonly key: string }
  | WithdrawOrder

/** Longer than the minute after which what the bank does not know counts as lost. */
const ENDS_WITHIN_MS = 300_000

interface Orders {
  /** The number of the first. */
  readonly from: number
  readonly on: readonly Issued[]
  readonly owners: readonly [Merchant, ...Merchant[]]
}

/** So many payments on these charges, in turn, and for every 25 of them a new charge and two withdrawals beside. */
export const ordersOf = (count: number, { from, on, owners }: Orders): readonly Order[] => {
  const payments = numbers(count).map((index): Order => {
    const number = from + index
    const endToEndId = `E01181521209912311200${`${number}`.padStart(11, '0')}`
    return { kind: 'pay', txid: on[number % on.length]?.txid ?? '', endToEndId, valueCents: 1_000 + number }
  })
  return payments.flatMap((payment, index): Order[] => {
    const [owner, number] = [inTurn(owners, index), from + index]
    if (index % 25 === 12) return [payment, { kind: 'issue', owner, key: `order ${number}` }]
    if (index % 12 !== 11) return [payment]
    const account = `${number}-1`
    return [payment, { kind: 'withdraw', owner, key: `withdrawal ${number}`, valueCents: 100 + number, account }]
  })
}

const BANK_AWAY = 'Não foi possível falar com o banco. Tente novamente em instantes.'

/** The answers to callers. */
export interface Told {
  readonly paid: Paid[]
  readonly issued: string[]
  /** Withdrawals that have left or are on their way, and those of them that were said to have left. */
  readonly withdrawn: string[]
  readonly left: string[]
  /** Withdrawals unknown to the bank: they were not sent and are not sent again. */
  readonly lost: string[]
  /** Orders whose first request is said to be still running. */
  readonly running: Order[]
  /** The number of answers that ask for a retry. */
  refused: number
  /** Unexpected answers. */
  readonly odd: string[]
}

export const noAnswers = (): Told => ({
  paid: [],
  issued: [],
  withdrawn: [],
  left: [],
  lost: [],
  running: [],
  refused: 0,
  odd: [],
})

const ask = (process: Process, order: Order): Promise<Answer> => {
  if (order.kind === 'pay') {
    const { txid, endToEndId, valueCents } = order
    const body = { txid, value: valueCents / 100, end_to_end_id: endToEndId }
    return process.ask('POST', '/fake-bank/payments', { body })
  }
  const { key, owner } = order
  const headers = { 'idempotency-key': key }
  if (order.kind === 'withdraw')
    return process.ask('POST', '/legacypay/pix-out/dataBank', { token: owner.token, headers, body: payOutBody(order) })
  return process.ask('POST', '/invoices', { token: owner.token, headers, body: chargeBody({ description: key }) })
}

/** Notes an answer; returns false if the order must be repeated. */
const note = (told: Told, order: Order, { status, headers, body, text }: Answer): boolean => {
  const mayComeAgain = /^\d+$/.test(headers.get('retry-after') ?? '')
  if (status === 503 && mayComeAgain) {
    told.refused += 1
    return false
  }
  // The embedded bank lives in the same store: it can be away by itself.
  if (order.kind !== 'pay' && body?.message === BANK_AWAY) return false
  // The balance does not suffice yet.
  if (order.kind === 'withdraw' && status === 422 && body?.errors?.value) return false
  if (order.kind !== 'pay' && status === 409 && mayComeAgain) told.running.push(order)
  else if (order.kind === 'withdraw' && (status === 200 || status === 202)) {
    told.withdrawn.push(order.key)
    if (body?.data.status.value === 'concluido') told.left.push(order.key)
  } else if (order.kind === 'withdraw' && isLost(body)) told.lost.push(order.key)
  else if (order.kind === 'issue' && status === 200) told.issued.push(order.key)
  else if (order.kind === 'pay' && status === 200) told.paid.push(order)
  else told.odd.push(`${order.kind}: ${status} ${text}`)
  return true
}

/** Places orders on a process, so many at once, each again and again until there is an answer. */
export const place = async (
  process: Process,
  orders: readonly Order[],
  told: Told,
  { lanes, answered }: { readonly lanes: number; readonly answered?: () => Promise<void> | void },
): Promise<void> => {
  await inLanes(lanes, orders, async (order) => {
    const end = performance.now() + PATIENCE_MS
    while (!note(told, order, await ask(process, order)))
      if (performance.now() > end) throw new Error(`no answer to ${JSON.stringify(order)}`)
    await answered?.()
  })
}

/** The leases of whatever was begun and not ended run out, as they do within two minutes, and it is all carried on. */
export const afterLeases = async (store: Store, process: Process, told: Told): Promise<void> => {
  const now = new Date().toISOString()
  const ended: Change[] = []
  for await (const { id } of store.scan(idempotencyKeys, eq('status', 'running')))
    ended.push(patch(idempotencyKeys, id, { set: { leasedUntil: now }, when: eq('status', 'running') }))
  for (const from of [bankPayments, bankOperations] as const) {
    for await (const { id } of store.scan(from as typeof bankOperations, not(eq('dueAt', null))))
      ended.push(patch(from as typeof bankOperations, id, { set: { dueAt: now }, when: not(eq('dueAt', null)) }))
  }
  for (const change of ended) await store.commit([change])
  await place(process, told.running.splice(0), told, { lanes: 4 })
  const waiting = listOf(bankPayments, { where: always, when: 'waiting', limit: 1 })
  const isDone = async (): Promise<boolean> =>
    !(await isAsking(store)) && (await store.list(waiting)).records.length === 0
  await until(isDone, 'an end of all that was begun', ENDS_WITHIN_MS)
}

interface FailPoint {
  readonly failCommands: readonly string[]
  readonly errorCode?: number
  readonly errorLabels?: readonly string[]
  readonly closeConnection?: boolean
  readonly writeConcernError?: Document
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify']
const READS = ['find', 'aggregate']
const COMMIT = ['commitTransaction']
const ALL = [...WRITES, ...READS, ...COMMIT, 'abortTransaction']

/** No primary any more, stepped down in the middle, stepping down, shutting down. */
const STEP_DOWN = [10107, 11602, 189, 91]
const TRANSIENT = ['TransientTransactionError']
const RETRYABLE = ['RetryableWriteError']
const UNKNOWN = ['UnknownTransactionCommitResult']
/** The answer to a write that took effect but may be rolled back. */
const TOOK_EFFECT = { code: 91, errmsg: 'shutdown in progress' }

/** The errors of a primary that steps down. */
export const failPoints: readonly FailPoint[] = [
  ...STEP_DOWN.map((errorCode) => ({ failCommands: ALL, errorCode })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: READS, errorCode })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: RETRYABLE })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: TRANSIENT })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: COMMIT, errorCode })),
  { failCommands: ALL, closeConnection: true },
  { failCommands: WRITES, closeConnection: true },
  { failCommands: COMMIT, closeConnection: true },
  { failCommands: WRITES, writeConcernError: TOOK_EFFECT, errorLabels: RETRYABLE },
  // The outcome is unknown: not committed …
  { failCommands: COMMIT, errorCode: 91, errorLabels: UNKNOWN },
  { failCommands: COMMIT, errorCode: 50, errorLabels: UNKNOWN },
  // … or committed.
  { failCommands: COMMIT, writeConcernError: TOOK_EFFECT, errorLabels: UNKNOWN },
  { failCommands: COMMIT, writeConcernError: TOOK_EFFECT, errorLabels: RETRYABLE },
]
