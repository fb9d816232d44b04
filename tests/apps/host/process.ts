import { type ChildProcess, spawn } from 'node:child_process'
import { ROOT } from '../../root.ts'

const BANNER = /payments +(http:\/\/\S+)[\s\S]*real estate +(http:\/\/\S+)/

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcess
  /** Resolves with the addresses once both apps listen; rejects where the process ended before. */
  readonly ready: Promise<{ readonly payments: string; readonly estate: string }>
  readonly ended: Promise<Ended>
}

/**
 * The apps as `npm start` runs them, in a process of their own; or a bundle of them, which starts sooner. Only what `env`
 * says is in its environment.
 */
export const start = (env: Readonly<Record<string, string>>, bundle: string | null = null): Started => {
  const program = bundle === null ? ['--import=tsx', 'apps/main.ts'] : [bundle]
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PAYMENTS_PORT: '0', REAL_ESTATE_PORT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((settle) => {
    child.on('close', (code, signal) => settle({ code, signal, stdout, stderr }))
  })
  const ready = new Promise<{ payments: string; estate: string }>((settle, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const [, payments, estate] = BANNER.exec(stdout) ?? []
      if (payments && estate) settle({ payments, estate })
    })
    void ended.then(({ code }) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)))
  })
  // Whoever only waits for the end need not handle this.
  ready.catch(() => {})
  return { child, ready, ended }
}
