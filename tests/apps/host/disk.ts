import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'

/** Creates an empty folder, which is removed after the test. */
export const folder = async (t: Pick<ExecutionContext, 'teardown'>): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'portico-host-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Mounts a disk for a test; returns null, and logs it, if this user may not mount one. */
export const disk = async (t: ExecutionContext, size: string): Promise<string | null> => {
  const path = await folder(t)
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'portico', path], { stdio: 'ignore' })
  } catch {
    t.log('SKIPPED: this user may not mount a disk')
    t.pass()
    return null
  }
  t.teardown(() => execFileSync('/bin/umount', ['-l', path]))
  return path
}

export const remount = (path: string, how: 'ro' | 'rw'): void => {
  execFileSync('/bin/mount', ['-o', `remount,${how}`, path])
}

const FILLER = 'filler'

/** Fills a disk up to a number of free bytes. */
export const fill = async (path: string, left = 0): Promise<void> => {
  const file = await open(join(path, FILLER), 'w')
  for (const bytes of [4_096, 1]) {
    let isFull = false
    while (!isFull)
      await file.write(Buffer.alloc(bytes)).catch(() => {
        isFull = true
      })
  }
  await file.truncate((await file.stat()).size - left)
  await file.close()
}

export const empty = (path: string): Promise<void> => rm(join(path, FILLER))
