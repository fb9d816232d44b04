import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { pixApiSettings } from '../../../../apps/bank/open-bank.ts'
import { CannotStart, readEnvironment } from '../../../../apps/host/environment.ts'
import { openHost } from '../../../../apps/host/host.ts'
import { startAll, stopAll } from '../../../../apps/host/run.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { openPixApiServer } from '../../../adapters/bank/pix-api/pix-api-server.ts'

const open = async (t: ExecutionContext) => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-pix-api-'))
  const server = await openPixApiServer()
  t.teardown(async () => {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  })
  return { directory, server }
}

const linesOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    pixApiSettings(readEnvironment(env))
    return []
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    return error.message.split('\n')
  }
}

test('refuses to start with a line for each unusable file, which does not contain its content', async (t) => {
  const { directory, server } = await open(t)
  const garbage = join(directory, 'garbage.pem')
  const secret = 'hunter2hunter2'
  await writeFile(garbage, `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`)
  const { env } = server
  const { PIX_API_CERT: cert = '', PIX_API_KEY: key = '' } = env
  t.deepEqual(linesOf(env), [])
  t.deepEqual(linesOf({ ...env, PIX_API_CA: '' }), [])
  const missing = join(directory, 'missing.pem')
  const all = { PIX_API_CERT: missing, PIX_API_KEY: missing, PIX_API_CA: directory }
  t.deepEqual(linesOf({ ...env, ...all }), [
    `PIX_API_CERT: ${missing} cannot be read (ENOENT)`,
    `PIX_API_KEY: ${missing} cannot be read (ENOENT)`,
    `PIX_API_CA: ${directory} cannot be read (EISDIR)`,
  ])
  t.deepEqual(linesOf({ ...env, PIX_API_CERT: key }), [`PIX_API_CERT: ${key} contains no CERTIFICATE in PEM`])
  t.deepEqual(linesOf({ ...env, PIX_API_KEY: cert }), [`PIX_API_KEY: ${cert} contains no PRIVATE KEY in PEM`])
  for (const other of [key.replace('client.key', 'stranger.key'), garbage]) {
    const [line = '', ...more] = linesOf({ ...env, PIX_API_KEY: other })
    t.regex(line, /^PIX_API_KEY: TLS rejects it \(.+\)$/)
    t.false(line.includes(secret))
    t.deepEqual(more, [])
  }
})

test('registers the webhook address at the bank at start, the same each time', async (t) => {
  const { directory, server } = await open(t)
  const env = { ...server.env, STORE_URL: `sqlite:${join(directory, 'portico.db')}`, DATA_DIR: directory }
  const settings = readEnvironment({
    ...env,
    PAYMENTS_PORT: '0',
    PUBLIC_URL: 'https://pay.example.com',
    LOG_LEVEL: 'silent',
  })
  const registered: (string | undefined)[] = []
  for (const _ of [1, 2]) {
    const host = await openHost(settings, [payments], () => {})
    const before = server.requests.length
    const running = await startAll(host, [payments])
    while (!server.requests.slice(before).some((what) => what.startsWith('PUT /webhook/'))) await sleep(20)
    await stopAll(host, running)
    registered.push(server.books.webhook()?.webhookUrl)
  }
  const [first = '', second] = registered
  t.regex(first, /^https:\/\/pay\.example\.com\/pix-api\/[\w-]{43}$/)
  t.is(second, first)
  t.deepEqual(server.violations, [])
})
