import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { failure, left, refusal, right } from '../../../../core/failure.ts'
import {
  type Collection,
  eq,
  gte,
  insert,
  t as io,
  orNull,
  patch,
  record,
} from '../../../../core/kernel/records/record.ts'
import { idPool } from '../../../../core/kernel/running/ids.ts'
import { accept, startOperation } from '../../../../core/kernel/running/use-case.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import {
  bankOperations,
  beginOperation,
  enqueueOperation,
  type OperationHandler,
  openVerdict,
  orderIn,
  subjectOf,
} from '../../../../core/payments/bank/operation.ts'
import { operationQueues, operationsOf } from '../../../../core/payments/bank/run-operation.ts'
import type { AnyOperations } from '../../../../core/payments/payments-ports.ts'
import type { BankAnswer } from '../../../../core/ports/bank.ts'
import { byId } from '../../../../core/ports/store.ts'

const sale = record({
  id: io.number,
  status: io.string,
  /** The guard of the operation, of which there is one at a time. */
  operationId: orNull(io.string),
  /** The guard of the refunds, of which there may be several. */
  refundableCents: io.number,
})
export type Sale = io.TypeOf<typeof sale>
export const sales: Collection<Sale> = { name: 'test.sales', ids: 'integer', codec: sale, owner: null }

const START = '2026-11-23T13:00:00.000Z'
const LEASE_SECONDS = 60
const GONE = failure('not-found', 'sale.unknown')
type Code = 'sale.unknown' | 'bank.refused'
type Toy<O> = OperationHandler<Sale | null, O, true | null, Sale, Code>

const cipher = {
  seal: (text: string, context: string) => `${context}#${text}`,
  open: (sealed: string, context: string) => {
    if (!sealed.startsWith(`${context}#`)) throw new Error('sealed elsewhere')
    return sealed.slice(context.length + 1)
  },
}

/** A shop with its own kinds of operations. */
export const toyShop = () => {
  const clock = setClock(START)
  const store = memoryStore([sales, bankOperations])
  const ports = { store, clock, random: seededRandom(7), ids: idPool(store), cipher, log: memoryLog() }
  /** The orders that the bank has, and its next answers; by default it executes an order. */
  const bank = {
    known: new Set<string>(),
    asked: [] as string[],
    script: [] as BankAnswer<null>['outcome'][],
    holds: async (_what: string) => {},
  }
  const asks = (what: string, id: string, does: () => void): BankAnswer<null> => {
    bank.asked.push(`${what} ${id}`)
    const outcome = bank.script.shift() ?? 'done'
    if (outcome === 'refused') return { outcome, reason: 'Não.' }
    if (outcome !== 'done') return { outcome }
    does()
    return { outcome, value: null }
  }
  const sends = (what: string) => async (id: string) => {
    await bank.holds(what)
    return asks(what, id, () => bank.known.add(id))
  }
  const looksFor = async (id: string): Promise<BankAnswer<null | true>> => {
    bank.asked.push(`find ${id}`)
    const value = bank.known.has(id) ? true : null
    await bank.holds('find')
    return { outcome: 'done', value }
  }
  const read: Toy<string>['read'] = (from, { subject: [, id] }) => from.find(byId(sales, id))

  const card = operationsOf<Sale | null, { readonly last4: string }, true, Sale, Code>(ports, {
    kind: 'charge-card',
    atOnce: 2,
    leaseSeconds: LEASE_SECONDS,
    firstWaitSeconds: 1,
    read,
    isWanted: (_, found) => found?.status !== 'gone',
    // The card number exists in the request only.
    send: null,
    find: ({ last4 }) => looksFor(last4),
    decide: ({ id }, found, reply) => {
      if (!found) return { is: 'withdrawn', value: left(GONE) }
      const becomes = (status: string) => ({
        value: right({ ...found, status, operationId: null }),
        changes: [patch(sales, found.id, { set: { status, operationId: null }, when: eq('operationId', id) })],
      })
      if (reply.outcome === 'done') return { is: 'done', ...becomes('approved') }
      if (reply.outcome === 'withdrawn') return { is: 'withdrawn', ...becomes('gone') }
      if (reply.outcome !== 'refused') return { is: 'asking', value: right(found) }
      const { changes } = becomes('failed')
      return { is: 'refused', reason: reply.reason, value: left(refusal('bank.refused', reply.reason)), changes }
    },
    // A late approval of a failed sale is voided.
    ended: ({ state }, found, reply, fresh) => {
      if (!found) return { value: left(GONE) }
      if (state !== 'refused' || reply?.outcome !== 'done') return { value: right(found) }
      if (found.operationId !== null) return { value: right(found), isBusy: true }
      const input = { id: fresh.uuid(), accountId: null, subject: subjectOf(sales, found.id), order: 'void' }
      const begins = patch(sales, found.id, { set: { operationId: input.id }, when: eq('operationId', null) })
      return { value: right(found), changes: [begins, enqueueOperation(cipher, { kind: 'void-card' }, input, fresh)] }
    },
    unknown: GONE,
  })

  /** A kind that is resent with the same id, and the changes of its sale. */
  const plain = (
    kind: string,
    atOnce: number,
    end: (isDone: boolean, order: string) => { set?: Partial<Sale>; add?: { refundableCents: number } },
    find: Toy<string>['find'] = null,
    once: Pick<Toy<string>, 'once'> = {},
  ) =>
    operationsOf<Sale | null, string, true | null, Sale, Code>(ports, {
      ...once,
      kind,
      atOnce,
      leaseSeconds: LEASE_SECONDS,
      firstWaitSeconds: 1,
      read,
      isWanted: (_, found) => found?.status !== 'gone',
      send: sends(kind),
      find,
      decide: (operation, found, reply) => {
        if (!found) return { is: 'withdrawn', value: left(GONE) }
        const open = openVerdict(operation, reply, right(found))
        if (open) return open
        const is = reply.outcome === 'done' || reply.outcome === 'withdrawn' ? reply.outcome : 'refused'
        const order = orderIn<string>(cipher, operation) ?? ''
        const changes = [patch(sales, found.id, { ...end(is === 'done', order), when: eq('id', found.id) })]
        return { is, value: right(found), changes }
      },
      ended: (_, found) => ({ value: found ? right(found) : left(GONE) }),
      unknown: GONE,
    })

  const kinds = {
    card,
    refund: plain('refund', 2, (isDone, cents) => (isDone ? {} : { add: { refundableCents: Number(cents) } })),
    payOut: plain('pay-out', 1, () => ({ set: { operationId: null } })),
    voiding: plain('void-card', 1, () => ({ set: { operationId: null, status: 'voided' } })),
    /** Sent once, and looked for after it counts as lost. */
    sentOnce: plain('sent-once', 1, () => ({}), looksFor, { once: { lostAfterSeconds: 60, lateCheckSeconds: 3_600 } }),
    title: plain(
      'title',
      1,
      () => ({ set: { operationId: null } }),
      async () => ({ outcome: 'done', value: null }),
    ),
  }
  const begin = <O>(kind: AnyOperations, id: string, saleId: number, order: O) =>
    startOperation(
      ports,
      (from) => from.find(byId(sales, saleId)),
      (found, fresh) => {
        if (!found) return left(GONE)
        const input = { id, accountId: null, subject: subjectOf(sales, saleId), order }
        const { started, change } = beginOperation(cipher, kind, input, fresh)
        const cents = Number(order)
        if (kind.kind === 'refund') {
          if (found.refundableCents < cents) return left(failure('refused', 'refund.too-much'))
          const keeps = { add: { refundableCents: -cents }, when: gte<'refundableCents'>('refundableCents', cents) }
          return accept(started, patch(sales, saleId, keeps), change)
        }
        if (found.operationId !== null) return left(failure('conflict', 'sale.busy'))
        const keeps = { set: { operationId: id }, when: eq<'operationId'>('operationId', null) }
        return accept(started, patch(sales, saleId, keeps), change)
      },
    )

  const reports: string[] = []
  const { drain } = worker({
    runtime: ports,
    queues: operationQueues(Object.values(kinds)),
    report: (error, at) => reports.push(`${at}: ${error}`),
  })
  return {
    ...kinds,
    begin,
    bank,
    clock,
    drain,
    reports,
    ports,
    sell: async (over: Partial<Sale> = {}) => {
      const id = await store.reserve(sales.name, 1)
      await store.commit([insert(sales, { id, status: 'new', operationId: null, refundableCents: 1_000, ...over })])
      return id
    },
    saleOf: (id: number) => store.find(byId(sales, id)),
    operationOf: (id: string) => store.find(byId(bankOperations, id)),
  }
}
