// Runs in test:long only.
// Runs alone.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import test from 'ava'
import ts from 'typescript'
import { VERSION } from '../../apps/host/version.ts'
import { startCommand } from '../apps/host/process.ts'
import { STORE_SECRETS } from '../apps/store-url.ts'
import { ROOT } from '../root.ts'
import { npx, type Packed, packed, porticoIn, SQLITE } from './packed.ts'

const MOST_PACKAGES = 40
const MOST_MB_IN_MEMORY = 23
const MOST_MB_ON_SQLITE = 53

let pack: Packed
test.before('the package is built, packed and installed', async () => {
  pack = await packed()
})
test.after.always(() => pack?.remove())

test('the types import only dependencies and peer dependencies', async (t) => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const types = join(pack.home, 'node_modules/portico/dist/types')
  const named = new Set<string>()
  for (const file of await readdir(types, { recursive: true })) {
    const text = file.endsWith('.d.ts') ? await readFile(join(types, file), 'utf8') : ''
    for (const [, name = ''] of text.matchAll(/(?:from |import\()["']((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g)) named.add(name)
  }
  // Docstrings of entry points import the package itself.
  const known = ['portico', ...Object.keys({ ...dependencies, ...peerDependencies })]
  t.deepEqual(
    [...named].filter((name) => !known.includes(name) && !name.startsWith('node:')),
    [],
  )
})

test('the types contain the docstrings of the facade', async (t) => {
  const docstringOf = async (room: string, member: string): Promise<string> => {
    const file = join(pack.home, 'node_modules/portico/dist/types/core', room, 'module.d.ts')
    const [docstring = ''] = new RegExp(`/\\*\\*[^/]*\\*/\\n *${member}: `).exec(await readFile(file, 'utf8')) ?? []
    return docstring
  }
  const issue = await docstringOf('payments/charges', 'issue')
  for (const word of ['Issues a charge', 'in cents', 'Fails: `fields`', '`bank.refused`'])
    t.true(issue.includes(word), word)
  const runRent = await docstringOf('real-estate/rents', 'runRent')
  for (const word of ['Creates the rent of a month', 'cents', 'Fails: `fields`']) t.true(runRent.includes(word), word)
})

test('the package installs few dependencies, without install scripts except SQLite’s', (t) => {
  t.log(pack.inMemory, pack.onSqlite)
  t.deepEqual(pack.inMemory.scripts, [])
  t.deepEqual(pack.onSqlite.scripts, ['node_modules/@photostructure/sqlite'])
  for (const { packages } of [pack.inMemory, pack.onSqlite]) t.true(packages <= MOST_PACKAGES, `${packages} packages`)
  t.true(pack.inMemory.megabytes <= MOST_MB_IN_MEMORY, `${pack.inMemory.megabytes} MB`)
  t.true(pack.onSqlite.megabytes <= MOST_MB_ON_SQLITE, `${pack.onSqlite.megabytes} MB`)
})

test('the server runs from the installed package', async (t) => {
  const app = startCommand(porticoIn(pack.home), { DATA_DIR: join(pack.home, 'data'), STORE_URL: 'memory:' }, pack.home)
  t.teardown(() => app.child.kill('SIGKILL'))
  const { payments } = await app.ready
  t.like(await (await fetch(`${payments}/health`)).json(), { status: 'ok', version: VERSION })
  app.child.kill('SIGTERM')
  t.like(await app.ended, { code: 0, signal: null, stderr: '' })
})

test('refuses a store without its driver, with one line', async (t) => {
  const stores = {
    'mongodb://127.0.0.1:1': 'mongodb',
    ...(isBuiltin('node:sqlite') ? {} : { 'sqlite:x/y.db': SQLITE }),
  }
  for (const [STORE_URL, name] of Object.entries(stores)) {
    const env = { DATA_DIR: join(pack.bare, 'data'), STORE_URL, ...STORE_SECRETS }
    const { code, stderr } = await startCommand(porticoIn(pack.bare), env, pack.bare).ended
    t.is(code, 1)
    t.regex(stderr, new RegExp(`^STORE_URL: [^\\n]* cannot be opened: [^\\n]*npm install ${name}\\n$`))
  }
})

const TYPED = `
import { paymentsClient, realEstateClient, verifyWebhook, type PorticoError } from 'portico/client'

const pay = paymentsClient({ baseUrl: 'https://pay.example.com', auth: { email: 'a@b.example', apiKey: 'k' } })
const { data: charge } = await pay.get('/invoices/{id}', { path: { id: 1 } })
const value: number = charge.value
for await (const { data } of pay.pages('/invoices', { query: { status_id: [1] } })) console.log(data.length, value)
const event = await verifyWebhook(new Headers(), 'body', 'whsec_')
if (event.type === 'charge.paid') console.log(event.data.id)
export const isUnknown = ({ code }: PorticoError): boolean => code === 'charge.unknown'
// @ts-expect-error: no such path.
pay.get('/invoice')
// @ts-expect-error: the id is missing.
pay.get('/invoices/{id}')
// @ts-expect-error: no such field.
console.log(charge.amount)
// @ts-expect-error: no list of pages.
pay.pages('/access/register/status', { query: { document: '1' } })
// @ts-expect-error: a public route takes no key.
pay.post('/v1/auth/login', { body: { email: '', password: '' }, idempotencyKey: 'x' })
// @ts-expect-error: an agency's tokens are its provider's.
realEstateClient({ baseUrl: 'https://imoveis.example.com', auth: { email: '', password: '' } })
`

/** A failure of a use case has its type, and not `any`. */
const EMBEDDED = `
import { isLeft, payments, type PaymentsPorts } from 'portico'
import 'portico/adapters/memory'
import 'portico/adapters/sqlite'

declare const ports: PaymentsPorts
const issued = await payments(ports).charges.issue({} as never, {} as never)()
if (isLeft(issued)) console.log(issued.left.code === 'bank.refused')
// @ts-expect-error: no such code.
if (isLeft(issued)) console.log(issued.left.code === 'no.such-code')
`

const LIB = ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts']
const STRICT = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2023, lib: LIB }
const NODE_NEXT = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }

/** Compiles a program beside the bare package, with the types of its dependencies too, and returns its errors. */
const errorsOf = async (name: string, program: string, options: ts.CompilerOptions): Promise<readonly string[]> => {
  const file = join(pack.bare, `${name}.mts`)
  await writeFile(file, program)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], { ...STRICT, ...options }))
    .map(({ messageText, file: at }) => `${at?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

for (const [name, options] of Object.entries({
  nodenext: NODE_NEXT,
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
}))
  test(`a program with the core and the typed client compiles under ${name}, without Node’s types`, async (t) => {
    t.deepEqual(await errorsOf(name, TYPED + EMBEDDED, { ...options, types: [] }), [])
  })

test('a program with the APIs compiles without the optional packages', async (t) => {
  const served = "import { paymentsApi, realEstateApi } from 'portico/http'\nconsole.log(paymentsApi, realEstateApi)\n"
  const withNode = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }
  t.deepEqual(await errorsOf('served', served, { ...NODE_NEXT, ...withNode }), [])
})

test('the package agrees with its package.json', async (t) => {
  await t.notThrowsAsync(npx('publint', 'run', pack.tarball, '--strict'))
})

test('all module resolutions find the types', async (t) => {
  await t.notThrowsAsync(npx('attw', '--profile', 'esm-only', pack.tarball))
})
