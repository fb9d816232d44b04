import { fakeAcquirer, fakeAcquirerConsole, fakeAcquirerQueues } from '../../../adapters/bank/fake/acquirer.ts'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { type Fault, fakeBankCollections } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole, type PayOrder } from '../../../adapters/bank/fake/console.ts'
import { fakeBankQueues } from '../../../adapters/bank/fake/notifications.ts'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Either, type Failure, isLeft, left, right } from '../../../core/failure.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import type { CardNotice } from '../../../core/ports/acquirer.ts'
import type { PaymentNotice, ReceivedPix } from '../../../core/ports/bank.ts'

export const NOW = '2026-11-23T13:05:09.123Z'

/** The answer of a platform whose store is busy: it is notified again. */
export const BUSY: Either<Failure, null> = left(unavailable('store.busy'))

/**
 * The fake bank and the fake acquirer with their consoles, and a platform that stores notices and answers by a script.
 */
export const openFakeBank = () => {
  const store = memoryStore(fakeBankCollections)
  const clock = setClock(NOW)
  const runtime = { store, clock, random: seededRandom(7), ids: idPool(store) }
  const script: Either<Failure, null>[] = []
  const storedIn =
    <T>(notices: T[]) =>
    (notice: T) =>
    async () => {
      notices.push(notice)
      return script.shift() ?? right(null)
    }
  const [paid, received, cancelled, decided]: [PaymentNotice[], ReceivedPix[], string[], CardNotice[]] = [
    [],
    [],
    [],
    [],
  ]
  const platform = {
    paid: storedIn(paid),
    received: storedIn(received),
    cancelled: storedIn(cancelled),
    decided: storedIn(decided),
    amountDue: () => async () => right(1_234),
  }
  const bankConsole = fakeBankConsole(runtime, platform)
  const { drain } = worker({
    runtime,
    queues: [...fakeBankQueues(runtime, platform), ...fakeAcquirerQueues(runtime, platform)],
    report: (error) => {
      throw error
    },
  })
  return {
    ...{ runtime, clock, script, paid, received, cancelled, decided, bankConsole },
    bank: fakeBank(runtime),
    acquirer: fakeAcquirer(runtime),
    acquirerConsole: fakeAcquirerConsole(runtime, platform),
    pay: (over: Partial<PayOrder> = {}) => bankConsole.pay({ txid: 'T1', ...over })(),
    fail: (id: Fault['id'], mode: Fault['mode'], times = 1) => bankConsole.fail({ id, mode, times })(),
    /** Runs the queues after each of these waits, and returns how many records each run handled. */
    async runAfter(...seconds: readonly number[]): Promise<readonly number[]> {
      const handled: number[] = []
      for (const each of seconds) {
        clock.advance(each)
        handled.push(await drain())
      }
      return handled
    },
  }
}

export const accepted = <A>(either: Either<Failure, A>): A => {
  if (isLeft(either)) throw new Error(either.left.code)
  return either.right
}

/** Each fault of the console, its answer, and whether the operation was executed. */
export const FAULTS = [
  ['refuse', 'refused', false],
  ['unavailable', 'unavailable', false],
  ['timeout', 'unknown', true],
  ['timeout_lost', 'unknown', false],
] as const
