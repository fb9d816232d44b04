import type { Members } from '../office/facade.ts'
import type { Part, WorkerOptions } from '../office/worker.ts'
import type { Event } from './office.ts'
import type { RealEstatePorts } from './real-estate-ports.ts'

/** What the worker runs of a room, and what a store has to hold for it. */
export type WorkingPart = Part<RealEstatePorts, Event>

/** How the worker of the real-estate business is set up. */
export type WorkerSetup = WorkerOptions<RealEstatePorts, Event>

/** A room that does something for the business: all that others need to run it. */
export interface RealEstateModule extends WorkingPart {
  /** The members of the facade, bound to ports once. */
  readonly useCases: (ports: RealEstatePorts) => Members
}
