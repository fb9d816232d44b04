import type { AnyCollection } from '../kernel/records/collection.ts'
import { tracedPort, tracedStore } from '../kernel/running/tracing.ts'
import { type Facade, facadeOf } from '../office/facade.ts'
import { type BusinessWorker, withWorker } from '../office/worker.ts'
import * as modules from './modules.ts'
import { outbox } from './office/events.ts'
import { jobs, processes } from './office/jobs.ts'
import { parts } from './parts.ts'
import type { WorkerSetup } from './real-estate-module.ts'
import type { RealEstatePorts } from './real-estate-ports.ts'

/** The background of the real-estate business. */
export type RealEstateWorker = BusinessWorker

type UseCases = { readonly [K in keyof typeof modules]: ReturnType<(typeof modules)[K]['useCases']> }

/**
 * The real-estate business: what it does, module by module, and what whoever runs it needs. Beside what is said of a member
 * each can fail with `store.unavailable`, and one that writes with `store.busy` (try again later) and, where a server keeps
 * keys of its own, with `key.conflict`.
 */
export interface RealEstate extends Facade<UseCases, 'companyId'> {
  /** Everything that it keeps: a store is opened with these. */
  readonly collections: readonly AnyCollection[]
  /** Its ports, for what else works in the process: their commits nudge the worker. */
  readonly ports: RealEstatePorts
  /** The one worker of a process: notifies, mirrors, checks and bills. */
  worker(setup?: WorkerSetup): RealEstateWorker
}

/** Everything that the real-estate business keeps: a store is opened with this table. */
export const realEstateCollections: readonly AnyCollection[] = [
  ...parts.flatMap(({ collections = [] }) => collections),
  jobs,
  processes,
]

/** The ports with a span for each call to the store, the issuer of charges, the mirror or a mail server, if there is a tracer. */
const traced = (plain: RealEstatePorts): RealEstatePorts => {
  const { tracer, store, charging, mirror, mail } = plain
  if (!tracer) return plain
  return {
    ...plain,
    store: tracedStore(store, tracer),
    ...(charging && { charging: tracedPort(charging, 'charging', tracer) }),
    ...(mirror && { mirror: tracedPort(mirror, 'mirror', tracer) }),
    ...(mail && { mail: { ...mail, mailer: tracedPort(mail.mailer, 'mailer', tracer) } }),
  }
}

/**
 * The real-estate business, bound to its ports once. What a member gives is a task: nothing happens before it is called, and
 * it answers a failure or a value: `await agency.clients.create(actor, input)()`. Called with a key, as in
 * `agency.clients.create(actor, input)({ key: 'lead-17' })`, what writes for somebody is done once, however often it is asked.
 */
export const realEstate = (plain: RealEstatePorts): RealEstate => {
  const { ports, worker } = withWorker({ jobs, processes, outbox }, parts, traced(plain))
  const useCases = Object.fromEntries(Object.entries(modules).map(([name, each]) => [name, each.useCases(ports)]))
  return {
    ...facadeOf('estate', ports, useCases as UseCases, 'companyId'),
    collections: realEstateCollections,
    ports,
    worker,
  }
}
