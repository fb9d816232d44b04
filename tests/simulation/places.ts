import { mongoStore } from '../../adapters/mongodb/mod.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { Store } from '../../core/ports/store.ts'
import { someFile } from '../adapters/sqlite/file.ts'
import { emptyDatabase, emptyFile } from '../apps/fresh-store.ts'
import { COLLECTIONS } from './environment/environment.ts'
import { type Run, simulate } from './run.ts'

/**
 * Runs a seed on a store that holds nothing else: its tables are made once, which takes longer than a seed. What is real takes
 * turns of its own: a seed goes another way each time.
 */
export interface Place {
  run(seed: number): Promise<Run>
  /** Lets go of what seeds have shared. */
  close(): Promise<void>
}

const inMemory: Place = { run: (seed) => simulate(seed), close: async () => {} }

const onSqlite: Place = {
  async run(seed) {
    const { path, remove } = await someFile()
    await emptyFile(path)
    const store = await sqliteStore(path, COLLECTIONS)
    const run = await simulate(seed, undefined, store)
    await store.close()
    await remove()
    return run
  },
  close: async () => {},
}

/** In a database of the server that `TEST_MONGODB_URL` names. */
const onMongodb = (): Place => {
  let opened: Promise<Store> | null = null
  const urlOf = (): string => {
    const url = new URL(process.env.TEST_MONGODB_URL ?? '')
    url.pathname = `simulation-${process.pid}`
    return url.href
  }
  return {
    async run(seed) {
      opened ??= mongoStore(urlOf(), COLLECTIONS)
      const run = await simulate(seed, undefined, await opened)
      await emptyDatabase(urlOf())
      return run
    },
    close: async () => (await opened)?.close(),
  }
}

export const PLACES = { memory: inMemory, sqlite: onSqlite, mongodb: onMongodb() }

export type PlaceName = keyof typeof PLACES
