import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { logUpgrade } from '../../../apps/host/run.ts'
import { bundleOf } from '../../bundle.ts'
import { personBody } from '../processes/merchants.ts'
import { logLine, startCommand } from './process.ts'

const MAKING = 'the store is being upgraded for this release while it serves'

const told = async (settled: (() => Promise<void>) | undefined): Promise<readonly string[]> => {
  const lines: string[] = []
  await logUpgrade(settled ? { settled } : {}, { info: (message) => void lines.push(message) }, () => false)
  return lines
}

/** What is told of a store that is made as soon as it is told of. */
const toldOfMaking = async ({ isEnding = false } = {}): Promise<readonly string[]> => {
  const lines: string[] = []
  let make = (): void => {}
  const made = new Promise<void>((resolve) => {
    make = resolve
  })
  const info = (message: string) => {
    lines.push(message)
    make()
  }
  await logUpgrade({ settled: () => made }, { info }, () => isEnding)
  return lines
}

test('a store that has all it needs, or never says, is not spoken of', async (t) => {
  t.deepEqual(await told(async () => {}), [])
  t.deepEqual(await told(undefined), [])
})

test('an operator hears that something is made, and when it is', async (t) => {
  t.deepEqual(await toldOfMaking(), [MAKING, 'store ready'])
})

test('a process that ends meanwhile does not say that it was done', async (t) => {
  t.deepEqual(await toldOfMaking({ isEnding: true }), [MAKING])
})

test('a store that a newer release has taken over ends the process, as a signal does, with one line and code 1', async (t) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'portico-'))
  t.teardown(() => rm(DATA_DIR, { recursive: true }))
  const env = { DATA_DIR, STORE_URL: `sqlite:${join(DATA_DIR, 'portico.db')}` }
  const main = await bundleOf('tests/apps/host/taken-over-program.ts')
  const app = startCommand([process.execPath, main], env)
  t.teardown(() => app.child.kill('SIGKILL'))
  const { payments: url } = await app.ready
  // A few, so that it has reserved an id more.
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
