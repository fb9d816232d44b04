import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../root.ts'

export const exec = promisify(execFile)

const PROGRAM_MS = 120_000

/** What runs a program: the command that the program's file is added to. */
export type Runtime = readonly [command: string, ...args: readonly string[]]

export const thisNode: Runtime = [process.execPath]
export const deno: Runtime = [
  join(ROOT, 'node_modules/.bin/deno'),
  'run',
  '--quiet',
  '--allow-all',
  '--node-modules-dir=manual',
]

export const npx = (...args: readonly string[]) => exec('npx', ['--no-install', ...args], { cwd: ROOT })

/** A program's folder with the packed tarball installed in it, as an embedder has it. */
export interface Packed {
  readonly home: string
  readonly tarball: string
  /** What the program prints. Rejects where it fails. */
  run(runtime: Runtime, program: string): Promise<string>
  remove(): Promise<void>
}

/** Builds the package, packs it, and installs the tarball. */
export const packed = async (): Promise<Packed> => {
  const home = await mkdtemp(join(tmpdir(), 'portico-package-'))
  await npx('tsup')
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
  const { stdout } = await exec('npm', packing, { cwd: ROOT })
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
  let programs = 0
  return {
    home,
    tarball: join(home, filename),
    async run([command, ...args], program) {
      programs += 1
      const file = `program-${programs}.mjs`
      await writeFile(join(home, file), program)
      return (await exec(command, [...args, file], { cwd: home, timeout: PROGRAM_MS })).stdout
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

/** A program and all that it is to print. */
export interface Program {
  readonly name: string
  readonly text: string
  readonly prints: string
}

/** The README's program, to the letter. */
export const embedding = async (): Promise<Program> => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const text = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  return { name: 'the README’s program', text, prints: 'balance: 15050 cents\n' }
}

/** Registers somebody in a store of this file, and finds them by a scan. */
export const onSqlite = (file: string): Program => ({
  name: 'the packed SQLite store',
  text: `
import { isLeft, payments, paymentsCollections } from 'portico'
import { memoryPorts } from 'portico/adapters/memory'
import { sqliteStore } from 'portico/adapters/sqlite'

const store = await sqliteStore('${file}', paymentsCollections)
const pay = payments(memoryPorts({ store }))
const person = { name: 'Ana', email: 'ana@example.com', phone: null, password: 'segredo-123' }
const registered = await pay.people.register(person, { address: '127.0.0.1', device: null })()
if (isLeft(registered)) throw new Error(registered.left.code)
const users = paymentsCollections.find(({ name }) => name === 'payments.users')
for await (const user of store.scan(users, { all: [] })) console.log(user.id, user.email)
await store.close()
`,
  prints: '1 ana@example.com\n',
})
