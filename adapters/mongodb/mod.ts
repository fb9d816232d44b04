import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { tableOf } from '../../core/kernel/records/table.ts'
import type { Files } from '../../core/ports/files.ts'
import { type Ask, type Store, StoreUnavailable, type Superseded } from '../../core/ports/store.ts'
import { answer, isOneQuestion } from './ask/answers.ts'
import {
  atOneInstant,
  type Base,
  type DatabaseReader,
  type Explained,
  explainingReader,
  readerAt,
} from './ask/reader.ts'
import { scan } from './ask/scan.ts'
import { commitBatcher } from './commit/commit-batcher.ts'
import { reserve, returnIds } from './commit/sequences.ts'
import { writer } from './commit/write.ts'
import { answeredBy } from './connection/answered.ts'
import { connect, databaseOf } from './connection/client.ts'
import { callersError } from './connection/faults.ts'
import { mongoFiles } from './files/mongo-files.ts'
import { migrate, type Report } from './layout/migrate.ts'
import { type Shape, shapeOf } from './layout/shape.ts'

export interface MongoOptions {
  /** Told in one line each what an operator should know of the database; by default a warning of the process. */
  readonly report?: Report
  /**
   * Writes anew what records carry for conditions, keys and tallies that have changed in the table. Without it such a
   * start is refused. Only while no other process writes.
   */
  readonly rebuild?: boolean
  /** By default a warning of the process. */
  readonly superseded?: Superseded
}

export interface MongoStore extends Store {
  /** Files beside the records: every process serves what another took. */
  readonly files: Files
  /** How the server answers an ask, one row for each of its questions; for tests. */
  explain(ask: Ask): Promise<readonly Explained[]>
}

/**
 * The store that many processes share: a replica set of MongoDB 5.0 or newer. Makes the
 * collections and indexes that are missing. Rejects with one line where the server cannot be used.
 * Source: design, section 3.
 */
export const mongoStore = async (
  url: string,
  collections: readonly AnyCollection[],
  { report = (said) => process.emitWarning(said), rebuild = false }: MongoOptions = {},
): Promise<MongoStore> => {
  const shapes = new Map([...tableOf(collections)].map(([name, collection]) => [name, shapeOf(collection)]))
  const client = await connect(url)
  const db = client.db(databaseOf(url))
  try {
    await migrate(db, [...shapes.values()], { report, rebuild })
    return storeOf({ client, db, answered: answeredBy(client) }, shapes)
  } catch (error) {
    await client.close()
    throw callersError(error)
  }
}

const storeOf = (base: Base, shapes: ReadonlyMap<string, Shape>): MongoStore => {
  const commits = commitBatcher(writer(base, shapes))
  const now = readerAt(base)
  let closing: Promise<void> | null = null

  const shapeFor = (name: string) => {
    if (closing) throw new StoreUnavailable('the store is closed')
    const shape = shapes.get(name)
    if (!shape) throw new Error(`no collection ${name}: the store was opened without it`)
    return shape
  }
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw callersError(error)
    })
  const together = <T>(work: (reader: DatabaseReader) => Promise<T>): Promise<T> => told(atOneInstant(base, work))
  const one = async (ask: Ask): Promise<unknown> => {
    const shape = shapeFor(ask.from.name)
    return isOneQuestion(shape, ask) ? told(answer(shape, ask, now)) : together((reader) => answer(shape, ask, reader))
  }
  const read = async (asks: Readonly<Record<string, Ask>>): Promise<Record<string, unknown>> => {
    const entries = Object.entries(asks).map(([key, ask]) => ({ key, ask, shape: shapeFor(ask.from.name) }))
    const [first] = entries
    if (!first) return {}
    if (entries.length === 1) return { [first.key]: await one(first.ask) }
    return together(async (reader) => {
      const answers: Record<string, unknown> = {}
      // In turn: the first question finds the instant, and a session takes one at a time.
      for (const { key, ask, shape } of entries) answers[key] = await answer(shape, ask, reader)
      return answers
    })
  }

  return {
    collections: [...shapes.keys()],
    files: mongoFiles(base),
    // An answer is of its ask's own type, which a document cannot tell the compiler.
    find: (ask) => one(ask) as Promise<never>,
    list: (ask) => one(ask) as Promise<never>,
    group: (ask) => one(ask) as Promise<never>,
    read: (asks) => read(asks) as Promise<never>,
    async *scan(from, where) {
      const readers = { now: toldReader(now, told), atOneInstant: together }
      yield* scan(shapeFor(from.name), where, readers) as AsyncIterable<never>
    },
    commit: (changes, hook) => commits.commit(hook ? { changes, hook } : { changes }),
    reserve: async (collection, count) => told(reserve(base, shapeFor(collection).collection.name, count)),
    returnIds: async (collection, next, end) => told(returnIds(base, shapeFor(collection).collection.name, next, end)),
    explain: async (ask) => {
      const rows: Explained[] = []
      await answer(shapeFor(ask.from.name), ask, explainingReader(base, rows))
      return rows
    },
    close: () => {
      // A server that is gone cannot be told, and nothing is lost by that.
      closing ??= commits.close().then(() => base.answered(() => base.client.close()).catch(() => {}))
      return closing
    },
  }
}

const toldReader = (reader: DatabaseReader, told: <T>(work: Promise<T>) => Promise<T>): DatabaseReader => ({
  find: (collection, search) => told(reader.find(collection, search)),
  aggregate: (collection, pipeline, hint) => told(reader.aggregate(collection, pipeline, hint)),
})
