/**
 * A bank and an acquirer of cards with no outside system, for development and tests: no real money moves. Its books are records of the store it runs
 * on (`fakeBankCollections`), the worker tells the platform what it has not heard yet (`fakeBankPart`), and at its console a
 * title is paid or cancelled and a fault ordered. The acquirer's books are kept among the bank's; `fakeAcquirerPart` tells what was
 * decided later, at the console of `fakeAcquirerConsole`.
 *
 * ```ts
 * const pay = payments(await nodePorts({ store, bank: fakeBank, acquirer: fakeAcquirer, dataDir: './data', publicUrl: 'http://localhost' }))
 * const worker = pay.worker({ parts: [fakeBankPart(pay.bank), fakeAcquirerPart(pay.cards)] })
 * await fakeBankConsole(pay.ports, pay.bank).pay({ txid: charge.txid })()
 * ```
 */
export {
  type CardOutcome,
  type FakeAcquirerConsole,
  fakeAcquirer,
  fakeAcquirerConsole,
  fakeAcquirerPart,
} from './acquirer.ts'
export { fakeBank } from './bank.ts'
export { type Fault, fakeBankCollections } from './books.ts'
export { type FakeBankConsole, fakeBankConsole, type PayOrder } from './console.ts'
export type { NoticeResult as Heard, NotifiedPayment as Paid } from './notifications.ts'
export { fakeBankPart } from './notifications.ts'
