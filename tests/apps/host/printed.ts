import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../root.ts'
import { STORE_SECRETS } from '../store-url.ts'

/** What a command of `portico` has said by its end. */
export interface Printed {
  readonly code: number | null
  readonly out: readonly string[]
  readonly err: string
}

/** What somebody keeps in the folder of the project is none of a test's: nothing is in this one. */
const NOWHERE = join(tmpdir(), `portico-printed-${process.pid}`)

/** Runs a command of `portico` on a store, in a process of its own, beside the one that serves. */
export const printed = (
  words: readonly string[],
  storeUrl: string,
  env: Readonly<Record<string, string>> = STORE_SECRETS,
): Promise<Printed> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['apps/start.mjs', ...words], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, STORE_URL: storeUrl, DATA_DIR: NOWHERE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('close', async (code) => {
      await rm(NOWHERE, { recursive: true, force: true })
      resolve({ code, out: out.trim().split('\n'), err })
    })
  })
