import type { ExecutionContext } from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { Store } from '../../../core/ports/store.ts'
import { realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { WORLD_COLLECTIONS } from './world.ts'

/** Two handles on one store: two processes of one installation. */
export type TwoStores = readonly [Store, Store]

const TABLES = [...new Set([...WORLD_COLLECTIONS, ...realEstateCollections])]

/** Opens two handles on one store, in memory or on a SQLite file; tests of MongoDB open theirs. */
export const twoStores = {
  memory: async (_: ExecutionContext): Promise<TwoStores> => {
    const store = memoryStore(TABLES)
    return [store, store]
  },
  SQLite: async (t: ExecutionContext): Promise<TwoStores> => {
    const { path, remove } = await someFile()
    const handles = [await sqliteStore(path, TABLES), await sqliteStore(path, TABLES)] as const
    t.teardown(async () => {
      for (const handle of handles) await handle.close()
      await remove()
    })
    return handles
  },
}
