import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import type { Bank } from '../../core/ports/bank.ts'
import { bankContract } from '../contracts/bank.ts'
import { filesContract } from '../contracts/files.ts'
import { storeContract } from '../contracts/store/store-contract.ts'
import { ROOT } from '../root.ts'
import { exec } from './packed.ts'

/** A program and all that it is to print. */
export interface Program {
  readonly name: string
  readonly text: string
  /** The text without types, if it has any. */
  readonly runs?: string
  readonly prints: string
}

/** Cases are counted and named without anything being opened. */
const never = (): Promise<never> => Promise.reject(new Error('nothing is opened'))

/** A bank that can what the README's can, and of which nothing more is known: what is tried of it fails. */
const aVillage = async () => ({ bank: { can: ['open-account', 'pix'] } as unknown as Bank, close: async () => {} })

const BALANCE = 'balance: 15050 cents'

/** What its bank keeps or does not promise is told by name: the suite has no case that the README's program does not run. */
const casesOfBank = (): Promise<readonly string[]> =>
  Promise.all(
    bankContract({ open: aVillage, pay: async () => {} }).map(async ({ name, run }) => {
      const leftOut = await run().catch(() => null)
      return leftOut === null ? `kept: ${name}` : `left out: ${name} (${leftOut})`
    }),
  )

/** What the README's programs print, by their headings. */
const PRINTS: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  'In memory': () => [BALANCE],
  'A payment link': () => ['http://localhost/pay/…', 'https://loja.example/pago: payment_link.paid'],
  'A payment out': () => [
    'Diego Rocha is to get 10000 cents',
    'at first: pending',
    'then: completed',
    'balance: 5050 cents',
  ],
  'The rent of a month': () => ['rent of 2030-12: 310000 cents, due on 2030-12-15, Paid'],
  'On SQLite, with a worker': () => ['webhook: charge.paid', `${BALANCE}, mails: 1`],
  "A bank of one's own": async () => [...(await casesOfBank()), BALANCE],
}

const EMBEDDING = /^## Embedding the core\n([\s\S]*?)^## /m
const PROGRAM = /^### (.*)\n[\s\S]*?```[jt]s\n([\s\S]*?)```/gm

/** The programs of the README's section on embedding, to the letter. */
export const readmePrograms = async (): Promise<readonly Program[]> => {
  const [, section = ''] = EMBEDDING.exec(await readFile(join(ROOT, 'README.md'), 'utf8')) ?? []
  const found = new Map([...section.matchAll(PROGRAM)].map(([, heading = '', text = '']) => [heading, text]))
  return Promise.all(
    Object.entries(PRINTS).map(async ([name, lines]) => {
      const text = found.get(name)
      if (text === undefined) throw new Error(`the README has no program under ${name}`)
      return { name, text, runs: withoutTypes(text), prints: `${(await lines()).join('\n')}\n` }
    }),
  )
}

/** The entry points of the package that the programs import, as sources. */
const paths = {
  portico: ['./core/mod.ts'],
  'portico/adapters/*': ['./adapters/*/mod.ts'],
  'portico/contracts': ['./tests/contracts/mod.ts'],
  'portico/fake-bank': ['./adapters/bank/fake/mod.ts'],
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

/** Returns a program without its types, which not every runtime takes. */
const withoutTypes = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext } })
    .outputText

/** Registers somebody in a store on SQLite, and finds them by a scan: the thread beside the store reads. */
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

/** Webhooks stay away from private addresses, also where the runtime has an HTTP client of its own. */
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

/** Tries the packed adapters by the packed suites, the random ones too: for that `fast-check` is installed. */
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
