import type { AnyCollection } from '../kernel/records/collection.ts'
import { nudging } from '../kernel/running/worker.ts'
import { type Facade, facadeOf } from '../office/keys/facade.ts'
import { jobs } from './jobs.ts'
import * as modules from './modules.ts'
import { parts } from './parts.ts'
import type { PaymentsPorts } from './payments-ports.ts'
import { type PaymentsWorker, paymentsWorker, type WorkerSetup } from './worker.ts'

type UseCases = { readonly [K in keyof typeof modules]: ReturnType<(typeof modules)[K]['useCases']> }

/** The payments business: what it does, module by module, and what whoever runs it needs. */
export interface Payments extends Facade<UseCases> {
  /** Everything that it keeps: a store is opened with these. */
  readonly collections: readonly AnyCollection[]
  /** Its ports, for what else works in the process: their commits nudge the worker. */
  readonly ports: PaymentsPorts
  /** The one worker of a process: delivers, mails, expires and resumes. */
  worker(setup?: WorkerSetup): PaymentsWorker
}

/** Everything that the payments business keeps: a store is opened with this table. */
export const paymentsCollections: readonly AnyCollection[] = [
  ...parts.flatMap(({ collections = [] }) => collections),
  jobs,
]

/**
 * The payments business, bound to its ports once. What a member gives is a task: nothing happens before it is called,
 * and it answers a failure or a value: `await pay.charges.issue(actor, input)()`. Called with a key, as in
 * `pay.charges.issue(actor, input)({ key: 'order-17' })`, what writes for somebody is done once, however often it is asked.
 */
export const payments = (plain: PaymentsPorts): Payments => {
  let nudge = (_queue?: string): void => {}
  const ports = { ...plain, store: nudging(plain.store, { nudge: (queue) => nudge(queue) }) }
  const useCases = Object.fromEntries(Object.entries(modules).map(([name, each]) => [name, each.useCases(ports)]))
  return {
    ...facadeOf('payments', ports, useCases as UseCases),
    collections: paymentsCollections,
    ports,
    worker(setup = {}) {
      const own = paymentsWorker(plain, ports, parts, setup)
      nudge = own.nudge
      return own
    },
  }
}
