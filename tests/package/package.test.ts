import { readdir, readFile, symlink } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import test from 'ava'
import { VERSION } from '../../apps/host/version.ts'
import { startCommand } from '../apps/host/process.ts'
import { STORE_SECRETS } from '../apps/store-url.ts'
import { ROOT } from '../root.ts'
import { mounted } from './mounted.ts'
import { deno, npx, type Packed, packed, porticoIn, SQLITE, thisNode } from './packed.ts'
import { onSqlite, readmePrograms } from './programs.ts'

const MOST_PACKAGES = 40
const MOST_MB_IN_MEMORY = 20
const MOST_MB_ON_SQLITE = 50

let pack: Packed
test.before('the package is built, packed and installed', async () => {
  pack = await packed()
})
test.after.always(() => pack?.remove())

test('the README’s programs embed the core as they stand there, in Node and in Deno', async (t) => {
  for (const { name, text, prints } of await readmePrograms())
    for (const runtime of [thisNode, deno]) t.is(await pack.run(runtime, text), prints, `${name}: ${runtime[0]}`)
})

test('the README embeds the core in under 30 lines', async (t) => {
  const [inMemory] = await readmePrograms()
  t.true((inMemory?.text.split('\n').length ?? 30) < 30)
})

test('the packed SQLite store works with its reader thread, in Node and in Deno', async (t) => {
  for (const runtime of [thisNode, deno]) t.is(await pack.run(runtime, onSqlite.text), onSqlite.prints)
})

test('the packed API answers in a server of node:http and in somebody’s Koa, in Node and in Deno', async (t) => {
  await symlink(join(ROOT, 'node_modules/koa'), join(pack.home, 'node_modules/koa'))
  for (const runtime of [thisNode, deno]) t.is(await pack.run(runtime, mounted.text), mounted.prints)
})

test('the types name no package that who installs it does not have', async (t) => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const types = join(pack.home, 'node_modules/portico/dist/types')
  const named = new Set<string>()
  for (const file of await readdir(types, { recursive: true })) {
    const text = file.endsWith('.d.ts') ? await readFile(join(types, file), 'utf8') : ''
    for (const [, name = ''] of text.matchAll(/(?:from |import\()["']((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g)) named.add(name)
  }
  // What is said of a door shows how it is imported.
  const known = ['portico', ...Object.keys({ ...dependencies, ...peerDependencies })]
  t.deepEqual(
    [...named].filter((name) => !known.includes(name) && !name.startsWith('node:')),
    [],
  )
})

test('what is packed is what is built, its types and what starts it', async (t) => {
  const files = await readdir(join(pack.home, 'node_modules/portico'), { recursive: true })
  t.deepEqual(
    files.filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.d.ts')),
    ['apps/start.mjs'],
  )
  for (const door of ['core', 'memory', 'sqlite', 'node', 'http']) t.true(files.includes(`dist/${door}.js`), door)
})

test('what is said of a member of the facade reaches the types', async (t) => {
  const file = 'node_modules/portico/dist/types/core/payments/charges/module.d.ts'
  const [said = ''] = /\/\*\*[^/]*\*\/\n *issue: /.exec(await readFile(join(pack.home, file), 'utf8')) ?? []
  for (const word of ['Issues a charge', 'in cents', 'Fails: `fields`', '`bank.refused`', 'Source: 02-billing.md'])
    t.true(said.includes(word), word)
})

test('who embeds the core installs little, and nothing runs meanwhile but what SQLite brings', (t) => {
  t.log(pack.inMemory, pack.onSqlite)
  t.deepEqual(pack.inMemory.scripts, [])
  t.deepEqual(pack.onSqlite.scripts, ['node_modules/@photostructure/sqlite'])
  for (const { packages } of [pack.inMemory, pack.onSqlite]) t.true(packages <= MOST_PACKAGES, `${packages} packages`)
  t.true(pack.inMemory.megabytes <= MOST_MB_IN_MEMORY, `${pack.inMemory.megabytes} MB`)
  t.true(pack.onSqlite.megabytes <= MOST_MB_ON_SQLITE, `${pack.onSqlite.megabytes} MB`)
})

test('the terms of every package that was built in are in the package', async (t) => {
  const terms = await readFile(join(pack.home, 'node_modules/portico/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['koa', '@koa/router', 'koa-body', 'pino', 'zod', 'qrcode'])
    t.regex(terms, new RegExp(`^${name} [0-9.]+ \\(MIT\\)$`, 'm'))
})

test('the server runs from the installed package, with a store, a stop, an audit', async (t) => {
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

test('a store whose driver is not installed stops the start with one line', async (t) => {
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

test('the package is what its package.json says', async (t) => {
  await t.notThrowsAsync(npx('publint', 'run', pack.tarball, '--strict'))
  await t.notThrowsAsync(npx('attw', '--profile', 'esm-only', pack.tarball))
})
