import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../adapters/sqlite/file/driver.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import { insert } from '../../core/kernel/change.ts'
import { eq } from '../../core/kernel/where.ts'
import { byId, listOf, type Store } from '../../core/ports/store.ts'
import { inFlight, rates } from './rates.ts'
import { benchCollections, books, type Note, note, notes, posting } from './records.ts'
import type { Figure } from './table.ts'

const COMMITS = 4_000
const SINGLE_COMMITS = 800
const READS = 4_000
const LANES = 64
const PAGE = 15

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

/** The store of the house against the bare driver, and against itself where records are shared. */
export const storeFigures = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'))
  const store = await sqliteStore(join(folder, 'store.db'), benchCollections)
  const bare = await bareDriver(join(folder, 'bare.db'))
  try {
    return [...(await commits(store, bare)), ...(await reads(store, bare)), await postings(store)]
  } finally {
    await store.close()
    bare.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const counter = (): (() => number) => {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

const commits = async (store: Store, bare: Bare): Promise<readonly Figure[]> => {
  const [next, nextBare] = [counter(), counter()]
  const ours = (lanes: number, times: number) => () =>
    inFlight(lanes, times, () => store.commit([insert(notes, note(next()))]))
  const single = async (): Promise<number> => {
    for (let times = 0; times < SINGLE_COMMITS; times += 1) bare.put(note(nextBare()))
    return SINGLE_COMMITS
  }
  const floor = 'one commit after the other, driver alone'
  return [
    { name: 'commits, 1 in flight', floor, aim: 0.5, ...(await rates(ours(1, SINGLE_COMMITS), single)) },
    { name: `commits, ${LANES} in flight`, floor, aim: 5, ...(await rates(ours(LANES, COMMITS), single)) },
  ]
}

const reads = async (store: Store, bare: Bare): Promise<readonly Figure[]> => {
  const repeat = (read: (number: number) => unknown) => async (): Promise<number> => {
    for (let times = 1; times <= READS; times += 1) await read(times)
    return READS
  }
  const query = { sort: { by: 'createdAt', dir: 'desc' }, limit: PAGE, total: true } as const
  const find = (id: number) => store.find(byId(notes, id))
  const list = (times: number) => store.list(listOf(notes, { where: eq('accountId', times % 10), ...query }))
  const floor = 'the same statements, driver alone, parsed'
  return [
    { name: 'find by id', floor, aim: 0.5, ...(await rates(repeat(find), repeat(bare.get))) },
    {
      name: `page of ${PAGE} with total`,
      floor,
      aim: 0.5,
      ...(await rates(
        repeat(list),
        repeat((times) => bare.page(times % 10)),
      )),
    },
  ]
}

const postings = async (store: Store): Promise<Figure> => {
  for (let id = 0; id <= LANES; id += 1)
    await store.commit([insert(books, { id, balanceCents: 0, availableCents: 0, seq: 0 })])
  const next = counter()
  const post = (accounts: number) => () =>
    inFlight(LANES, COMMITS / 2, (number) =>
      store.commit(posting(accounts === 1 ? 0 : 1 + (number % accounts), next())),
    )
  return {
    name: `postings on one account, ${LANES} at once`,
    floor: `postings on ${LANES} accounts`,
    aim: 0.5,
    ...(await rates(post(1), post(LANES))),
  }
}
