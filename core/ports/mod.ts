/**
 * The ports, for writing your own adapter. Stores and files reject with `StoreUnavailable` if they cannot be reached.
 */

export * from './acquirer.ts'
export * from './bank.ts'
export * from './charging.ts'
export * from './documents.ts'
export * from './files.ts'
export * from './identity.ts'
export * from './messaging.ts'
export * from './passkeys.ts'
export * from './price-indexes.ts'
export * from './runtime.ts'
export * from './sheets.ts'
export { StoreUnavailable, StoreUnwritable } from './store.ts'
export * from './tracer.ts'
