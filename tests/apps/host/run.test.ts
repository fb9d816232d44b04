import { join } from 'node:path'
import test from 'ava'
import { bundleOf } from '../../bundle.ts'
import { personBody } from '../payments/given/merchants.ts'
import { folder } from './disk.ts'
import { logLine, startCommand } from './process.ts'

test('stops with one line and exit code 1 when a newer release takes the store over', async (t) => {
  const DATA_DIR = await folder(t)
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
