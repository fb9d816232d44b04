import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'

const exec = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const DENO = join(ROOT, 'node_modules/.bin/deno')

/** A program's folder with the packed tarball installed in it, as an embedder has it. */
let home = ''

const npx = (...args: readonly string[]) => exec('npx', ['--no-install', ...args], { cwd: ROOT })

test.before('the package is built, packed and installed', async () => {
  home = await mkdtemp(join(tmpdir(), 'portico-package-'))
  await npx('tsup')
  const { stdout } = await exec('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', home], {
    cwd: ROOT,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const modules = join(home, 'node_modules')
  await mkdir(join(modules, 'portico'), { recursive: true })
  await exec('tar', ['-xzf', join(home, filename), '--strip-components=1', '-C', join(modules, 'portico')])
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    await mkdir(join(modules, name, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  }
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', dependencies: { portico: '*' } }))
})

test.after.always(() => rm(home, { recursive: true, force: true }))

const inNode = async (file: string) => (await exec(process.execPath, [file], { cwd: home })).stdout
const inDeno = async (file: string) =>
  (await exec(DENO, ['run', '--quiet', '--allow-all', '--node-modules-dir=manual', file], { cwd: home })).stdout

/** The README's program, to the letter. */
const readmeProgram = async (): Promise<string> => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  return /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
}

test('the README embeds the core in under 30 lines, in Node and in Deno', async (t) => {
  const program = await readmeProgram()
  t.true(program.split('\n').length < 30)
  await writeFile(join(home, 'embed.mjs'), program)
  t.is(await inNode('embed.mjs'), 'balance: 15050 cents\n')
  t.is(await inDeno('embed.mjs'), 'balance: 15050 cents\n')
})

const ON_SQLITE = `
import { isLeft, payments, paymentsCollections } from 'portico'
import { memoryPorts } from 'portico/adapters/memory'
import { sqliteStore } from 'portico/adapters/sqlite'

const store = await sqliteStore(process.argv[2], paymentsCollections)
const pay = payments(memoryPorts({ store }))
const person = { name: 'Ana', email: 'ana@example.com', phone: null, password: 'segredo-123' }
const registered = await pay.register(person, { address: '127.0.0.1', device: null })()
if (isLeft(registered)) throw new Error(registered.left.code)
const users = paymentsCollections.find(({ name }) => name === 'payments.users')
for await (const user of store.scan(users, { all: [] })) console.log(user.id, user.email)
await store.close()
`

test('the packed SQLite store works with its reader thread, in Node and in Deno', async (t) => {
  await writeFile(join(home, 'sqlite.mjs'), ON_SQLITE.replace('process.argv[2]', "'node.db'"))
  t.is(await inNode('sqlite.mjs'), '1 ana@example.com\n')
  await writeFile(
    join(home, 'sqlite.mjs'),
    `import process from 'node:process'\n${ON_SQLITE.replace('process.argv[2]', "'deno.db'")}`,
  )
  t.is(await inDeno('sqlite.mjs'), '1 ana@example.com\n')
})

test('what is packed is the doors, their types and no source', async (t) => {
  const files = await readdir(join(home, 'node_modules/portico'), { recursive: true })
  t.deepEqual(
    files.filter((file) => /^(core|apps|tests)\//.test(file)),
    [],
  )
  for (const door of ['core', 'adapters/memory', 'adapters/sqlite']) {
    t.true(files.includes(`dist/${door}.js`), door)
    t.true(files.includes(`dist/${door}.d.ts`), door)
  }
})

test('the package is what its package.json says', async (t) => {
  await t.notThrowsAsync(npx('publint', '--strict'))
  await t.notThrowsAsync(npx('attw', '--pack', '--profile', 'esm-only', '.'))
})
