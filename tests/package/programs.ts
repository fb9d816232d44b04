import { filesContract } from '../contracts/files.ts'
import { storeContract } from '../contracts/store/store-contract.ts'
import { allBlocks } from './documents.ts'

/** A program and all that it is to print. */
export interface Program {
  readonly name: string
  readonly text: string
  readonly prints: string
}

/** Cases are counted and named without anything being opened. */
const never = (): Promise<never> => Promise.reject(new Error('nothing is opened'))

/** The programs of the documents for embedders, to the letter, each with the output that follows it there. */
export const documentedPrograms = (): readonly Program[] =>
  allBlocks()
    .filter(({ language }) => language === 'js')
    .map(({ document, heading, text, output }) => {
      if (output === null) throw new Error(`${document}: the program under "${heading}" has no output`)
      return { name: `${document}: ${heading}`, text, prints: output }
    })

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
  prints: 'private address\n',
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
