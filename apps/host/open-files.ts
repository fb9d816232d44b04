import { join } from 'node:path'
import { diskFiles } from '../../adapters/files/disk-files.ts'
import { memoryFiles } from '../../adapters/files/memory-files.ts'
import type { MongoStore } from '../../adapters/mongodb/mod.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Store } from '../../core/ports/store.ts'
import type { PorticoSettings } from './environment.ts'

/** Files last as long as the store does, and every process that shares the one shares the other. */
export const openFiles = (
  store: Store | MongoStore,
  { STORE_URL, DATA_DIR }: Pick<PorticoSettings, 'STORE_URL' | 'DATA_DIR'>,
): Files => {
  if ('files' in store) return store.files
  return STORE_URL === 'memory:' ? memoryFiles() : diskFiles({ directory: join(DATA_DIR, 'files') })
}
