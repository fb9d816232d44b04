import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'

/** Creates a temporary folder for a database file. */
export const someFile = async (): Promise<{ readonly path: string; remove(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-sqlite-'))
  return { path: join(folder, 'store.db'), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Returns the path of a database file in a temporary folder that is removed after the test. */
export const fileFor = async (t: ExecutionContext): Promise<string> => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  return path
}
