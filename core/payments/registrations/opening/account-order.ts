import type { Bank } from '../../../ports/bank.ts'

/** The kind of the operations that open an account. */
export const OPEN_ACCOUNT = 'open-account'

/** What the bank is ordered: an account, by our own id of it. */
export type AccountOrder = Parameters<Bank['openAccount']>[0]

/** Asks for an account: asked again by the same id, the bank tells what it has opened. */
export const sendAccount =
  ({ bank }: { readonly bank: Bank }): Bank['openAccount'] =>
  (order) =>
    bank.openAccount(order)

/** How accounts are asked for: a lease is longer than one call's time-out. */
export const ACCOUNT_CALLS = { places: 4, leaseSeconds: 60, firstWaitSeconds: 2 } as const
