import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** What all tests at once have there is well below this. */
const ROOM_BYTES = 4 * 1_024 ** 3

const hasRoom = (): boolean => {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES
}

/**
 * Has this process and all that it starts keep their temporary files in memory, where there is room, until it ends. Stores of
 * tests are dropped with their test: to wait for a disk at each of their commits takes longer than all else that they do, and
 * what a process that is killed has committed is there all the same.
 */
export const keepTemporaryInMemory = (): void => {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const home = mkdtempSync(join(MEMORY, 'portico-tests-'))
  process.env.TMPDIR = home
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
}
