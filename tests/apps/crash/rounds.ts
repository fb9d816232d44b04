import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import type { Store } from '../../../core/ports/store.ts'
import { FULL, printSeed } from '../../size.ts'
import { startedLine } from '../host/say-started.ts'
import { type Merchant, payer, setAccount } from '../payments/given/merchants.ts'
import { until } from '../processes/lanes.ts'
import { type Process, startProcess } from '../processes/processes.ts'
import { type Receiver, receiver } from '../processes/webhooks.ts'
import { worked } from '../rows/wire.ts'
import { type Answers, ask, noAnswers, repeatCalls } from './calls.ts'
import { crashFaults, endFaults, isIdle } from './faults.ts'
import { clientsOf, type RandomBelow, seededNumbers, TOLERANCE_CENTS } from './load.ts'

const ROUNDS = FULL ? 20 : 1
/** The bounds of all rounds together: each round takes longer, since it reads the records of those before it. */
const MIN_MS = FULL ? 60_000 : 0
const MAX_ROUNDS_MS = 300_000
const TIMEOUT_MS = FULL ? 1_000_000 : 300_000
/** Bounds of the random moment of a kill: after a number of answers, and the milliseconds after the last of them. */
const MAX_ANSWERS = FULL ? 60 : 40
const MAX_KILL_MS = 30
/** Longer than any lease: the clock of the last process is ahead. The full run waits for the leases instead. */
const AHEAD_SECONDS = FULL ? 0 : 400
const ALL_LEASES_MS = FULL ? 300_000 : 120_000
const FIRST_CENTS = 1_000_000
const FEE_CENTS = 35

/** The store of the processes that are killed. */
export interface CrashStore {
  readonly url: string
  readonly env: Record<string, string>
  /** Returns the faults of the store as a killed process left it. */
  inspect(faultsOf: (store: Store) => Promise<readonly string[]>): Promise<readonly string[]>
}

interface Run {
  readonly target: CrashStore
  readonly answers: Answers
  readonly webhooks: Receiver
  readonly random: RandomBelow
}

/** Kills processes at random moments of a mixed load; then finishes all begun work. */
export const crashRounds = async (t: ExecutionContext, target: CrashStore): Promise<void> => {
  t.timeout(TIMEOUT_MS)
  printSeed(t)
  const webhooks = await receiver()
  t.teardown(webhooks.close)
  const first = await startProcess(target.url, target.env)
  const owners = [
    await payer(first, webhooks.url),
    await payer(first, webhooks.url),
    await payer(first, webhooks.url),
  ] as const
  const run: Run = { target, answers: noAnswers(), webhooks, random: seededNumbers() }
  const { answers, random } = run
  for (const owner of owners) await receiveMoney(first, run, owner)
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

  const work = clientsOf({ owners, shareKeys, webhook: webhooks.url, answers, random })
  const start = performance.now()
  let rounds = 0
  const continues = () => {
    const ms = performance.now() - start
    return ms < MIN_MS || (rounds < ROUNDS && ms < MAX_ROUNDS_MS)
  }
  for (; continues(); rounds += 1) {
    await oneRound(t, run, work)
    const faults = await target.inspect((store) => crashFaults(store, answers, webhooks.received))
    if (faults.length > 0) return t.fail(`round ${rounds + 1}:\n${faults.slice(0, 20).join('\n')}`)
  }
  await finishWork(t, run)
  const { issued, paid, withdrawn, refunded, successes, refusals } = answers
  const out = `${withdrawn.size} withdrawals, ${refunded.size} refunds, ${refusals} refused`
  const shared = [...issued.values()].filter(({ call }) => call.splits.length > 0)
  const count = (type: string) => webhooks.received.filter((each) => each.type === type).length
  const parts = `${count('charge.partially_paid')} in part, ${count('charge.overpaid')} in excess`
  t.log(
    `${rounds} rounds, ${successes} successes: ${issued.size} charges, ${shared.length} of them shared, ${paid.size} payments, ${parts}, ${out}, ${webhooks.received.length} webhooks`,
  )
}

/** Pays a charge of the owner, so that it can withdraw from the first round on. */
const receiveMoney = async (process: Process, { answers, webhooks }: Run, owner: Merchant): Promise<void> => {
  const key = `first charge of ${owner.id}`
  const charge = { owner, key, webhook: webhooks.url, valueCents: FIRST_CENTS, splits: [] }
  await ask(process, answers, { kind: 'issue', ...charge })
  const txid = answers.issued.get(key)?.txid ?? ''
  const endToEndId = `E01181521209912311100${`${owner.id}`.padStart(11, '0')}`
  await ask(process, answers, { kind: 'pay', txid, endToEndId, valueCents: FIRST_CENTS })
}

const acceptParts = (process: Process, owner: Merchant, toleranceCents: number) =>
  setAccount(process, owner, { accept_partial: true, partial_tolerance: toleranceCents / 100 })

type Work = ReturnType<typeof clientsOf>

const oneRound = async (t: ExecutionContext, { target, random }: Run, work: Work): Promise<void> => {
  const process = await startProcess(target.url, target.env)
  let isKilled = false
  let rest = 1 + random(MAX_ANSWERS)
  let resolveEnough = (): void => {}
  const enough = new Promise<void>((resolve) => {
    resolveEnough = resolve
  })
  const answered = (): void => {
    rest -= 1
    if (rest === 0) resolveEnough()
  }
  const working = work(process, { isKilled: () => isKilled, answered })
  await Promise.race([enough, working])
  await sleep(random(MAX_KILL_MS))
  isKilled = true
  const { signal, stdout, stderr } = await process.end('SIGKILL')
  await working
  // It logged nothing after the start line.
  t.deepEqual([signal, stdout, stderr], ['SIGKILL', startedLine({ payments: process.url }), ''])
}

/** Repeats every call without an answer after the leases of killed processes, and waits until no work is left. */
const finishWork = async (t: ExecutionContext, { target, answers, webhooks }: Run): Promise<void> => {
  const last = await startProcess(target.url, { ...target.env, CLOCK_AHEAD_SECONDS: `${AHEAD_SECONDS}` })
  t.teardown(() => last.end('SIGKILL'))
  await until(() => repeatCalls(last, answers), 'an answer to every call', ALL_LEASES_MS)
  const store = await openStore(target.url, payments.collections)
  await until(() => isIdle(store), 'the end of all work', ALL_LEASES_MS)
  await store.close()
  t.like(await last.end('SIGTERM'), { code: 0, stdout: startedLine({ payments: last.url }), stderr: '' })
  const faults = await target.inspect((store) => endFaults(store, answers, webhooks.received))
  t.deepEqual(faults.slice(0, 20), [])
}
