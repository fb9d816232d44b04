import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isShared } from '../../../apps/host/environment.ts'
import { program } from '../../bundle.ts'
import { type Ended, type Started, startCommand } from '../host/process.ts'
import type { Asking } from '../payments/given/merchants.ts'
import { clientAt } from '../rows/wire.ts'
import { STORE_SECRETS } from '../store-url.ts'

/** One of several processes on a store. Like processes on several machines they share only the store and secrets. */
export interface Process extends Asking {
  readonly url: string
  /** Its exit code and output. */
  readonly ended: Promise<Ended>
  /** Ends it with a signal: `SIGTERM` is a stop, `SIGKILL` a crash. May be called again. */
  end(signal: NodeJS.Signals): Promise<Ended>
}

export interface Processes {
  readonly all: readonly Process[]
  /** Returns a process by its index, cyclically. */
  at(index: number): Process
  end(signal: NodeJS.Signals): Promise<readonly Ended[]>
}

/** Starts a process on each of the stores, all at the same time. */
export const startProcesses = async (
  storeUrls: readonly string[],
  env: Record<string, string> = {},
): Promise<Processes> => {
  const begun = storeUrls.map((url) => startProcess(url, env))
  try {
    return processesOf(await Promise.all(begun))
  } catch (error) {
    for (const one of begun) await one.then((process) => process.end('SIGKILL')).catch(() => {})
    throw error
  }
}

const processesOf = (all: readonly Process[]): Processes => ({
  all,
  at: (index) => {
    const process = all[index % all.length]
    if (!process) throw new Error('there are no processes')
    return process
  },
  end: (signal) => Promise.all(all.map((process) => process.end(signal))),
})

/** Returns the end of a start that fails. */
export const endOf = async (env: Record<string, string>): Promise<Ended> => (await started(env)).ended

const started = async (env: Record<string, string>, file = program()): Promise<Started> =>
  startCommand([process.execPath, await file], env)

/** Starts the payments app, or the program in a file, on a store; by default with its own `DATA_DIR`. */
export const startProcess = async (
  storeUrl: string,
  env: Record<string, string> = {},
  file?: Promise<string>,
): Promise<Process> => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-process-'))
  const settings = {
    DATA_DIR: directory,
    STORE_URL: storeUrl,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    ...(isShared(storeUrl) ? STORE_SECRETS : {}),
    ...env,
  }
  const { child, ready, ended } = await started({ LOG_LEVEL: 'error', ...settings }, file)
  void ended.then(() => rm(directory, { recursive: true, force: true }))
  const { payments: url } = await ready
  return {
    url,
    ...clientAt(url),
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}
