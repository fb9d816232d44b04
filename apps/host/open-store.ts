import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { memoryStore } from '../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../core/kernel/collection.ts'
import type { Store } from '../../core/ports/store.ts'
import { CannotStart } from './environment.ts'

const SQLITE = 'sqlite:'

/** Opens the store that a URL names. Throws `CannotStart` where it cannot be opened. */
export const openStore = async (url: string, collections: readonly AnyCollection[]): Promise<Store> => {
  if (!url.startsWith(SQLITE)) return memoryStore(collections)
  const path = url.slice(SQLITE.length)
  try {
    await mkdir(dirname(path), { recursive: true })
    return await sqliteStore(path, collections)
  } catch (error) {
    throw new CannotStart(`STORE_URL: ${path} cannot be opened: ${error instanceof Error ? error.message : error}`)
  }
}
