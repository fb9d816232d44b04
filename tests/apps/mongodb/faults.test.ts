// Runs in test:long only.
// Runs alone.

import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { type Db, MongoClient } from 'mongodb'
import { payments as bankPayments } from '../../../adapters/bank/fake/books.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, type Change, eq, not, patch } from '../../../core/kernel/records/record.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { LOST } from '../../../core/payments/bank/run-operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import { readFaults, transactionFaults, writeFaults } from '../../adapters/mongodb/fail-points.ts'
import { type Mongod, startMongod } from '../../adapters/mongodb/mongod.ts'
import { type NetworkProxy, proxyTo } from '../../adapters/mongodb/proxy.ts'
import { hasBinary } from '../../adapters/mongodb/replica-set.ts'
import { everyRecord } from '../../every-record.ts'
import {
  chargeBody,
  type Issued,
  issue,
  type Merchant,
  payer,
  payOutBody,
  type WithdrawOrder,
} from '../payments/given/merchants.ts'
import type { Answer } from '../payments/test-api.ts'
import { inLanes, inTurn, numbers, PATIENCE_MS, until } from '../processes/lanes.ts'
import { faultsOf, isAsking, isLost, moneyFaults, type Paid } from '../processes/money-faults.ts'
import { type Process, type Processes, startProcesses } from '../processes/processes.ts'

/** A payment that is to be made, or a charge that is to be issued, or money that is to leave, with a key. */
type Order =
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
const ordersOf = (count: number, { from, on, owners }: Orders): readonly Order[] => {
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
interface Told {
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

const noAnswers = (): Told => ({
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
const place = async (
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
const afterLeases = async (store: Store, process: Process, told: Told): Promise<void> => {
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

const failPoints = [...readFaults, ...writeFaults, ...transactionFaults]

const PAYMENTS = 1_000
const FEWER = 500
/** Enough that faults are met and not only each other. */
const MERCHANTS = 6
const CHARGES = 24
const GONE_MS = 10_000
const LONGEST_MS = 600_000
const APP = 'app'

interface Scene {
  readonly mongod: Mongod
  readonly admin: Db
  /** The network of the first process and of the second. The third has no proxy between. */
  readonly near: NetworkProxy
  readonly far: NetworkProxy
  readonly processes: Processes
  /** The store, looked at from beside the processes and past whatever befalls them. */
  readonly store: Store
  readonly owners: readonly [Merchant, ...Merchant[]]
  readonly issued: readonly Issued[]
  /** The answers of all tests. */
  readonly told: Told
  readonly ordered: Order[]
}

// A fault that is made up changes nothing at the server, which therefore has no news for a client that listens: it
// has to ask, and soon. All other bounds are those of every day.
const QUICK = `serverMonitoringMode=poll&heartbeatFrequencyMS=500&minHeartbeatFrequencyMS=10&appName=${APP}`

const LIFETIME_SECONDS = 5

const openScene = async (ends: (() => Promise<unknown>)[]): Promise<Scene> => {
  const mongod = await startMongod()
  ends.unshift(mongod.remove)
  const [near, far] = [await proxyTo(mongod.port), await proxyTo(mongod.port)]
  ends.unshift(near.close, far.close)
  const client = await MongoClient.connect(mongod.url('admin'))
  ends.unshift(() => client.close())
  const through = ({ port }: { readonly port: number }, how: string) => `mongodb://127.0.0.1:${port}/x?${how}&${QUICK}`
  const [past, found] = ['directConnection=true', 'replicaSet=rs0']
  const processes = await startProcesses([through(near, past), through(far, past), through(mongod, found)])
  ends.unshift(() => processes.end('SIGKILL'))
  const store = await openStore(mongod.url('x'), payments.collections)
  ends.unshift(() => store.close())
  const others = await inLanes(6, numbers(MERCHANTS - 1), (number) => payer(processes.at(number)))
  const owners = [await payer(processes.at(0)), ...others] as const
  const issued = await inLanes(6, numbers(CHARGES), (number) => issue(processes.at(number), inTurn(owners, number)))
  return { mongod, admin: client.db(), near, far, processes, store, owners, issued, told: noAnswers(), ordered: [] }
}

const scenery = (): (() => Promise<Scene>) => {
  const ends: (() => Promise<unknown>)[] = []
  let scene: Promise<Scene> | null = null
  test.after.always(async () => {
    for (const end of ends) await end()
  })
  return () => {
    scene ??= openScene(ends)
    return scene
  }
}

/** Orders so much at all processes together, with so many lanes at each; `answered` is told how many have an answer. */
const order = async (
  { processes, issued, owners, told, ordered }: Scene,
  count: number,
  { lanes, answered }: { readonly lanes: number; answered(count: number): Promise<void> | void },
): Promise<void> => {
  const orders = ordersOf(count, { from: ordered.length, on: issued, owners })
  ordered.push(...orders)
  let heard = 0
  const listening = {
    lanes,
    answered: () => {
      heard += 1
      return answered(heard)
    },
  }
  const shares = processes.all.map((_, index) =>
    orders.filter((_order, number) => number % processes.all.length === index),
  )
  await Promise.all(processes.all.map((process, index) => place(process, shares[index] ?? [], told, listening)))
}

/** Nothing that was acknowledged is lost, nothing happened twice, and all processes go on. */
const allIsWell = async (t: ExecutionContext, { processes, store, told, ordered }: Scene): Promise<void> => {
  const [running, refused] = [told.running.length, told.refused]
  t.deepEqual(told.odd, [])
  for (const process of processes.all) t.is((await process.ask('GET', '/health')).status, 200)
  await afterLeases(store, processes.at(0), told)
  t.deepEqual(told.odd, [])
  t.is(told.paid.length + told.issued.length + told.withdrawn.length + told.lost.length, ordered.length)
  t.deepEqual(await faultsOf(store, told.paid), [])
  t.deepEqual(await moneyFaults(store), [])
  const asked = await everyRecord(store, withdrawals)
  const left = asked.filter(({ status }) => status !== 'failed')
  // A withdrawal may be answered as pending before the bank has it.
  const lost = new Set(asked.flatMap(({ failure, message }) => (failure === LOST ? [message ?? ''] : [])))
  t.deepEqual(
    left.map(({ message }) => message ?? '').toSorted(),
    told.withdrawn.filter((key) => !lost.has(key)).toSorted(),
  )
  t.deepEqual(
    told.left.filter((key) => lost.has(key)),
    [],
  )
  t.deepEqual(
    told.lost.filter((key) => !lost.has(key)),
    [],
  )
  t.deepEqual([...new Set(left.map(({ status }) => status))], ['completed'])
  const made = (await everyRecord(store, charges)).filter(({ status }) => status !== 'failed')
  const keys = made.flatMap(({ description }) => (description === null ? [] : [description]))
  t.deepEqual(keys.toSorted(), told.issued.toSorted())
  t.log(`${ordered.length} orders by now: 503 ${refused} times, ${running} keys were left running`)
}

const stepDowns = (scene: () => Promise<Scene>): void => {
  test.serial(`the errors of a step-down in the middle of ${PAYMENTS} payments`, async (t) => {
    t.timeout(LONGEST_MS)
    const here = await scene()
    const fail = (mode: 'off' | { readonly times: number }, data?: object) =>
      here.admin.command({ configureFailPoint: 'failCommand', mode, ...(data && { data: { ...data, appName: APP } }) })
    let armed = 0
    let struck = 0
    await order(here, PAYMENTS, {
      lanes: 6,
      answered: async (count) => {
        if (count % 2 !== 0) return
        armed += 1
        struck += Number((await fail('off')).count)
        await fail({ times: 1 + (armed % 3) }, failPoints[armed % failPoints.length])
      },
    })
    await fail('off')
    t.true(armed > 2 * failPoints.length)
    t.true(struck > armed, `${armed} were armed and ${struck} struck`)
    await allIsWell(t, here)
  })
}

const outages = (scene: () => Promise<Scene>): void => {
  test.serial('the server killed and started again, twice, in the middle', async (t) => {
    t.timeout(LONGEST_MS)
    const here = await scene()
    const { mongod, told } = here
    const crash = async (): Promise<void> => {
      const before = told.refused
      await mongod.kill()
      await until(async () => told.refused > before, 'a refusal')
      await mongod.start()
    }
    let crashed: Promise<void> = Promise.resolve()
    await order(here, FEWER, {
      lanes: 6,
      answered: (count) => {
        if (count === 30) crashed = crash()
        if (count === 70) crashed = crashed.then(mongod.kill).then(mongod.start)
      },
    })
    await crashed
    await allIsWell(t, here)
  })

  test.serial(
    'the network gone for 10 s: cut for one process, dropping all data of another, there for a third',
    async (t) => {
      t.timeout(LONGEST_MS)
      const here = await scene()
      const { near, far, processes, owners, admin } = here
      // A transaction of a cut-off process keeps its locks until the server aborts it, by default after a minute.
      await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: LIFETIME_SECONDS })
      const { token } = owners[0]
      const balance = (process: number) => processes.at(process).ask('GET', '/consolidation/balance', { token })
      const outage = async (): Promise<void> => {
        near.cut()
        far.drop()
        const [back, without, beside] = [sleep(GONE_MS), balance(0), balance(2)]
        t.is((await beside).status, 200)
        const { status, headers } = await without
        t.deepEqual([status, headers.get('retry-after')], [503, '2'])
        await back
        near.heal()
        far.heal()
      }
      let over: Promise<void> | null = null
      await order(here, FEWER, {
        lanes: 6,
        answered: (count) => {
          if (count > 30) over ??= outage()
        },
      })
      t.not(over, null)
      await over
      await allIsWell(t, here)
    },
  )
}

if (hasBinary(test)) {
  const scene = scenery()
  stepDowns(scene)
  outages(scene)

  test.serial('all processes end after SIGTERM', async (t) => {
    const { processes } = await scene()
    for (const ended of await processes.end('SIGTERM')) t.like(ended, { code: 0, signal: null, stderr: '' })
  })
}
