import type { AnyCollection } from '../kernel/records/collection.ts'
import { always } from '../kernel/records/where.ts'
import { sweepOf } from '../kernel/running/jobs.ts'
import { tracedPort, tracedSender, tracedStore } from '../kernel/running/tracing.ts'
import { keyChecks } from '../office/data-key-check.ts'
import { type Facade, facadeOf } from '../office/facade.ts'
import { keysPart } from '../office/idempotency-keys.ts'
import { type BusinessWorker, withWorker } from '../office/worker.ts'
import type { Cipher } from '../ports/runtime.ts'
import { listOf, type Store } from '../ports/store.ts'
import { accounts } from './accounts/account.ts'
import { webhookSecretOf } from './accounts/account-secrets.ts'
import { bankOperations } from './bank/operation.ts'
import { operationQueues, retryAtStart } from './bank/run-operation.ts'
import { claimSteps, claims } from './claim.ts'
import { entries, journals, ledgerAccounts } from './ledger/ledger.ts'
import { mailQueues } from './mail.ts'
import * as modules from './modules.ts'
import { audit, events, images, jobs, mails, outbox, processes, shortMessages, templateOf } from './office.ts'
import type { PaymentsModule, PaymentsPart, PaymentsPorts, WorkerSetup } from './payments-ports.ts'
import { nfcHasher } from './secret-hashing.ts'

const operationsOf = (ports: PaymentsPorts) => parts.flatMap(({ operations }) => operations?.(ports) ?? [])

/** What the modules rest on, and nobody calls. */
const foundations: readonly PaymentsPart[] = [
  { collections: [claims, ledgerAccounts, entries, journals, events, keyChecks], migrations: () => claimSteps },
  keysPart,
  audit.part,
  { collections: [mails], sweeps: [sweepOf(mails)], queues: mailQueues },
  shortMessages.part,
  images.part,
  {
    collections: [bankOperations],
    sweeps: [sweepOf(bankOperations)],
    queues: (ports) => operationQueues(operationsOf(ports)),
    atStart: (ports) => retryAtStart(ports, operationsOf(ports)),
  },
]

const ofTheFacade: readonly PaymentsModule[] = Object.values(modules)

/** All that a store has to hold and a worker to run. */
export const parts: readonly PaymentsPart[] = [...foundations, ...ofTheFacade]

/** The background of the payments business. */
export type PaymentsWorker = BusinessWorker

type UseCases = { readonly [K in keyof typeof modules]: ReturnType<(typeof modules)[K]['useCases']> }

/**
 * The payments business: what it does, module by module, and what whoever runs it needs. Beside what is said of a member each
 * can fail with `store.unavailable`, and one that writes with `store.busy` (try again later) and, where a server keeps keys
 * of its own, with `key.conflict`.
 */
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
  processes,
]

/** The ports with a span for each call to the store, the bank, the acquirer, a receiver or a mail server, if there is a tracer. */
const traced = (plain: PaymentsPorts): PaymentsPorts => {
  const { tracer, store, bank, acquirer, webhooks, mailer, tenantMailer, messenger } = plain
  if (!tracer) return plain
  const { refunds, movements, payOuts } = bank
  return {
    ...plain,
    store: tracedStore(store, tracer),
    bank: {
      ...tracedPort(bank, 'bank', tracer),
      ...(refunds && { refunds: tracedPort(refunds, 'bank', tracer) }),
      ...(movements && { movements: tracedPort(movements, 'bank', tracer) }),
      ...(payOuts && { payOuts: tracedPort(payOuts, 'bank', tracer) }),
    },
    acquirer: acquirer && tracedPort(acquirer, 'acquirer', tracer),
    webhooks: tracedSender(webhooks, tracer),
    mailer: tracedPort(mailer, 'mailer', tracer),
    tenantMailer: tracedPort(tenantMailer, 'tenantMailer', tracer),
    messenger: tracedPort(messenger, 'messenger', tracer),
  }
}

/**
 * The payments business, bound to its ports once. What a member gives is a task: nothing happens before it is called,
 * and it answers a failure or a value: `await pay.charges.issue(actor, input)()`. Called with a key, as in
 * `pay.charges.issue(actor, input)({ key: 'order-17' })`, what writes for somebody is done once, however often it is asked.
 */
export const payments = (plain: PaymentsPorts): Payments => {
  const given = { ...traced(plain), hasher: nfcHasher(plain.hasher) }
  const { ports, worker } = withWorker({ jobs, processes, outbox }, parts, given)
  const useCases = Object.fromEntries(Object.entries(modules).map(([name, each]) => [name, each.useCases(ports)]))
  return {
    ...facadeOf('payments', ports, useCases as UseCases),
    collections: paymentsCollections,
    ports,
    worker,
  }
}

/** Whether a cipher opens what was sealed last of what payments keep; null where nothing is. */
export const opensSealed = async (store: Store, cipher: Cipher): Promise<boolean | null> => {
  const newest = { where: always, sort: { by: 'id', dir: 'desc' }, limit: 1 } as const
  const [account] = (await store.list(listOf(accounts, newest))).records
  if (account) return opens(() => webhookSecretOf(cipher, account))
  // Who has no account yet has been written to.
  const [mail] = (await store.list(listOf(mails, newest))).records
  return mail ? opens(() => templateOf(cipher, mail)) : null
}

const opens = (open: () => unknown): boolean => {
  try {
    open()
    return true
  } catch {
    return false
  }
}
