import { steadyTime } from '../../../adapters/clock/system-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryPorts } from '../../../adapters/memory/memory-ports.ts'
import { type Answer, storedAnswer } from '../../../apps/http/replies/reply.ts'
import { type Either, type Failure, isLeft, left } from '../../../core/failure.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import type { Worker } from '../../../core/kernel/running/worker.ts'
import { type Keys, keysOf } from '../../../core/office/idempotency-keys.ts'
import { type Payments, type PaymentsWorker, payments } from '../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import type { BankNotifications } from '../../../core/ports/bank.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { cheapHasher } from '../../core/payments/world.ts'
import { MOST_SKEW_MS } from './agenda.ts'
import { plainCipher, plainTokens } from './crypto.ts'
import { acquirerDoor, bankDoor } from './doors.ts'
import type { Environment, Ground } from './environment.ts'
import { type Life, lifeOf } from './life.ts'
import { MailLost } from './receivers.ts'
import { storeLine } from './store.ts'

/** The end of the report of a subscriber whose commit failed five times. */
const UNTOLD = 'cannot be committed'
const OURS = new Set(['store.unavailable', 'store.busy'])

/** The offset of the clock of a process, and its end. */
export interface SetAhead {
  byMs: number
  untilMs: number
}

/** One process of the platform: its memory is lost when it dies. */
export interface Process {
  readonly life: Life
  readonly ports: PaymentsPorts
  readonly pay: Payments
  /** The keys of its HTTP server; those of embedders are in `pay`. */
  readonly keys: Keys<Answer>
  readonly worker: Worker
  readonly setAhead: SetAhead
}

/** Picks a running process, or null if there is none. */
export const anyone = ({ processes, dice }: Pick<Ground, 'processes' | 'dice'>): Process | null => {
  const alive = processes.filter(({ life }) => !life.isOver())
  return alive.length === 0 ? null : dice.pick(alive)
}

/** Runs a task in a process; returns null if the process dies before it answers. */
export const ask = async <V>(
  { life }: Pick<Process, 'life'>,
  task: () => Promise<Either<Failure, V>>,
): Promise<Either<Failure, V> | null> => {
  try {
    return await Promise.race([task(), life.over])
  } catch (error) {
    if (error instanceof StoreUnavailable) return left(unavailable('store.unavailable'))
    throw error
  }
}

export const startProcess = (environment: Environment): Process => {
  const { agenda, dice, trace, processes } = environment
  const name = `p${processes.length + 1}`
  trace.note(`start ${name}`)
  const life = lifeOf(name, () => trace.note(`death ${name}`))
  const setAhead = { byMs: 0, untilMs: 0 }
  const pay = payments(portsOf(environment, life, setAhead))
  const { ports } = pay
  const worker = pay.worker({
    report: (error, at) => reported(environment, error, `${name} ${at}`),
    parts: [{ queues: (nudging) => environment.bank.queuesFor(nudging, pay.bank) }],
  })
  const process: Process = { life, ports, pay, keys: keysOf(ports, storedAnswer), worker, setAhead }
  processes.push(process)
  void begin(worker, () => agenda.wait(dice.between(100, 1_000)))
  return process
}

const begin = async ({ prepare, run }: PaymentsWorker, wait: () => Promise<void>): Promise<void> => {
  for (;;) {
    const failed = await prepare().then(
      () => null,
      (error: unknown) => error,
    )
    if (failed === null) break
    if (!(failed instanceof StoreUnavailable)) throw failed
    await wait()
  }
  await run()
}

const portsOf = (environment: Environment, life: Life, setAhead: Readonly<SetAhead>): PaymentsPorts => {
  const { agenda, dice, shownAhead, trace } = environment
  const skewMs = dice.between(-MOST_SKEW_MS, MOST_SKEW_MS)
  const aheadMs = (): number => (agenda.nowMs() < setAhead.untilMs ? setAhead.byMs : 0)
  const time = steadyTime(() => {
    const monotonicMs = agenda.nowMs()
    return { monotonicMs, wallMs: monotonicMs + skewMs + aheadMs() }
  })
  const store = storeLine(environment, life)
  const runtime = {
    store,
    ids: idPool(store),
    random: seededRandom(dice.below(2 ** 32)),
    clock: {
      ...time,
      now: () => {
        const shown = time.now()
        if (aheadMs() > 0) shownAhead.add(shown)
        return shown
      },
      wait: (milliseconds: number) => life.lives(agenda.wait(milliseconds)),
    },
  }
  return memoryPorts({
    ...runtime,
    bank: bankDoor(environment, life, environment.bank.bankFor(runtime)),
    acquirer: acquirerDoor(environment, life, environment.acquirer.acquirer, environment.acquirer.sent),
    cipher: plainCipher,
    hasher: cheapHasher().hasher,
    tokens: plainTokens,
    mailer: environment.mailbox.mailerFor(life),
    emailRenderer: { html: () => '' },
    qrRenderer: { qrPng: async () => new Uint8Array() },
    webhooks: environment.receivers.senderFor(life),
    log: {
      warn: (message) => trace.note(`warning ${life.name}: ${message}`),
      error: (message) => trace.note(`error ${life.name}: ${message}`),
    },
  })
}

/** Notes a report of the worker: any error except a failed store or mailer is broken. */
const reported = ({ trace, broken }: Ground, error: unknown, at: string): void => {
  trace.note(`report ${at}: ${error}`)
  const isExpected = error instanceof StoreUnavailable || error instanceof MailLost
  const isBusy = error instanceof Error && (OURS.has(error.message) || error.message.endsWith(UNTOLD))
  if (!isExpected && !isBusy) broken.push(`${at}: ${error}`)
}

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

type Notice = (pay: Payments) => ReturnType<BankNotifications['paid']>

/** Notifies the platform from outside: late, in any order, and until the notice is accepted. */
export interface Teller {
  tell(what: string, notice: Notice): Promise<void>
  /** Returns the number of notices not accepted yet. */
  untold(): number
}

export const tellerOf = (ground: Ground): Teller => {
  const { agenda, dice, trace } = ground
  let untold = 0
  return {
    untold: () => untold,
    async tell(what, notice) {
      untold += 1
      await agenda.wait(dice.pick([0, 0, 100, SECOND_MS, 60 * SECOND_MS, 3 * HOUR_MS]))
      for (;;) {
        const process = anyone(ground)
        const taken = process && (await ask(process, notice(process.pay)))
        if (taken && !isLeft(taken)) break
        if (taken && taken.left.tag !== 'unavailable') ground.broken.push(`${what} was refused: ${taken.left.code}`)
        await agenda.wait(dice.between(SECOND_MS, 60 * SECOND_MS))
      }
      trace.note(`told ${what}`)
      untold -= 1
    },
  }
}
