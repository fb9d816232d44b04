import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { namedFields, shapeOf } from '../../../adapters/sqlite/schema.ts'
import { apiClient } from '../../../apps/demo/demo.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { rates } from '../rates.ts'
import type { Figure } from '../table.ts'
import { closedLoad } from './load.ts'
import { databaseIn, rested, type Server, startApp } from './servers.ts'
import { inDirectory, issueMany, merchant, ourSide } from './stage.ts'

const TURNS = { rounds: 5, roundMs: 1_000 }
const FEW = 1_000
const COPIES = 1_000

/** A page of 15 with its total, of a thousand charges and of a million. */
export const pageFigure = (): Promise<Figure> =>
  inDirectory((directory) =>
    inDirectory(async (other) => {
      const few = await issued(directory, 1)
      const many = await issued(other, COPIES)
      const [small, large] = [ourSide(few.server, few.token), ourSide(many.server, many.token)]
      const taken = await rates(closedLoad(few.server.url, small.list), closedLoad(many.server.url, large.list), TURNS)
      await few.server.stop()
      await many.server.stop()
      return {
        name: 'page of 15 with its total, of 1,000,000 charges',
        unit: 'ms',
        ours: 1_000 / taken.floor,
        floor: 1_000 / taken.ours,
        of: 'the same of 1,000',
        aim: { atMost: 1.3 },
      }
    }),
  )

/** An app whose merchant has issued a thousand charges, and as many copies of each as are asked for. */
const issued = async (
  directory: string,
  copies: number,
): Promise<{ readonly server: Server; readonly token: string }> => {
  const app = await startApp(directory)
  const token = await merchant(app.url)
  await issueMany(app.url, token, FEW)
  await rested(app)
  if (copies === 1) return { server: app, token }
  await app.stop()
  await multiply(databaseIn(directory), copies)
  const again = await startApp(directory)
  const { meta } = await apiClient(again.url)<{ meta: { total: number } }>('/invoices', { token })
  if (meta.total !== FEW * copies) throw new Error(`${meta.total} charges and not ${FEW * copies}`)
  return { server: again, token }
}

/** Quick, and nothing that is to last. */
const PRAGMAS = ['journal_mode=OFF', 'synchronous=OFF', 'temp_store=MEMORY', 'cache_size=-262144']

/**
 * Makes of every charge so many, an hour apart from each other, in the columns, indexes, keys and tallies that the
 * store itself lays: five times as fast as by commits.
 */
const multiply = async (file: string, copies: number): Promise<void> => {
  const { stored, table, columns, indexes, keys, tallies } = shapeOf(charges, namedFields(charges))
  const database = await openDatabase(file)
  const run = (sql: string): void => {
    database.prepare(sql).run()
  }
  for (const pragma of PRAGMAS) database.prepare(`PRAGMA ${pragma}`).get()
  for (const { name } of indexes) run(`DROP INDEX ${name}`)
  const id = `id + copy * ${FEW}`
  // In the order of the ids, so that nothing has to be sorted.
  const texts: Readonly<Record<string, string>> = { code: `printf('c%021d', ID)`, txid: `printf('t%024d', ID)` }
  const changed: Readonly<Record<string, string>> = {
    createdAt: `strftime('%Y-%m-%dT%H:%M:%fZ', f_createdAt, copy || ' hours')`,
    createdDay: `date(f_createdAt, (copy - 3) || ' hours')`,
  }
  const inDoc = Object.entries({ id, ...changed, ...texts }).map(
    ([field, sql]) => `'$.${field}', ${sql.replace('ID', id)}`,
  )
  const values = stored.map((field) => changed[field] ?? columns(field).value)
  run(`CREATE TEMP TABLE few AS SELECT * FROM ${table}`)
  const upTo = `SELECT 1 AS copy UNION ALL SELECT copy + 1 FROM numbers WHERE copy < ${copies - 1}`
  run(`CREATE TEMP TABLE copies AS WITH RECURSIVE numbers AS (${upTo}) SELECT copy FROM numbers`)
  run(
    `INSERT INTO ${table} SELECT ${[id, ...values, `json_set(doc, ${inDoc.join(', ')})`].join(', ')} ` +
      'FROM copies CROSS JOIN few',
  )
  for (const { create } of indexes) run(create)
  for (const [key, made] of keys)
    run(`INSERT INTO ${made} SELECT ${texts[key]?.replace('ID', 'id')}, id FROM ${table} WHERE id > ${FEW} ORDER BY id`)
  for (const tally of tallies.filter((one) => one !== null)) {
    run(`DELETE FROM ${tally.table}`)
    run(tally.fill)
  }
  database.close()
}
