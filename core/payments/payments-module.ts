import type { Members } from '../office/facade.ts'
import type { Part, WorkerOptions } from '../office/worker.ts'
import type { AnyOperations } from './bank/resume-operation.ts'
import type { Event } from './office/events.ts'
import type { PaymentsPorts } from './payments-ports.ts'

/** What the worker runs of a room, and what a store has to hold for it. */
export interface WorkingPart extends Part<PaymentsPorts, Event> {
  /** What it asks of the bank, kind by kind. */
  readonly operations?: (ports: PaymentsPorts) => readonly AnyOperations[]
}

/** How the worker of the payments business is set up. */
export type WorkerSetup = WorkerOptions<PaymentsPorts, Event>

/** A room that does something for the business: all that others need to run it. */
export interface PaymentsModule extends WorkingPart {
  /** The members of the facade, bound to ports once. */
  readonly useCases: (ports: PaymentsPorts) => Members
}
