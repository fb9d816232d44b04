// Runs alone.
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { bannerOf } from '../../../apps/banner.ts'
import { CannotStart, readEnvironment } from '../../../apps/host/environment.ts'
import { openHost } from '../../../apps/host/host.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { VERSION } from '../../../apps/host/version.ts'
import { buildPayments, payments } from '../../../apps/payments/app.ts'
import { bundleOf } from '../../bundle.ts'
import { FULL, testInFull } from '../../size.ts'
import { folder } from './disk.ts'
import { AS_IT_SHIPS, logLine, start, startCommand } from './process.ts'

// All tests but one; that one starts the apps as a user does.
const main = await bundleOf('tests/apps/host/program.ts')

const SIGN_UP = '/identitytoolkit.googleapis.com/v1/accounts:signUp'
const PROVIDER = {
  IDENTITY_ISSUER: 'https://id.example.com/',
  IDENTITY_AUDIENCE: 'aurora',
  IDENTITY_JWKS_URL: 'https://id.example.com/keys?of=aurora',
}

const refused = async (t: ExecutionContext, env: Record<string, string>, line: RegExp) => {
  const { code, stderr } = await start({ DATA_DIR: await folder(t), STORE_URL: 'memory:', ...env }, main).ended
  t.is(code, 1)
  t.regex(stderr, line)
  t.is(stderr.trimEnd().split('\n').length, 1, stderr)
}

test('writes an IPv6 address of HOST in brackets in URLs', async (t) => {
  const settings = readEnvironment({ HOST: '::1', PAYMENTS_PORT: '0', STORE_URL: 'memory:', DATA_DIR: await folder(t) })
  const host = await openHost(settings, [payments], t.fail)
  const built = await buildPayments(host)
  t.is(built.ports.settings.publicUrl, 'http://[::1]:0')
  await built.close()
  await host.close()
})

test('logs the reports of the store', async (t) => {
  const settings = readEnvironment({ STORE_URL: 'memory:', DATA_DIR: await folder(t) })
  const lines: string[] = []
  const open: typeof openStore = (url, collections, options) => {
    options?.report?.('an index is too many')
    return openStore(url, collections, options)
  }
  await (await openHost(settings, [payments], (line) => lines.push(line), { open })).close()
  t.deepEqual(lines, ['an index is too many'])
})

test('reports once that a store cannot be opened, with the reason', async (t) => {
  const path = join(await folder(t), 'a-folder')
  await mkdir(path)
  const fault = await t.throwsAsync(openStore(`sqlite:${path}`, []), { instanceOf: CannotStart })
  t.regex(fault.message, /^STORE_URL: .*a-folder cannot be opened: (?!.*cannot be opened)./)
})

test('refuses a port in use with one line', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  await refused(
    t,
    { REAL_ESTATE_PORT: String(port) },
    /^REAL_ESTATE_PORT: cannot listen on 127\.0\.0\.1:\d+: the port is in use\n$/,
  )
})

test('requires secrets in production, and does not serve the console of the fake bank', async (t) => {
  const DATA_DIR = await folder(t)
  const bare = await start({ DATA_DIR, STORE_URL: 'memory:', NODE_ENV: 'production' }, main).ended
  const lines = bare.stderr.trimEnd().split('\n')
  t.deepEqual(
    [bare.code, ...lines.map((line) => line.split(':')[0])],
    [1, 'JWT_SECRET', 'DATA_KEY', ...Object.keys(PROVIDER)],
  )
  const [missing] = Object.keys(PROVIDER)
  t.is(lines[2], `${missing}: got nothing, but the agency’s API requires it in production`)
  const secrets = { JWT_SECRET: 'x'.repeat(32), DATA_KEY: Buffer.alloc(32, 7).toString('base64') }
  const plain = { DATA_DIR, STORE_URL: 'memory:', NODE_ENV: 'production', ...secrets, LOG_LEVEL: 'warn' }
  const app = start({ ...plain, ...PROVIDER }, main)
  const { payments, estate } = await app.ready
  const consoleReply = await fetch(`${payments}/fake-bank/payments`, { method: 'POST', body: '{}' })
  const unknown = await fetch(`${payments}/no-such-route`, { method: 'POST', body: '{}' })
  t.deepEqual([consoleReply.status, await consoleReply.text()], [404, await unknown.text()])
  t.is((await fetch(`${estate}${SIGN_UP}`, { method: 'POST', body: '{}' })).status, 404)
  app.child.kill('SIGTERM')
  const { stdout } = await app.ended
  t.regex(stdout, /BANK=fake in production/)
  t.notRegex(stdout, /OPEN_REGISTRATION|development issuer/)
})

test('both apps start on an empty folder, answer, print JSON lines and end on SIGTERM', async (t) => {
  const DATA_DIR = join(await folder(t), 'data')
  const app = startCommand(AS_IT_SHIPS, { DATA_DIR, STORE_URL: `sqlite:${DATA_DIR}/portico.db` })
  const { payments, estate } = await app.ready
  for (const url of [payments, estate]) {
    const health = await fetch(`${url}/health`)
    t.is(health.status, 200)
    t.like(await health.json(), { status: 'ok' })
    t.is((await fetch(`${url}/docs`)).status, 200)
    t.like(await (await fetch(`${url}/openapi.json`)).json(), { openapi: '3.1.0' })
  }
  app.child.kill('SIGTERM')
  const ended = await app.ended
  t.like(ended, { code: 0, signal: null, stderr: '' })
  const lines = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const own = lines.filter(({ name }) => name === 'portico')
  t.deepEqual(
    own.map(({ level, msg }) => [level, msg]),
    [
      [30, 'started'],
      [30, 'stopped'],
    ],
  )
  t.like(own[0], { version: VERSION, payments, 'real-estate': estate, store: 'sqlite' })
  const kept = await readdir(DATA_DIR)
  t.true(kept.includes('jwt-secret') && kept.includes('data-key'))
  t.is((await stat(join(DATA_DIR, 'jwt-secret'))).mode & 0o777, 0o600)
})

test('SIGTERM to npm ends the apps and frees their ports', async (t) => {
  const app = startCommand(['npm', 'start'], { DATA_DIR: await folder(t), STORE_URL: 'memory:', PAYMENT_PORT: '1' })
  const { payments, estate } = await app.ready
  app.child.kill('SIGTERM')
  const { stdout } = await app.ended
  t.truthy(logLine(stdout, 'stopped'))
  t.like(logLine(stdout, 'PAYMENT_PORT is not a variable of Portico: did you mean PAYMENTS_PORT?'), { level: 40 })
  for (const url of [payments, estate]) await t.throwsAsync(fetch(`${url}/health`))
})

const onNode = (version: string, ...program: readonly string[]) => {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const args = [
    `--import=data:text/javascript,${encodeURIComponent(fake)}`,
    'apps/start.mjs',
    ...(program.length === 0 ? ['none'] : program),
  ]
  return startCommand([process.execPath, ...args], {}).ended
}

testInFull(test, 'all installed packages accept this version of Node', async (t) => {
  const command = ['npm', 'ci', '--dry-run', '--engine-strict', '--ignore-scripts'] as const
  t.like(await startCommand(command, {}).ended, { code: 0, stderr: '' })
})

test('refuses an older Node with one line, and accepts newer ones', async (t) => {
  for (const version of FULL ? ['12.22.12', '18.20.8', '20.18.3'] : ['20.18.3']) {
    const line = `Node ${version} is too old: Portico needs Node 20.19 or newer\n`
    // `npm ci` also builds with this program.
    for (const program of ['none', 'build'])
      t.like(await onNode(version, program), { code: 1, stdout: '', stderr: line })
  }
  for (const version of FULL ? ['20.19.0', '22.0.0', '100.1.0'] : ['20.19.0'])
    t.like(await onNode(version), {
      code: 2,
      stderr:
        'portico: got none, accepts start, demo, demo-real-estate, audit, reconcile, reset-second-factor, backup, restore\n',
    })
})

test('refuses a name that every object inherits', async (t) => {
  const stderr =
    'portico: got toString, accepts start, demo, demo-real-estate, audit, reconcile, reset-second-factor, backup, restore\n'
  t.like(await onNode(process.versions.node, 'toString'), { code: 2, stderr })
})

test('--help lists the commands with their arguments and effects', async (t) => {
  const { code, stdout } = await onNode(process.versions.node, '--help')
  t.is(code, 0)
  const [usage, ...lines] = stdout.split('\n')
  t.is(usage, 'Usage: portico [COMMAND]')
  const named = lines.filter((line) => line.startsWith(' ')).map((line) => line.trim().split(/ {2,}/)[0])
  const onStores = ['reset-second-factor EMAIL', 'backup DIR [--with-keys]', 'restore DIR']
  const others = ['start', 'demo', 'demo-real-estate', 'audit', 'reconcile [--day YYYY-MM-DD]']
  t.deepEqual(named, [...others, ...onStores])
  t.like(await onNode(process.versions.node, 'start', '--help'), { code: 0, stdout })
  t.like(await onNode(process.versions.node, '--version'), { code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

test('prints the banner for developers at a terminal, with working commands, and warns of what is open', async (t) => {
  const DATA_DIR = await folder(t)
  const app = start({ DATA_DIR, STORE_URL: 'memory:', LOG_LEVEL: 'warn' }, main)
  const { payments, estate } = await app.ready
  const urls = { payments, 'real-estate': estate }
  const banner = (isTerminal: boolean, NODE_ENV: string, IDENTITY_ISSUER: string | null = null) =>
    bannerOf(urls, 'ana@example.com', { isTerminal, NODE_ENV, IDENTITY_ISSUER })
  for (const [isTerminal, NODE_ENV] of [
    [false, 'development'],
    [true, 'production'],
    [true, 'test'],
  ] as const)
    t.is(banner(isTerminal, NODE_ENV), '')
  const shown = banner(true, 'development')
  const places = [payments, estate, `${estate}/panel`, `${payments}/docs`, `${estate}/docs`]
  for (const place of places) t.true(shown.includes(`${place}\n`))

  const post = (url: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const lines = [...shown.matchAll(/curl -s '(\S+)' .* -d '(.*)'/g)]
  const statuses = await Promise.all(lines.map(async ([, url = '', body = '']) => (await post(url, body)).status))
  t.deepEqual(statuses, [201, 200])
  const [signIn = ''] = shown.match(/http\S+:signInWithPassword/) ?? []
  t.is((await post(signIn, lines[1]?.[2] ?? '')).status, 200)
  t.false(banner(true, 'development', PROVIDER.IDENTITY_ISSUER).includes('accounts:'))
  const outbox = join(DATA_DIR, 'outbox')
  let mails: string[] = []
  while (mails.length === 0) mails = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
  t.regex(await readFile(join(outbox, mails[0] ?? ''), 'utf8'), /Subject: /)
  app.child.kill('SIGTERM')
  const { stdout } = await app.ended
  t.is(stdout.match(/OPEN_REGISTRATION: /g)?.length, 1)
  t.is(stdout.match(/the development issuer runs/g)?.length, 1)
})
