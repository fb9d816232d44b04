/**
 * A bank with no outside system, for development and tests: no real money moves. Its books are records of the store it runs
 * on (`fakeBankCollections`), the worker tells the platform what it has not heard yet (`fakeBankPart`), and at its console a
 * title is paid or cancelled and a fault ordered.
 *
 * ```ts
 * const pay = payments(await nodePorts({ store, bank: fakeBank, dataDir: './data', publicUrl: 'http://localhost' }))
 * const worker = pay.worker({ parts: [fakeBankPart(pay.bank)] })
 * await fakeBankConsole(pay.ports, pay.bank).pay({ txid: charge.txid })()
 * ```
 */
export { type Fault, fakeBankCollections } from './books.ts'
export { type FakeBankConsole, fakeBankConsole, type PayOrder } from './console.ts'
export { fakeBank } from './fake-bank.ts'
export { fakeBankPart } from './fake-bank-queue.ts'
export type { Heard, Paid } from './teller.ts'
