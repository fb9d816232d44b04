import { fakeBankCollections } from '../../../adapters/bank/fake/books.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { type FaultOf, memoryStore } from '../../../adapters/memory/memory-store.ts'
import { webhookSecretOf } from '../../../core/payments/accounts/account.ts'
import { jobs } from '../../../core/payments/office.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import type { Store } from '../../../core/ports/store.ts'
import { type AcquirerSide, outsideAcquirer } from './acquirer.ts'
import { type Agenda, agendaOf, type Trace, traceOf } from './agenda.ts'
import { type BankSide, embeddedBank, outsideBank } from './banks.ts'
import { CALM, commitFault, type Dice, diceOf, type Weather } from './chance.ts'
import { plainCipher } from './crypto.ts'
import type { AskedOutside } from './doors.ts'
import type { Life } from './life.ts'
import type { Process } from './process.ts'
import { type Mailbox, mailboxOf, type Receivers, receiversOf } from './receivers.ts'
import { type Snapshot, snapshots, storeOutside } from './store.ts'
import { type Watch, watchOf } from './watch.ts'

const START_MS = Date.parse('2026-11-21T13:05:09.123Z')

/** A death of a process before an effect, or after it and before the process receives its result. */
export type Fate = 'before' | 'after' | null

/** The state shared by all parts of a simulation. */
export interface Ground {
  readonly dice: Dice
  readonly agenda: Agenda
  readonly trace: Trace
  /** The store of all processes. */
  readonly store: Store
  readonly watch: Watch
  readonly weather: { now: Weather }
  readonly fates: { of: (life: Life, point: string) => Fate }
  /** All processes started, dead ones included. */
  readonly processes: Process[]
  /** Instants that a clock returned while it was set ahead: they are not compared with other times. */
  readonly shownAhead: Set<string>
  /** Violations noted while acts ran. */
  readonly broken: string[]
  readonly asked: AskedOutside
}

export interface Environment extends Ground {
  readonly bank: BankSide
  readonly acquirer: AcquirerSide
  readonly receivers: Receivers
  readonly mailbox: Mailbox
  snapshot(): Promise<Snapshot>
}

export const COLLECTIONS = [...paymentsCollections, ...fakeBankCollections]

/** Builds the environment of a seed without actors, on a store in memory or on the given empty store. */
export const environmentOf = (seed: number, outside: Store | null = null): Environment => {
  const dice = diceOf(seededRandom(seed))
  let isAsked = (): boolean => false
  const agenda = agendaOf(START_MS, () => isAsked())
  const trace = traceOf(agenda.nowMs, START_MS)
  const weather = { now: CALM }
  const broken: string[] = []
  const fault: FaultOf = (changes) => {
    // A job whose insert failed is inserted only by the next start: no faults here.
    const isStart = changes.some(({ kind, at }) => kind === 'insert' && at[0] === jobs.name)
    const befalls = isStart ? null : commitFault(dice, weather.now)
    if (befalls) trace.note(`fault ${befalls}`)
    return befalls
  }
  const real = outside && storeOutside(outside, fault)
  if (real) isAsked = real.isAsked
  const store = real?.store ?? memoryStore(COLLECTIONS, { fault })
  const shownAhead = new Set<string>()
  const watch = watchOf(store, shownAhead, broken)
  const ground: Ground = {
    dice,
    agenda,
    trace,
    store,
    watch,
    weather,
    fates: { of: () => (dice.chance(weather.now.death) ? dice.pick(['before', 'after'] as const) : null) },
    processes: [],
    shownAhead,
    broken,
    asked: { handed: new Set(), refused: new Set(), polls: new Map() },
  }
  const receivers = receiversOf(ground)
  const snapshot = snapshots(store, watch.dirty)
  receivers.secrets = async () => (await snapshot()).accounts.map((account) => webhookSecretOf(plainCipher, account))
  return {
    ...ground,
    bank: dice.chance(0.4) ? outsideBank(ground) : embeddedBank(ground),
    acquirer: outsideAcquirer(ground),
    receivers,
    mailbox: mailboxOf(ground),
    snapshot,
  }
}
