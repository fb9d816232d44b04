// Runs alone.
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { VERSION } from '../../apps/host/version.ts'
import { AS_IT_SHIPS, startCommand } from '../apps/host/process.ts'
import { openTestApi } from '../apps/payments/test-api.ts'
import { ROOT } from '../root.ts'
import { inFull } from '../size.ts'
import { DOCUMENTS, documentedPrograms, type Program } from './documents.ts'
import { deno, type Embedded, laidOut, porticoIn, type Runtime, thisNode } from './packed.ts'
import { agency, charged, mirrored, mounted, onSqlite } from './programs.ts'

let pack: Embedded
test.before('the package is built, packed and laid out', async () => {
  pack = await laidOut()
})
test.after.always(() => pack?.remove())

/** Registers a test on this Node, and in full also in Deno. */
const onRuntimes = (title: string, body: (t: ExecutionContext, runtime: Runtime) => Promise<unknown>): void => {
  test(title, async (t) => void (await body(t, thisNode)))
  const inDeno = `${title}, in Deno`
  inFull(test, inDeno, () => test(inDeno, async (t) => void (await body(t, deno))))
}

const printing =
  ({ text, prints }: Program) =>
  async (t: ExecutionContext, runtime: Runtime) =>
    t.is(await pack.run(runtime, text), prints)

// With an API at the address that the programs call.
onRuntimes('the programs of the documents run unchanged and print the documented output', async (t, runtime) => {
  const env = { STORE_URL: 'memory:', WEBHOOKS_ALLOW_PRIVATE: 'true' }
  const app = startCommand(AS_IT_SHIPS, { ...env, DATA_DIR: join(pack.home, 'data-of-the-documents') })
  t.teardown(() => app.child.kill('SIGKILL'))
  const { payments } = await app.ready
  for (const { name, text, runs = text, prints } of documentedPrograms()) {
    t.is(await pack.run(runtime, runs.replaceAll('http://127.0.0.1:3000', payments)), prints, name)
  }
})

/** Runs a program in Deno with the network as its only permission. */
const denoOnTheNet: Runtime = [deno[0], 'run', '--quiet', '--no-prompt', '--allow-net', '--node-modules-dir=manual']

const clientProgram = (url: string) => `
import { paymentsClient } from 'portico/client'

const baseUrl = ${JSON.stringify(url)}
const person = { name: 'Ana', email: globalThis.Deno ? 'deno@example.com' : 'node@example.com', password: 'segredo-123' }
const open = paymentsClient({ baseUrl })
await open.post('/v1/auth/register', { body: { ...person, password_confirmation: person.password } })
const pay = paymentsClient({ baseUrl, auth: { email: person.email, password: person.password } })
const document = globalThis.Deno ? '11222333000181' : '11444777000161'
await pay.post('/v1/organizations', { body: { name: 'Escola', document } })
const payer = { name: 'Maria', email: 'maria@example.com', document: '52998224725' }
const body = { value: 1, payment_method: 'PIX', due_date: '2026-11-30', ...payer }
for (const idempotencyKey of ['a', 'a', 'b']) await pay.post('/invoices', { body, idempotencyKey })
for await (const { data, meta } of pay.pages('/invoices', { query: { per_page: 1 } })) console.log(data.length, meta.total)
await pay.get('/invoices/{id}', { path: { id: 99 } }).catch(({ code }) => console.log(code))
`

test('the typed client works in Node and Deno without imports, and needs only the network', async (t) => {
  const { url } = await openTestApi(t)
  const built = await readFile(join(pack.home, 'node_modules/portico/dist/client.js'), 'utf8')
  t.notRegex(built, /^(import|export .* from)\b|\b(require|import)\(/m)
  for (const runtime of [thisNode, denoOnTheNet])
    t.is(await pack.run(runtime, clientProgram(url)), '1 2\n1 2\ncharge.unknown\n')
})

onRuntimes('the packed SQLite store works with its reader thread', printing(onSqlite))
onRuntimes('the packed agency accepts tokens of a provider, answers over HTTP and draws documents', printing(agency))

onRuntimes('the packed API answers in servers of node:http and Koa', async (t, runtime) => {
  // The package contains no Koa for embedders.
  const koa = join(pack.home, 'node_modules/koa')
  await symlink(join(ROOT, 'node_modules/koa'), koa).catch((error) => t.is(error.code, 'EEXIST'))
  await printing(mounted)(t, runtime)
})

test('the packed agency charges on a payments core in the same process', (t) => printing(charged)(t, thisNode))

test('only the entry point of the mirror requires Firestore’s library', async (t) => {
  const { code, stderr } = await t.throwsAsync<Error & { code: number; stderr: string }>(
    pack.run(thisNode, mirrored.text),
  )
  t.is(code, 1)
  t.regex(stderr, /ERR_MODULE_NOT_FOUND/)
  t.regex(stderr, /@google-cloud\/firestore/)
})

test('the package contains the build and its start script, and no sources', async (t) => {
  const files = await readdir(join(pack.home, 'node_modules/portico'), { recursive: true })
  t.deepEqual(
    files.filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.d.ts')),
    ['apps/start.mjs'],
  )
  for (const door of ['core', 'memory', 'sqlite', 'node', 'http', 'mirror', 'charging', 'client'])
    t.true(files.includes(`dist/${door}.js`), door)
  for (const file of ['firestore.rules', 'firestore.indexes.json'])
    t.true(files.includes(`adapters/mirror/${file}`), file)
  // The build contains the guides, styles, page scripts and the mail.
  t.deepEqual(
    files.filter((file) => /\.(css|eta|md|text\.js)$/.test(file)).sort(),
    [...DOCUMENTS, 'CHANGELOG.md'].sort(),
  )
})

test('the package contains the licences of all bundled packages', async (t) => {
  const terms = await readFile(join(pack.home, 'node_modules/portico/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const bundled = 'koa @koa/router koa-body pino zod qrcode jose chart.js @kurkle/color preact'
  for (const name of bundled.split(' ')) t.regex(terms, new RegExp(`^${name} [0-9.]+ \\(MIT\\)$`, 'm'))
})

const OF_TRACING = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-node']
for (const [what, env, packages] of [
  [
    'tracing',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://[::1]:1' },
    OF_TRACING.map((name) => `@opentelemetry/${name}@[\\d.]+`).join(' '),
  ],
  ['passkeys', { PASSKEYS: 'true', PUBLIC_URL: 'https://pay.example.com' }, '@simplewebauthn/server@14'],
] as const)
  test(`refuses ${what} without its packages, with one line that names them`, async (t) => {
    const place = { DATA_DIR: join(pack.home, `without-${what}`), STORE_URL: 'memory:' }
    const { code, stderr } = await startCommand(porticoIn(pack.home), { ...place, ...env }, pack.home).ended
    t.is(code, 1)
    t.regex(stderr, new RegExp(`^${Object.keys(env)[0]}: [^\\n]*npm install ${packages}\\n$`))
  })

test('the packed server starts on a store, stops, and audits it', async (t) => {
  const DATA_DIR = join(pack.home, 'data')
  const env = { DATA_DIR, STORE_URL: `sqlite:${DATA_DIR}/portico.db` }
  const app = startCommand(porticoIn(pack.home), env, pack.home)
  t.teardown(() => app.child.kill('SIGKILL'))
  const { payments } = await app.ready
  t.like(await (await fetch(`${payments}/health`)).json(), { status: 'ok', version: VERSION })
  const script = await fetch(`${payments}/docs/reference.js`)
  t.deepEqual([script.status, (await script.text()).length > 1_000_000], [200, true])
  app.child.kill('SIGTERM')
  t.like(await app.ended, { code: 0, signal: null, stderr: '' })
  const audit = await startCommand([...porticoIn(pack.home), 'audit'], env, pack.home).ended
  t.like(audit, { code: 0, stderr: '' })
  t.regex(audit.stdout, /^audit trail: .*: sound$/m)
})
