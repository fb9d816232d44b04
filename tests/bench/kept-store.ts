import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { AnyCollection, Change } from '../../core/kernel/records/record.ts'
import type { Store } from '../../core/ports/store.ts'

const CHANGES_AT_ONCE = 500

export const writeMany = async (
  store: Pick<Store, 'commit'>,
  count: number,
  changesOf: (number: number) => readonly Change[] | Promise<readonly Change[]>,
): Promise<void> => {
  let changes: Change[] = []
  for (let number = 1; number <= count; number += 1) {
    changes.push(...(await changesOf(number)))
    if (changes.length < CHANGES_AT_ONCE && number < count) continue
    await store.commit(changes)
    changes = []
  }
}

/** The content of a kept store: the function that fills it, the URL of its module, and the collections. */
interface History {
  readonly name: string
  readonly madeBy: string
  readonly collections: readonly AnyCollection[]
  readonly fill: (store: Store, count: number) => Promise<void>
}

/** Returns a digest of the module that fills the store and of its collections. */
const versionOf = async ({ madeBy, collections }: History): Promise<string> => {
  const made = createHash('sha256').update(await readFile(fileURLToPath(madeBy)))
  for (const { name, codec: _, keys = {}, ...row } of collections)
    made.update(JSON.stringify([name, Object.keys(keys), row]))
  return made.digest('hex').slice(0, 16)
}

/**
 * Returns the file of a store with a history of this size. Filling a large one by commits takes minutes, so it is kept
 * for the next run. Stores that another version of the history filled are removed: they take gigabytes.
 */
export const keptStore = async (history: History, count: number): Promise<string> => {
  const { name, collections, fill } = history
  const [home, version] = [join(tmpdir(), `portico-bench-${name}`), await versionOf(history)]
  const directory = join(home, `${version}-${count}`)
  const [file, whole] = [join(directory, 'store.db'), join(directory, 'whole')]
  if (existsSync(whole)) return file
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  for (const kept of await readdir(home))
    if (!kept.startsWith(version)) await rm(join(home, kept), { recursive: true, force: true })
  console.error(`${name}: fills a store of ${count.toLocaleString('en')}, kept in ${directory} for the next run`)
  const store = await sqliteStore(file, collections)
  try {
    await fill(store, count)
  } finally {
    await store.close()
  }
  await writeFile(whole, '')
  return file
}
