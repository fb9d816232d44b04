import type { Connection } from '../connection.ts'
import type { Shape } from '../schema.ts'
import { type Laid, laidText, textOf, writeLaid } from '../tables/laid.ts'

/** An index or a tally to be built of the records that are there: plain data, so that a thread can carry it out. */
export interface BuildTask {
  readonly collection: string
  /** How the collection lies as long as nobody else has built something. */
  readonly before: Laid
  readonly sql: readonly string[]
  readonly after: Laid
}

/** The next of what is missing, or null. */
export const nextTask = ({ collection, laid, missing }: Shape): BuildTask | null => {
  const { stands } = laid
  const task = (sql: readonly string[], now: Partial<Laid['stands']>): BuildTask => ({
    collection: collection.name,
    before: laid,
    sql,
    after: { ...laid, stands: { ...stands, ...now } },
  })
  const [index] = missing.indexes
  if (index) {
    const { name, create, definition } = index
    return task([`DROP INDEX IF EXISTS ${name}`, create], { indexes: [...stands.indexes, definition] })
  }
  const [tally] = missing.tallies
  if (!tally) return null
  const { table, create, fill, number, definition } = tally
  const tallies = [...stands.tallies, { number, definition }]
  return task([`DROP TABLE IF EXISTS ${table}`, create, fill], { tallies })
}

/** In one transaction, which also says that it stands: whoever writes next keeps it. Nothing where another was faster. */
export const build = (connection: Connection, { collection, before, sql, after }: BuildTask): void =>
  connection.transaction(() => {
    if (laidText(connection, collection) !== textOf(before)) return
    for (const statement of sql) connection.run(statement)
    writeLaid(connection, collection, after)
  })
