// Runs in test:long only.
// Runs alone.

import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { type Db, MongoClient } from 'mongodb'
import { payments as bankPayments } from '../../../adapters/bank/fake/books.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { type Change, eq, not, patch } from '../../../core/kernel/records/record.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import type { Store } from '../../../core/ports/store.ts'
import { readFaults, transactionFaults, writeFaults } from '../../adapters/mongodb/fail-points.ts'
import { type Mongod, startMongod } from '../../adapters/mongodb/mongod.ts'
import { type NetworkProxy, proxyTo } from '../../adapters/mongodb/proxy.ts'
import { hasBinary } from '../../adapters/mongodb/replica-set.ts'
import { everyRecord } from '../../every-record.ts'
import { type Answers, ask, type Call, noAnswers, record, repeatCalls, send } from '../crash/calls.ts'
import { crashFaults, isIdle } from '../crash/faults.ts'
import { type Issued, type Merchant, payer } from '../payments/given/merchants.ts'
import type { Answer } from '../payments/test-api.ts'
import { inLanes, inTurn, numbers, until, WAIT_MS } from '../processes/lanes.ts'
import { type Process, type Processes, startProcesses } from '../processes/processes.ts'

/** Longer than the minute after which the bank counts an unknown operation as lost. */
const END_MS = 300_000

interface Given {
  /** The number of the first call. */
  readonly from: number
  readonly issued: readonly Issued[]
  readonly owners: readonly [Merchant, ...Merchant[]]
}

/** Returns a number of payments of these charges, with a new charge or withdrawals between some of them. */
const callsOf = (count: number, { from, issued, owners }: Given): readonly Call[] =>
  numbers(count).flatMap((index): readonly Call[] => {
    const [owner, number] = [inTurn(owners, index), from + index]
    const endToEndId = `E01181521209912311200${`${number}`.padStart(11, '0')}`
    const txid = issued[number % issued.length]?.txid ?? ''
    const pay: Call = { kind: 'pay', txid, endToEndId, valueCents: 1_000 + number }
    if (index % 25 === 12)
      return [pay, { kind: 'issue', owner, key: `charge ${number}`, valueCents: 1_001, splits: [] }]
    if (index % 12 !== 11) return [pay]
    const account = `${number}-1`
    return [pay, { kind: 'withdraw', owner, key: `withdrawal ${number}`, valueCents: 100 + number, account }]
  })

const BANK_AWAY = 'Não foi possível falar com o banco. Tente novamente em instantes.'

const isUnavailable = ({ status, headers }: Answer): boolean =>
  status === 503 && /^\d+$/.test(headers.get('retry-after') ?? '')

/** Reports whether a call is sent again at once. */
const isRepeated = ({ kind }: Call, answer: Answer): boolean =>
  isUnavailable(answer) ||
  // The embedded bank uses the same store and may lose it first.
  (kind !== 'pay' && answer.body?.message === BANK_AWAY) ||
  // The balance does not suffice yet.
  (kind === 'withdraw' && answer.status === 422 && answer.body?.errors?.value !== undefined)

/** Sends a call until it has an answer other than a refusal, and records that one. */
const askUntilAnswered = async (process: Process, run: Run, call: Call): Promise<void> => {
  const end = performance.now() + WAIT_MS
  for (;;) {
    const answer = await send(process, call)
    if (isUnavailable(answer)) run.unavailable += 1
    if (!isRepeated(call, answer)) return record(run.answers, call, answer)
    if (performance.now() > end) throw new Error(`no answer to ${JSON.stringify(call)}`)
  }
}

/** Ends the lease of every running key, and makes the work of the bank due. */
const endLeases = async (store: Store): Promise<void> => {
  const now = new Date().toISOString()
  const changes: Change[] = []
  for await (const { id } of store.scan(idempotencyKeys, eq('status', 'running')))
    changes.push(patch(idempotencyKeys, id, { set: { leasedUntil: now }, when: eq('status', 'running') }))
  for (const queue of [bankPayments, bankOperations] as const) {
    for await (const { id } of store.scan(queue as typeof bankOperations, not(eq('dueAt', null))))
      changes.push(patch(queue as typeof bankOperations, id, { set: { dueAt: now }, when: not(eq('dueAt', null)) }))
  }
  for (const change of changes) await store.commit([change])
}

const failPoints = [...readFaults, ...writeFaults, ...transactionFaults]

const PAYMENTS = 1_000
const FEWER = 500
/** Enough that most calls wait for a fault and not for each other. */
const MERCHANTS = 6
const CHARGES = 24
const GONE_MS = 10_000
const TIMEOUT_MS = 600_000
const APP = 'app'

interface Run {
  readonly mongod: Mongod
  readonly admin: Db
  /** The proxy of the first process, and that of the second. The third has none. */
  readonly near: NetworkProxy
  readonly far: NetworkProxy
  readonly processes: Processes
  /** The store, opened by the test without a proxy and without fail points. */
  readonly store: Store
  readonly owners: readonly [Merchant, ...Merchant[]]
  readonly issued: readonly Issued[]
  /** The answers of all tests. */
  readonly answers: Answers
  /** The number of calls of all tests. */
  sent: number
  /** The number of answers that the store is unavailable. */
  unavailable: number
}

// A fail point does not change the server, so a client that waits for news of the server gets none: it polls instead.
const POLLED = `serverMonitoringMode=poll&heartbeatFrequencyMS=500&minHeartbeatFrequencyMS=10&appName=${APP}`

const LIFETIME_SECONDS = 5

const startRun = async (ends: (() => Promise<unknown>)[]): Promise<Run> => {
  const mongod = await startMongod()
  ends.unshift(mongod.remove)
  const [near, far] = [await proxyTo(mongod.port), await proxyTo(mongod.port)]
  ends.unshift(near.close, far.close)
  const client = await MongoClient.connect(mongod.url('admin'))
  ends.unshift(() => client.close())
  const url = ({ port }: { readonly port: number }, how: string) => `mongodb://127.0.0.1:${port}/x?${how}&${POLLED}`
  const [direct, found] = ['directConnection=true', 'replicaSet=rs0']
  const processes = await startProcesses([url(near, direct), url(far, direct), url(mongod, found)])
  ends.unshift(() => processes.end('SIGKILL'))
  const store = await openStore(mongod.url('x'), payments.collections)
  ends.unshift(() => store.close())
  const others = await inLanes(6, numbers(MERCHANTS - 1), (number) => payer(processes.at(number)))
  const owners = [await payer(processes.at(0)), ...others] as const
  const answers = noAnswers()
  await inLanes(6, numbers(CHARGES), (number) => {
    const owner = inTurn(owners, number)
    return ask(processes.at(number), answers, {
      kind: 'issue',
      owner,
      key: `first ${number}`,
      valueCents: 1_001,
      splits: [],
    })
  })
  const issued = [...answers.issued.values()]
  return { mongod, admin: client.db(), near, far, processes, store, owners, issued, answers, sent: 0, unavailable: 0 }
}

const sharedRun = (): (() => Promise<Run>) => {
  const ends: (() => Promise<unknown>)[] = []
  let run: Promise<Run> | null = null
  test.after.always(async () => {
    for (const end of ends) await end()
  })
  return () => {
    run ??= startRun(ends)
    return run
  }
}

/** Sends a number of payments and the calls between them to all processes, 6 at once to each. */
const askAll = async (run: Run, count: number, answered: (count: number) => Promise<void> | void): Promise<void> => {
  const { all } = run.processes
  const calls = callsOf(count, { from: run.sent, issued: run.issued, owners: run.owners })
  run.sent += calls.length
  let sum = 0
  const toProcess = (process: Process, index: number) =>
    inLanes(
      6,
      calls.filter((_call, number) => number % all.length === index),
      async (call) => {
        await askUntilAnswered(process, run, call)
        sum += 1
        await answered(sum)
      },
    )
  await Promise.all(all.map(toProcess))
}

/** Asserts that no answered change is lost, nothing happened twice, and all processes go on. */
const assertSound = async (
  t: ExecutionContext,
  { processes, store, answers, sent, unavailable }: Run,
): Promise<void> => {
  t.deepEqual(answers.faults, [])
  for (const process of processes.all) t.is((await process.ask('GET', '/health')).status, 200)
  t.log(`${sent} calls by now: ${unavailable} times unavailable, ${answers.running.length} left running`)
  await endLeases(store)
  await until(() => repeatCalls(processes.at(0), answers), 'an answer to every call', END_MS)
  await until(() => isIdle(store), 'the end of all work', END_MS)
  t.deepEqual(await crashFaults(store, answers, []), [])
  const statuses = (await everyRecord(store, withdrawals)).map(({ status }) => status)
  t.deepEqual(
    statuses.filter((status) => status !== 'completed' && status !== 'failed'),
    [],
  )
}

const stepDowns = (run: () => Promise<Run>): void => {
  test.serial(`${PAYMENTS} payments during the errors of step-downs lose nothing`, async (t) => {
    t.timeout(TIMEOUT_MS)
    const here = await run()
    const fail = (mode: 'off' | { readonly times: number }, data?: object) =>
      here.admin.command({ configureFailPoint: 'failCommand', mode, ...(data && { data: { ...data, appName: APP } }) })
    let armed = 0
    let struck = 0
    await askAll(here, PAYMENTS, async (count) => {
      if (count % 2 !== 0) return
      armed += 1
      struck += Number((await fail('off')).count)
      await fail({ times: 1 + (armed % 3) }, failPoints[armed % failPoints.length])
    })
    await fail('off')
    t.true(armed > 2 * failPoints.length)
    t.true(struck > armed, `${armed} were armed and ${struck} struck`)
    await assertSound(t, here)
  })
}

const outages = (run: () => Promise<Run>): void => {
  test.serial('a server killed and started twice among payments loses nothing', async (t) => {
    t.timeout(TIMEOUT_MS)
    const here = await run()
    const { mongod } = here
    const crash = async (): Promise<void> => {
      const before = here.unavailable
      await mongod.kill()
      await until(async () => here.unavailable > before, 'a refusal')
      await mongod.start()
    }
    let crashed: Promise<void> = Promise.resolve()
    await askAll(here, FEWER, (count) => {
      if (count === 30) crashed = crash()
      if (count === 70) crashed = crashed.then(mongod.kill).then(mongod.start)
    })
    await crashed
    await assertSound(t, here)
  })

  test.serial(
    'a network that one process loses and that drops the data of another for 10 s loses nothing',
    async (t) => {
      t.timeout(TIMEOUT_MS)
      const here = await run()
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
      await askAll(here, FEWER, (count) => {
        if (count > 30) over ??= outage()
      })
      t.not(over, null)
      await over
      await assertSound(t, here)
    },
  )
}

if (hasBinary(test)) {
  const run = sharedRun()
  stepDowns(run)
  outages(run)

  test.serial('all processes end after SIGTERM', async (t) => {
    const { processes } = await run()
    for (const ended of await processes.end('SIGTERM')) t.like(ended, { code: 0, signal: null, stderr: '' })
  })
}
