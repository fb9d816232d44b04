/**
 * What the ports promise, as plain async functions: for an adapter of one's own, under any test runner.
 *
 * ```ts
 * import test from 'node:test'
 * import { bankContract } from 'portico/contracts'
 *
 * for (const { name, run } of bankContract({ open })) test(name, run)
 * ```
 *
 * The suite of stores needs `fast-check`; the others need nothing.
 */
export { type BankContract, bankContract } from './bank.ts'
export type { OpenedBank } from './bank-money-out.ts'
export type { ContractCase } from './contract.ts'
export { type FilesContract, filesContract, type OpenedFiles } from './files.ts'
export { type MailerContract, mailerContract, type OpenedMailer, type ReceivedMail } from './mailer.ts'
export { type OpenedStore, type StoreContract, storeContract } from './store/store-contract.ts'
