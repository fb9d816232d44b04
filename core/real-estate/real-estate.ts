import type { AnyCollection } from '../kernel/records/record.ts'
import { tracedPort, tracedStore } from '../kernel/running/tracing.ts'
import { keyChecks } from '../office/data-key-check.ts'
import { type Facade, facadeOf } from '../office/facade.ts'
import { keysPart } from '../office/idempotency-keys.ts'
import { type BusinessWorker, withWorker } from '../office/worker.ts'
import { file } from './files.ts'
import * as modules from './modules.ts'
import { events, jobs, notificationCounts, notifications, outbox, processes } from './office.ts'
import type { RealEstateModule, WorkerSetup, WorkingPart } from './real-estate-module.ts'
import type { RealEstatePorts } from './real-estate-ports.ts'
import { commissions } from './records/commission.ts'
import { contracts } from './records/contract.ts'
import { payments } from './records/payment.ts'
import { brokers, clients, companies, users } from './records/people.ts'
import { condominiums, properties } from './records/property.ts'
import { proposals } from './records/proposal.ts'
import { receiptEntries } from './records/receipt-entry.ts'
import { renameQueue, renameSubscriber, renames } from './records/renames.ts'
import { visits } from './records/visit.ts'

/** The worker of the real-estate business. */
export type RealEstateWorker = BusinessWorker

type UseCases = { readonly [K in keyof typeof modules]: ReturnType<(typeof modules)[K]['useCases']> }

/**
 * The real-estate business: its members, module by module, and its worker. Beside the listed codes, each member can
 * fail with `store.unavailable`, one that writes also with `store.busy` (try again later), and one that is called with
 * an idempotency key with `key.conflict`.
 */
export interface RealEstate extends Facade<UseCases, 'companyId'> {
  /** The collections with which the store is opened. */
  readonly collections: readonly AnyCollection[]
  /** The ports, for other work in the process: their commits wake the worker. */
  readonly ports: RealEstatePorts
  /** The worker of a process, which runs queues, jobs and event subscribers. */
  worker(setup?: WorkerSetup): RealEstateWorker
}

/** The collections of records to which several modules refer, and which belong to no module. */
const sharedCollections = [
  ...[companies, users, clients, brokers, condominiums, properties],
  ...[proposals, contracts, payments, receiptEntries, commissions, visits, file.collection],
]

/** Background work without members on the facade. */
const foundations: readonly WorkingPart[] = [
  { collections: [...sharedCollections, events, keyChecks] },
  {
    collections: [renames],
    subscribers: () => [renameSubscriber],
    queues: (ports) => [renameQueue(ports)],
  },
  { collections: [notifications, notificationCounts] },
  keysPart,
]

const facadeModules: readonly RealEstateModule[] = Object.values(modules)

export const parts: readonly WorkingPart[] = [...foundations, ...facadeModules]

/** The collections of the real-estate business, with which a store is opened. */
export const realEstateCollections: readonly AnyCollection[] = [
  ...parts.flatMap(({ collections = [] }) => collections),
  jobs,
  processes,
]

/** Adds a span to each call of the store and of outside services, if there is a tracer. */
const tracedPorts = (plain: RealEstatePorts): RealEstatePorts => {
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
 * Creates the real-estate business on its ports. A member returns a task that runs when it is called, and results in a
 * failure or a value: `await agency.clients.create(actor, input)()`. With a key, as in `agency.clients.create(actor,
 * input)({ key: 'lead-17' })`, a write happens once, however often it is repeated.
 */
export const realEstate = (plain: RealEstatePorts): RealEstate => {
  const { ports, worker } = withWorker({ jobs, processes, outbox }, parts, tracedPorts(plain))
  const useCases = Object.fromEntries(Object.entries(modules).map(([name, each]) => [name, each.useCases(ports)]))
  return {
    ...facadeOf('estate', ports, useCases as UseCases, 'companyId'),
    collections: realEstateCollections,
    ports,
    worker,
  }
}
