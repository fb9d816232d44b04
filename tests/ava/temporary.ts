import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** More than all concurrent tests store there. */
const ROOM_BYTES = 4 * 1_024 ** 3

const hasRoom = (): boolean => {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES
}

/**
 * Has this process and all that it starts keep their temporary files in memory, where there is room, until it ends.
 * Stores of tests are deleted after the test. Waiting for a disk at each commit takes longer than the rest of a test,
 * and the commits of a killed process are readable all the same.
 */
export const keepTemporaryInMemory = (): void => {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const home = mkdtempSync(join(MEMORY, 'portico-tests-'))
  process.env.TMPDIR = home
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
}
