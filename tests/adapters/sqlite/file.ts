import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary folder for a database file. */
export const someFile = async (): Promise<{ readonly path: string; remove(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-sqlite-'))
  return { path: join(folder, 'store.db'), remove: () => rm(folder, { recursive: true, force: true }) }
}
