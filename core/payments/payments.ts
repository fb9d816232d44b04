import { type AnyCollection, all, always, eq, gt, patch } from '../kernel/records/record.ts'
import { sweepOf } from '../kernel/running/jobs.ts'
import { WAITING } from '../kernel/running/queue.ts'
import { slicesOf } from '../kernel/running/slices.ts'
import { tracedPort, tracedSender, tracedStore } from '../kernel/running/tracing.ts'
import type { Runtime } from '../kernel/running/use-case.ts'
import { keyChecks } from '../office/data-key-check.ts'
import { type Facade, facadeOf } from '../office/facade.ts'
import { keysPart } from '../office/idempotency-keys.ts'
import { type BusinessWorker, withWorker } from '../office/worker.ts'
import type { Cipher } from '../ports/runtime.ts'
import { listOf, type Store } from '../ports/store.ts'
import { accounts, webhookSecretOf } from './accounts/account.ts'
import { bankOperations } from './bank/operation.ts'
import { operationQueues } from './bank/run-operation.ts'
import { claims } from './claim.ts'
import { events, outbox } from './events.ts'
import { entries, journals, ledgerAccounts } from './ledger/ledger.ts'
import { mailQueues } from './mail.ts'
import * as modules from './modules.ts'
import { audit, images, jobs, mails, processes, shortMessages, templateOf } from './office.ts'
import type { AnyOperations, PaymentsModule, PaymentsPart, PaymentsPorts, WorkerSetup } from './payments-ports.ts'
import { nfcHasher } from './secret-hashing.ts'

const operationsOf = (ports: PaymentsPorts) => parts.flatMap(({ operations }) => operations?.(ports) ?? [])

/** The parts without use cases. */
const foundations: readonly PaymentsPart[] = [
  { collections: [claims, ledgerAccounts, entries, journals, events, keyChecks] },
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

export const parts: readonly PaymentsPart[] = [...foundations, ...ofTheFacade]

/** The background of the payments business. */
export type PaymentsWorker = BusinessWorker

type UseCases = { readonly [K in keyof typeof modules]: ReturnType<(typeof modules)[K]['useCases']> }

/**
 * The payments business: its use cases by module, its collections and its worker. In addition to its documented
 * failures, every member can fail with `store.unavailable`, and one that writes with `store.busy` (retry later) and, if
 * the server stores idempotency keys itself, with `key.conflict`.
 */
export interface Payments extends Facade<UseCases> {
  /** The collections with which a store is opened. */
  readonly collections: readonly AnyCollection[]
  /** The ports for other work in this process: commits through them wake the worker. */
  readonly ports: PaymentsPorts
  /**
   * Creates the worker, one a process. It delivers events, sends mails, expires records and resumes bank operations.
   */
  worker(setup?: WorkerSetup): PaymentsWorker
}

/** The collections of the payments business, with which a store is opened. */
export const paymentsCollections: readonly AnyCollection[] = [
  ...parts.flatMap(({ collections = [] }) => collections),
  jobs,
  processes,
]

/** Adds a span to each call of the store, bank, acquirer, webhook receivers and mail servers, if there is a tracer. */
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
 * Creates the payments business on its ports. A member returns a task, which runs when it is called and resolves to a
 * failure or a value: `await pay.charges.issue(actor, input)()`. Called with an idempotency key, as in
 * `pay.charges.issue(actor, input)({ key: 'order-17' })`, a member that writes is executed once per key.
 */
export const payments = (plain: PaymentsPorts): Payments => {
  const tracedPorts = { ...traced(plain), hasher: nfcHasher(plain.hasher) }
  const { ports, worker } = withWorker({ jobs, processes, outbox }, parts, tracedPorts)
  const useCases = Object.fromEntries(Object.entries(modules).map(([name, each]) => [name, each.useCases(ports)]))
  return { ...facadeOf('payments', ports, useCases as UseCases), collections: paymentsCollections, ports, worker }
}

/** Reports whether a cipher opens the newest sealed value of the store; null if there is none. */
export const opensSealed = async (store: Store, cipher: Cipher): Promise<boolean | null> => {
  const newest = { where: always, sort: { by: 'id', dir: 'desc' }, limit: 1 } as const
  const [account] = (await store.list(listOf(accounts, newest))).records
  if (account) return opens(() => webhookSecretOf(cipher, account))
  // Before the first account there are only mails.
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

/**
 * Makes every waiting operation that is sent once due at the start of a process, since the process that leased it may
 * be dead. An early check is harmless.
 */
const retryAtStart = async (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  kinds: readonly AnyOperations[],
): Promise<void> => {
  const steady = clock.steady()
  for (const { kind } of kinds.filter(({ isSentOnce }) => isSentOnce)) {
    const where = all(eq('kind', kind), gt('dueAt', steady))
    for await (const slice of slicesOf(store, { from: bankOperations, where, when: WAITING, sort: 'dueAt' }))
      for (const { id, dueAt } of slice)
        await store.commit([patch(bankOperations, id, { set: { dueAt: steady }, when: eq('dueAt', dueAt) })])
  }
}
