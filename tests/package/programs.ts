import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { filesContract } from '../contracts/files.ts'
import { storeContract } from '../contracts/store/store-contract.ts'
import { ROOT } from '../root.ts'
import { allBlocks, PLACE } from './documents.ts'
import { exec } from './packed.ts'

/** A program and its expected output. */
export interface Program {
  readonly name: string
  readonly text: string
  /** The text without types, if it has any. */
  readonly runs?: string
  readonly prints: string
}

/** Lists the cases of the contracts without opening an adapter. */
const never = (): Promise<never> => Promise.reject(new Error('nothing is opened'))

/** The programs of the documents for embedders, each with its documented output. */
export const documentedPrograms = (): readonly Program[] =>
  allBlocks()
    .filter(({ language, text }) => ['js', 'ts'].includes(language) && !PLACE.test(text))
    .map(({ document, heading, text, output }) => {
      if (output === null) throw new Error(`${document}: the program under "${heading}" has no output`)
      return { name: `${document}: ${heading}`, text, runs: withoutTypes(text), prints: output }
    })

/** The entry points of the package that the programs import, as sources. */
const paths = {
  portico: ['./core/mod.ts'],
  'portico/adapters/*': ['./adapters/*/mod.ts'],
  'portico/client': ['./apps/client/mod.ts'],
  'portico/contracts': ['./tests/contracts/mod.ts'],
  'portico/fake-bank': ['./adapters/bank/fake/mod.ts'],
  'portico/http': ['./apps/mod.ts'],
}

/**
 * Returns the errors of programs as strict TypeScript. They are written below the project, whose packages they find there. The
 * compiler has a process of its own: in this one it would keep other tests waiting.
 */
export const typeErrors = async (programs: readonly Program[]): Promise<string> => {
  const folder = await mkdtemp(join(ROOT, 'build', 'programs-'))
  try {
    await Promise.all(programs.map(({ text }, at) => writeFile(join(folder, `${at}.ts`), text)))
    const compilerOptions = { noUnusedLocals: false, incremental: false, tsBuildInfoFile: null, baseUrl: ROOT, paths }
    const project = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project))
    const compiled = exec(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder])
    return await compiled.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns a program without its types, which some runtimes do not accept. */
const withoutTypes = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext } })
    .outputText

/** Registers a user on SQLite and finds the record by a scan, which the reader thread serves. */
export const onSqlite: Program = {
  name: 'the packed SQLite store',
  text: `
import { isLeft, payments, paymentsCollections } from 'portico'
import { memoryPorts } from 'portico/adapters/memory'
import { sqliteStore } from 'portico/adapters/sqlite'

const store = await sqliteStore('store.db', paymentsCollections)
const pay = payments(memoryPorts({ store }))
const person = { name: 'Ana', email: 'ana@example.com', phone: null, password: 'segredo-123' }
const registered = await pay.people.register(person, { address: '127.0.0.1', device: null })()
if (isLeft(registered)) throw new Error(registered.left.code)
const users = paymentsCollections.find(({ name }) => name === 'payments.users')
for await (const user of store.scan(users, { all: [] })) console.log(user.id, user.email)
await store.close()
`,
  prints: '1 ana@example.com\n',
}

/** Webhooks are not sent to private addresses, also on runtimes with their own HTTP client. */
export const awayFromPrivate: Program = {
  name: 'no webhook to a private address',
  text: `
import { httpSender } from 'portico/adapters/node'

const sender = httpSender({ allowPrivate: false })
const { error } = await sender.post({ url: 'https://localhost/', headers: {}, body: '' })
console.log(error)
await sender.close()
`,
  prints: 'private address: only WEBHOOKS_ALLOW_PRIVATE=true allows it\n',
}

/** Runs the packed contracts on the packed adapters; the random ones require `fast-check`. */
export const contracts: Program = {
  name: 'the packed contracts',
  text: `
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { diskFiles } from 'portico/adapters/node'
import { sqliteStore } from 'portico/adapters/sqlite'
import { filesContract, storeContract } from 'portico/contracts'

const open = async (collections) => {
  const folder = await mkdtemp('./store-')
  const opened = []
  const openAs = async (others = collections) => {
    opened.push(await sqliteStore(join(folder, 'store.db'), others))
    return opened.at(-1)
  }
  const closeAll = () => Promise.all(opened.splice(0).map((store) => store.close()))
  const as = (others) => closeAll().then(() => openAs(others))
  const close = () => closeAll().then(() => rm(folder, { recursive: true }))
  return { store: await openAs(), second: () => openAs(), reopen: () => as(), as, close }
}
const openFiles = async () => {
  const directory = await mkdtemp('./files-')
  return { files: diskFiles({ directory }), close: () => rm(directory, { recursive: true }) }
}
const cases = [...storeContract({ open }), ...filesContract({ open: openFiles })]
for (const { name, run } of cases) await run().catch((error) => { throw new Error(name, { cause: error }) })
console.log(\`kept: \${cases.length}\`)
`,
  prints: `kept: ${storeContract({ open: never }).length + filesContract({ open: never }).length}\n`,
}
