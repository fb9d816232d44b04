// Runs in test:long only.
// Runs alone.

import test, { type ExecutionContext } from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { onReplicaSet, type ReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { issue, merchant } from '../payments/given/merchants.ts'
import type { Answer } from '../payments/test-api.ts'
import { inLanes, numbers, until, WAIT_MS } from '../processes/lanes.ts'
import { faultsOf, type Paid } from '../processes/money-faults.ts'
import { type Process, startProcesses } from '../processes/processes.ts'
import { worked } from '../rows/wire.ts'

const AT_ONCE = 64
const ROUNDS = 6
const FEE_CENTS = 99
const VICTIM = 'victim'
const COMMIT_WAIT_MS = 10_000
/** The server's limit of an abandoned transaction, and its default. */
const [LIFETIME_SECONDS, USUAL_LIFETIME_SECONDS] = [2, 60]

interface Payment extends Paid {
  readonly txid: string
}

const roundOf = (round: number, txids: readonly string[]): readonly Payment[] =>
  txids.map((txid, index) => {
    const endToEndId = `E01181521209912311200${`${round}x${index}`.padStart(11, '0')}`
    return { txid, endToEndId, valueCents: 1_000 + round * AT_ONCE + index }
  })

const pay = (process: Process, { txid, endToEndId, valueCents }: Payment) =>
  process.ask('POST', '/fake-bank/payments', { body: { txid, value: valueCents / 100, end_to_end_id: endToEndId } })

/** On a busy machine a commit may take longer than its time-out: the request is repeated. */
const payPatiently = async (process: Process, payment: Payment): Promise<Answer> => {
  const end = performance.now() + WAIT_MS
  for (let isLate = false; ; isLate = true) {
    const from = performance.now()
    const answer = await pay(process, payment)
    const tookMs = performance.now() - from
    const mayComeAgain = answer.status === 503 && tookMs >= COMMIT_WAIT_MS
    const isToBeTold = isLate && answer.body?.status === 'pending'
    if (!(mayComeAgain || isToBeTold) || performance.now() > end) return answer
  }
}

/** Pays at all processes at once; no request fails before the time-out of a commit. */
const payAll = async (t: ExecutionContext, processes: readonly Process[], round: readonly Payment[]) => {
  const answers = await Promise.all(
    round.map((payment, index) => {
      const process = processes[index % processes.length]
      return process && payPatiently(process, payment)
    }),
  )
  for (const answer of answers) t.deepEqual([answer?.status, answer?.body?.status], [200, 'confirmed'], answer?.text)
}

const openHotAccount = async (t: ExecutionContext, server: ReplicaSet) => {
  const url = server.url()
  const processes = await startProcesses([url, url, `${url}&appName=${VICTIM}`])
  t.teardown(() => processes.end('SIGKILL'))
  const store = await openStore(url, payments.collections)
  t.teardown(() => store.close())
  const owner = await merchant(processes.at(0))
  const terms = { taxes: { pix_in: FEE_CENTS / 100 } }
  worked(await processes.at(0).ask('PUT', `/fake-bank/accounts/${owner.id}`, { body: terms }))
  const issued = await inLanes(12, numbers(AT_ONCE), (number) => issue(processes.at(number), owner))
  return { processes, store, owner, txids: issued.map(({ txid }) => txid) }
}

/** A process dies holding a transaction open, with all that it has written locked. */
const dieInTransaction = async (server: ReplicaSet, victim: Process, round: readonly Payment[]): Promise<void> => {
  const admin = (await server.client()).db('admin')
  const slow = { failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: 1_000, appName: VICTIM }
  await admin.command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data: slow })
  const unheard = round.map((payment) => pay(victim, payment).catch(() => null))
  await until(async () => (await admin.command({ serverStatus: 1 })).transactions.currentOpen > 0, 'a transaction')
  await victim.end('SIGKILL')
  await Promise.all(unheard)
  await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
}

onReplicaSet(test, (server) => {
  test('64 confirmations at once on one account, from three processes, one of which dies: each is posted once, no failure shown', async (t) => {
    t.timeout(600_000)
    const { processes, store, owner, txids } = await openHotAccount(t, server)
    const paid: Payment[] = []
    for (const number of numbers(ROUNDS)) {
      const round = roundOf(number, txids)
      await payAll(t, processes.all, round)
      paid.push(...round)
    }
    t.deepEqual(await faultsOf(store, paid), [])

    // The server aborts abandoned transactions after its limit, which is shorter here.
    const admin = (await server.client()).db('admin')
    const limit = (seconds: number) => admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds })
    await limit(LIFETIME_SECONDS)
    t.teardown(() => limit(USUAL_LIFETIME_SECONDS))
    const last = roundOf(ROUNDS, txids)
    const [first, second, victim] = [processes.at(0), processes.at(1), processes.at(2)]
    await dieInTransaction(server, victim, last.slice(0, AT_ONCE / 2))
    // The payers of the dead one ask again, beside all others.
    await payAll(t, [first, second], last)
    t.deepEqual(await faultsOf(store, [...paid, ...last]), [])
    const sumCents = [...paid, ...last].reduce((sum, { valueCents }) => sum + valueCents - FEE_CENTS, 0)
    for (const process of [first, second]) {
      const balance = worked(await process.ask('GET', '/consolidation/balance', { token: owner.token }))
      t.deepEqual(balance, { balance: sumCents / 100 })
      t.like(await process.end('SIGTERM'), { code: 0, stderr: '' })
    }
  })
})
