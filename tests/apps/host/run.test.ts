import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { logUpgrade } from '../../../apps/host/run.ts'
import { bundleOf } from '../../bundle.ts'
import { personBody } from '../processes/merchants.ts'
import { logLine, startCommand } from './process.ts'

const UPGRADING = 'the store is being upgraded for this release while it serves'

const logOf = async (settled: (() => Promise<void>) | undefined): Promise<readonly string[]> => {
  const lines: string[] = []
  await logUpgrade(settled ? { settled } : {}, { info: (message) => void lines.push(message) }, () => false)
  return lines
}

/** Returns the log of an upgrade that ends after its first line. */
const logOfUpgrade = async ({ isEnding = false } = {}): Promise<readonly string[]> => {
  const lines: string[] = []
  let finish = (): void => {}
  const upgraded = new Promise<void>((resolve) => {
    finish = resolve
  })
  const info = (message: string) => {
    lines.push(message)
    finish()
  }
  // The timer of `logUpgrade` does not keep the process alive.
  const alive = setInterval(() => {}, 1_000)
  await logUpgrade({ settled: () => upgraded }, { info }, () => isEnding)
  clearInterval(alive)
  return lines
}

test('logs nothing for a store without an upgrade', async (t) => {
  t.deepEqual(await logOf(async () => {}), [])
  t.deepEqual(await logOf(undefined), [])
})

test('logs the upgrade of a store and its end', async (t) => {
  t.deepEqual(await logOfUpgrade(), [UPGRADING, 'store ready'])
})

test('does not log the end of an upgrade while the process ends', async (t) => {
  t.deepEqual(await logOfUpgrade({ isEnding: true }), [UPGRADING])
})

test('stops with one line and exit code 1 when a newer release takes the store over', async (t) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'portico-'))
  t.teardown(() => rm(DATA_DIR, { recursive: true }))
  const env = { DATA_DIR, STORE_URL: `sqlite:${join(DATA_DIR, 'portico.db')}` }
  const main = await bundleOf('tests/apps/host/taken-over-program.ts')
  const app = startCommand([process.execPath, main], env)
  t.teardown(() => app.child.kill('SIGKILL'))
  const { payments: url } = await app.ready
  // Several, so that the process holds reserved ids.
  for (const email of ['ana@example.com', 'bia@example.com', 'clara@example.com'])
    await fetch(`${url}/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(personBody(email)),
    })
  app.child.kill('SIGUSR2')
  const { code, signal, stdout, stderr } = await app.ended
  t.deepEqual([code, signal, stderr], [1, null, 'STORE_URL: a newer release has taken over\n'])
  t.truthy(logLine(stdout, 'stopped'))
})
