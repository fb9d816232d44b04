import type { Members } from '../office/facade.ts'
import type { Part, WorkerOptions } from '../office/worker.ts'
import type { Event } from './office.ts'
import type { RealEstatePorts } from './real-estate-ports.ts'

/** The collections of a module and its background work. */
export type WorkingPart = Part<RealEstatePorts, Event>

/** The options of the worker. */
export type WorkerSetup = WorkerOptions<RealEstatePorts, Event>

/** A module with members on the facade. */
export interface RealEstateModule extends WorkingPart {
  /** The members of the facade, bound to ports once. */
  readonly useCases: (ports: RealEstatePorts) => Members
}
