import type { ExecutionContext } from 'ava'
import { type SqliteStore, sqliteStore } from '../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../core/kernel/records/record.ts'
import type { Query, Store } from '../../core/ports/store.ts'
import { someFile } from '../adapters/sqlite/file.ts'

/** Opens a store on a temporary file, which is removed after the test. */
export const openSqlite = async (t: ExecutionContext, collections: readonly AnyCollection[]): Promise<SqliteStore> => {
  const { path, remove } = await someFile()
  const store = await sqliteStore(path, collections)
  t.teardown(async () => {
    await store.close()
    await remove()
  })
  return store
}

/** A store that records its queries for several records. */
export const recording = (store: Store) => {
  const asked: Query[] = []
  const note = <A extends Query>(ask: A): A => {
    if (ask.kind !== 'find') asked.push(ask)
    return ask
  }
  const recorded: Store = {
    ...store,
    list: (ask) => store.list(note(ask)),
    group: (ask) => store.group(note(ask)),
    read: (asks) => {
      for (const ask of Object.values(asks)) note(ask)
      return store.read(asks)
    },
  }
  return { asked, recorded }
}
