import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { patch } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { notifications } from '../../../core/real-estate/office.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { fillAgency, idOf } from '../../bench/agency/history.ts'
import { printed } from '../host/printed.ts'
import { isOfAgency } from '../releases/sound.ts'

const collections = collectionsOf([payments, realEstate])
/** By table and name of its collection. */
const TALLIES = realEstate.collections
  .filter(({ name }) => isOfAgency(name))
  .flatMap(({ name, tallies = [] }) =>
    tallies.map((row, number) => ({ name, row, table: `"${name}_tally_${number}"` })),
  )

/** A store in which an agency has some of everything, and a connection beside it. */
const openAgency = async (t: ExecutionContext) => {
  const { path, remove } = await someFile()
  const store = await sqliteStore(path, collections)
  await fillAgency(store, 20)
  // Of all that somebody was told something is unread.
  await store.commit([patch(notifications, idOf('other', 1), { set: { readAt: null }, when: always })])
  const database = await openDatabase(path)
  t.teardown(async () => {
    database.close()
    await store.close()
    await remove()
  })
  return {
    path,
    async alter(sql: string): Promise<void> {
      database.prepare(sql).run()
      // The store reads at one instant until the turn of the loop is over.
      await new Promise((resolve) => setImmediate(resolve))
    },
    async faults(): Promise<readonly string[]> {
      return (await verifyTallies(store, realEstate.collections)).faults
    },
  }
}

test('each tally of an agency that counts otherwise than its records are is found and named', async (t) => {
  const { alter, faults } = await openAgency(t)
  t.deepEqual(await faults(), [])
  t.true(TALLIES.length > 20)
  for (const { name, row, table } of TALLIES) {
    const what = `${name} by ${row.by.join(', ')}`
    await alter(`UPDATE ${table} SET count = count + 1`)
    const found = await faults()
    t.true(found.length > 0 && found.every((fault) => fault.startsWith(`${name} `)), `${what}: ${found}`)
    await alter(`UPDATE ${table} SET count = count - 1`)
    for (const field of row.sum) {
      await alter(`UPDATE ${table} SET s_${field} = s_${field} - 1`)
      t.true(
        (await faults()).some((fault) => fault.startsWith(`${name} `) && fault.includes(field)),
        what,
      )
      await alter(`UPDATE ${table} SET s_${field} = s_${field} + 1`)
    }
  }
  t.deepEqual(await faults(), [])
})

test('npm run audit proves the tallies of an agency, too', async (t) => {
  const { path, alter } = await openAgency(t)
  t.is((await printed(['audit'], `sqlite:${path}`)).code, 0)
  await alter(`UPDATE "estate.files_tally_0" SET count = count + 1 WHERE b_contentType = 'image/png'`)
  const { code, out } = await printed(['audit'], `sqlite:${path}`)
  t.is(code, 1)
  t.regex(out.join('\n'), /^ {2}estate\.files .*: the tally says \d+, the records \d+$/m)
})
