import { sheetWriter } from '../../adapters/sheets/sheet-writer.ts'
import { openStore } from '../../apps/host/open-store.ts'
import { sheetOf } from '../../core/payments/exports/document.ts'
import { entriesOf } from '../../core/payments/exports/selection.ts'
import { paymentsCollections } from '../../core/payments/payments.ts'
import { GROWING, historyOf, MANY } from './lists/history.ts'
const store = await openStore(`sqlite:${await historyOf(MANY)}`, paymentsCollections)
const N = 300_000
const all = { accountId: GROWING, fromDay: null, toDay: null, typeIds: null, search: null, status: null, afterSeq: 0, lastSeq: N, byDay: false, total: N }
const t0 = performance.now(); let r = 0
for await (const b of entriesOf(store, all)) r += b.length
const t1 = performance.now()
for await (const b of sheetOf(entriesOf(store, all)).rows) r += b.length
const t2 = performance.now()
let bytes = 0
for await (const c of sheetWriter.csv(sheetOf(entriesOf(store, all)))) bytes += c.length
const t3 = performance.now()
console.log('read', (t1 - t0) / N * 1e3, 'us; +cells', (t2 - t1) / N * 1e3, '; +csv', (t3 - t2) / N * 1e3, bytes)
await store.close()
