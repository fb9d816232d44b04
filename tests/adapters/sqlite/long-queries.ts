import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { eq, gte, insert } from '../../../core/kernel/records/record.ts'
import { groupOf } from '../../../core/ports/store.ts'
import { thing, thingCollections, things } from '../../fixtures/things.ts'

// Runs in its own process. `long-queries.ts path` writes, runs long queries, prints the results and does not close the
// store. `long-queries.ts path close` also closes it during further queries.
const store = await sqliteStore(process.argv[2] ?? '', thingCollections)
for (const start of [1, 1_001]) {
  await store.commit(Array.from({ length: 1_000 }, (_, index) => insert(things, thing(start + index, { size: index }))))
}
const grouped = await store.group(groupOf(things, { where: gte('size', 500), by: [], sum: [] }))
let scanned = 0
for await (const { size } of store.scan(things, eq('shopId', 'loja'))) scanned += size === null ? 0 : 1
console.log(JSON.stringify({ grouped: grouped[0]?.count, scanned }))
if (process.argv[3] === 'close') {
  const long = groupOf(things, { where: gte('size', 500), by: [], sum: [] })
  const pending = store.read(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}`, long])))
  await new Promise((resolve) => setImmediate(resolve))
  await store.close()
  await pending
}
