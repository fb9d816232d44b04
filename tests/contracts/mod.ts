/**
 * Contract tests for your own adapters: the rules of the ports, as async functions for any test runner.
 *
 * ```ts
 * import test from 'node:test'
 * import { bankContract } from 'portico/contracts'
 *
 * for (const { name, run } of bankContract({ open })) test(name, run)
 * ```
 *
 * Only the suite of stores has a dependency: `fast-check`.
 */
export { type BankContract, bankContract } from './bank.ts'
export type { OpenedBank } from './bank-money-out.ts'
export type { ContractCase } from './contract.ts'
export { type FilesContract, filesContract, type OpenedFiles } from './files.ts'
export { type MailerContract, mailerContract, type OpenedMailer, type ReceivedMail } from './mailer.ts'
export { type OpenedStore, type StoreContract, storeContract } from './store/store-contract.ts'
