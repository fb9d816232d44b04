import type { AnyCollection } from '../kernel/records/collection.ts'
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
import { visits } from './records/visit.ts'
import { renameQueue, renameSubscriber, renames } from './renames.ts'

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

/** What is kept of the business itself: rooms refer to each other's records, and so none of them has its own. */
const records = [
  ...[companies, users, clients, brokers, condominiums, properties],
  ...[proposals, contracts, payments, commissions, visits, file.collection],
]

/** What the modules rest on, and nobody calls. */
const foundations: readonly WorkingPart[] = [
  { collections: [...records, events, keyChecks] },
  {
    collections: [renames],
    subscribers: () => [renameSubscriber],
    queues: (ports) => [renameQueue(ports)],
  },
  { collections: [notifications, notificationCounts] },
  keysPart,
]

const ofTheFacade: readonly RealEstateModule[] = Object.values(modules)

/** All that a store has to hold and a worker to run. */
export const parts: readonly WorkingPart[] = [...foundations, ...ofTheFacade]

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
