/**
 * The only public door of the core.
 *
 * ```ts
 * const pay = payments(ports)
 * const charge = await pay.charges.issue(actor, input)()
 * // Done once, however often it is asked: the first charge comes again.
 * const order = await pay.charges.issue(actor, input)({ key: 'order-17' })
 * ```
 */

export type { CodesOf, Failure, Issue, IssueCodesOf } from './failure.ts'
export { type Either, isLeft, isRight } from './fp.ts'
export type { AnyCollection } from './kernel/records/collection.ts'
export { idPool } from './kernel/running/fresh/ids.ts'
export type { KeyHooks, RunnerCode, Runtime, UseCase } from './kernel/running/use-case.ts'
export type { IdempotencyKey, KeyedUseCase } from './office/keys/facade.ts'
export type { KeyCode } from './office/keys/keys.ts'
export { type Payments, payments, paymentsCollections } from './payments/payments.ts'
export type { PaymentsModule, WorkingPart } from './payments/payments-module.ts'
export type { PaymentsPorts, PaymentsSettings } from './payments/payments-ports.ts'
export type { PaymentsWorker, WorkerSetup } from './payments/worker.ts'
export type { Bank, PaymentNotice } from './ports/bank.ts'
export type { Clock } from './ports/clock.ts'
export type { Store } from './ports/store.ts'
