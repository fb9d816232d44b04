import type { AnyCollection } from '../kernel/records/collection.ts'
import type { JobRow } from '../kernel/running/job.ts'
import type { Queue } from '../kernel/running/queue.ts'
import type { Sweep } from '../kernel/running/sweep.ts'
import type { Members } from '../office/keys/facade.ts'
import type { Subscriber } from './office/events.ts'
import type { PaymentsPorts } from './payments-ports.ts'

/** What the worker runs of a room, and what a store has to hold for it. */
export interface WorkingPart {
  readonly collections?: readonly AnyCollection[]
  /** What of its records runs out. */
  readonly sweeps?: readonly Sweep[]
  /** Made with ports whose commits nudge the worker, as what follows. */
  readonly queues?: (ports: PaymentsPorts) => readonly Queue[]
  readonly jobs?: (ports: PaymentsPorts) => readonly JobRow[]
  /** What it makes of events. */
  readonly subscribers?: (ports: PaymentsPorts) => readonly Subscriber[]
}

/** A room that does something for the business: all that others need to run it. */
export interface PaymentsModule extends WorkingPart {
  /** The members of the facade, bound to ports once. */
  readonly useCases: (ports: PaymentsPorts) => Members
}
