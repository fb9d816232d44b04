/**
 * A bank and a card acquirer without an outside system, for development and tests: no real money moves. Their books are
 * records of the store (`fakeBankCollections`). At their consoles a title is paid or cancelled, a pending card is
 * decided, and a fault is ordered. The worker repeats notifications that the platform has not accepted yet
 * (`fakeBankPart`, `fakeAcquirerPart`).
 *
 * ```ts
 * const place = { dataDir: './data', publicUrl: 'http://localhost' }
 * const pay = payments(await nodePorts({ ...place, store, bank: fakeBank, acquirer: fakeAcquirer }))
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
export { fakeBankPart, type NoticeResult, type NotifiedPayment } from './notifications.ts'
