import { join } from 'node:path'
import { type Database, openDatabase } from '../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import { eq, insert } from '../../core/kernel/records/record.ts'
import { byId, listOf, type Store } from '../../core/ports/store.ts'
import { inDirectory } from './http/stage.ts'
import { inFlight, rates, straight } from './rates.ts'
import { benchCollections, book, books, type Note, note, notes, posting } from './records.ts'
import type { Figure } from './table.ts'

const LANES = 64
const PAGE = 15
const RECORDS = 4_000
const BATCH = 500

/** The driver alone: one table, one index, one commit per record, flushed like ours. */
const bareDriver = async (path: string) => {
  const database: Database = await openDatabase(path)
  for (const pragma of ['journal_mode=WAL', 'synchronous=FULL']) database.prepare(`PRAGMA ${pragma}`).get()
  database.prepare('CREATE TABLE notes (id INTEGER PRIMARY KEY, accountId, createdAt, doc TEXT)').run()
  database.prepare('CREATE INDEX pages ON notes (accountId, createdAt)').run()
  database.prepare('CREATE TABLE counts (accountId PRIMARY KEY, n)').run()
  const put = database.prepare('INSERT INTO notes VALUES (?, ?, ?, ?)')
  const get = database.prepare('SELECT doc FROM notes WHERE id = ?')
  const page = database.prepare(`SELECT doc FROM notes WHERE accountId = ? ORDER BY createdAt DESC LIMIT ${PAGE}`)
  const count = database.prepare('SELECT n FROM counts WHERE accountId = ?')
  return {
    put: (one: Note) => put.run(one.id, one.accountId, one.createdAt, JSON.stringify(one)),
    get: (id: number) => JSON.parse(String(get.get(id)?.doc)),
    page: (accountId: number) => [
      page.all(accountId).map(({ doc }) => JSON.parse(String(doc))),
      count.get(accountId)?.n ?? null,
    ],
    close: () => database.close(),
  }
}
type Bare = Awaited<ReturnType<typeof bareDriver>>

/** The store of this project against the bare driver, and against itself where records are shared. */
export const storeFigures = (): Promise<readonly Figure[]> =>
  inDirectory(async (folder) => {
    const store = await sqliteStore(join(folder, 'store.db'), benchCollections)
    const bare = await bareDriver(join(folder, 'bare.db'))
    for (let id = 1; id <= RECORDS; id += 1) {
      bare.put(note(id))
      if (id % BATCH === 0) await store.commit(numbersTo(id, BATCH).map((each) => insert(notes, note(each))))
    }
    const figures = [...(await commits(store, bare)), ...(await reads(store, bare)), await postings(store)]
    await store.close()
    bare.close()
    return figures
  })

const numbersTo = (last: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => last - count + 1 + index)

const commits = async (store: Store, bare: Bare): Promise<readonly Figure[]> => {
  let [last, lastBare] = [RECORDS, RECORDS]
  const ours = (lanes: number) =>
    inFlight(lanes, () => {
      last += 1
      return store.commit([insert(notes, note(last))])
    })
  const single = straight(() => {
    lastBare += 1
    bare.put(note(lastBare))
  })
  const common = { unit: '/s', of: 'one commit after the other, driver alone' } as const
  return [
    { name: 'commits, 1 in flight', ...common, aim: { atLeast: 0.5 }, ...(await rates(ours(1), single)) },
    { name: `commits, ${LANES} in flight`, ...common, aim: { atLeast: 5 }, ...(await rates(ours(LANES), single)) },
  ]
}

const reads = async (store: Store, bare: Bare): Promise<readonly Figure[]> => {
  const query = { sort: { by: 'createdAt', dir: 'desc' }, limit: PAGE, total: true } as const
  const find = inFlight(1, (number) => store.find(byId(notes, 1 + (number % RECORDS))))
  const list = inFlight(1, (number) => store.list(listOf(notes, { where: eq('accountId', number % 10), ...query })))
  const bareFind = straight((number) => bare.get(1 + (number % RECORDS)))
  const barePage = straight((number) => bare.page(number % 10))
  const common = { unit: '/s', of: 'the same statements, driver alone, parsed', aim: { atLeast: 0.5 } } as const
  return [
    { name: 'find by id', ...common, ...(await rates(find, bareFind)) },
    { name: `page of ${PAGE} with total`, ...common, ...(await rates(list, barePage)) },
  ]
}

const postings = async (store: Store): Promise<Figure> => {
  for (let id = 0; id <= LANES; id += 1) await store.commit([insert(books, book(id))])
  let last = 0
  const post = (accounts: number) =>
    inFlight(LANES, (number) => {
      last += 1
      return store.commit(posting(accounts === 1 ? 0 : 1 + (number % accounts), last))
    })
  return {
    name: `postings on one account, ${LANES} at once`,
    unit: '/s',
    of: `postings on ${LANES} accounts`,
    aim: { atLeast: 0.5 },
    ...(await rates(post(1), post(LANES))),
  }
}
