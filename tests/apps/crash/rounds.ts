import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { payments as notices, titles } from '../../../adapters/bank/fake/books.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, type Collection } from '../../../core/kernel/records/record.ts'
import { type Due, WAITING } from '../../../core/kernel/running/queue.ts'
import { events } from '../../../core/payments/events.ts'
import { deliveries } from '../../../core/payments/webhooks/delivery.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import { FULL, printSeed } from '../../size.ts'
import { startedLine } from '../host/say-started.ts'
import { type Merchant, payer, until } from '../processes/merchants.ts'
import { isAsking } from '../processes/money-faults.ts'
import { type Process, startProcess } from '../processes/processes.ts'
import { type Receiver, receiver } from '../processes/webhooks.ts'
import { crashFaults, endFaults } from './faults.ts'
import { ask, type Heard, note, nothingHeard, type Order } from './heard.ts'
import { type Dice, dice, people } from './load.ts'

const ROUNDS = FULL ? 20 : 1
/** In full it goes on for so long at least, and no longer than the most: each round reads all that those before it have left. */
const LEAST_MS = FULL ? 60_000 : 0
const MOST_ROUNDS_MS = 300_000
const LONGEST_MS = FULL ? 900_000 : 300_000
/** A process is killed after at most so many answers, and so long after the last of them. */
const MOST_ANSWERS = FULL ? 60 : 40
const MOST_MS = 30
/** Longer than any lease: in full they are waited for, else the last process has a clock that is ahead. */
const AHEAD_SECONDS = FULL ? 0 : 400
const ALL_LEASES_MS = 300_000
const BEGIN_CENTS = 1_000_000

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
  await first.end('SIGKILL')

  const { work } = people({ owners, webhook: hook.url, heard, roll })
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
  t.log(
    `${rounds} rounds, ${answers} answers: ${issued.size} charges, ${paid.size} payments, ${out}, ${hook.told.length} webhooks`,
  )
}

/** Money that may leave from the first round on. */
const beginWithMoney = async (process: Process, { heard, hook }: Scene, owner: Merchant): Promise<void> => {
  const key = `begin ${owner.accountId}`
  await answer(process, heard, { kind: 'issue', owner, key, webhook: hook.url })
  const txid = heard.issued.get(key)?.txid ?? ''
  const endToEndId = `E01181521209912311100${`${owner.accountId}`.padStart(11, '0')}`
  await answer(process, heard, { kind: 'pay', txid, endToEndId, valueCents: BEGIN_CENTS })
}

type Work = ReturnType<typeof people>['work']

/** A process works until it is killed. */
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

const QUEUES = [isAsking, waitsIn(events), waitsIn(deliveries), waitsIn(notices), waitsIn(titles)]

const nothingWaits = async (store: Store): Promise<boolean> => {
  for (const isWaiting of QUEUES) if (await isWaiting(store)) return false
  return true
}
