import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BSON, type Db, type Document } from 'mongodb'
import { ROOT } from '../../root.ts'
import type { Knowledge } from './known.ts'

/** Where the stores of releases are kept, a folder each. */
export const STORES = join(ROOT, 'tests/fixtures/stores')

/** How a store was served, and what people know of it. */
export interface KeptStore {
  /** The environment of its processes, but for the place where it lies. */
  readonly env: Readonly<Record<string, string>>
  readonly known: Knowledge
}

/**
 * What stands in `fixture.json`. Beside it, `sqlite` is a whole `DATA_DIR` with the file in it; `mongodb` is another, whose
 * `dump` holds the documents of the database, a file for each of its collections and a line for each document.
 */
export interface Fixture {
  readonly release: string
  /** When its last process died. */
  readonly now: string
  /** What the release kept, by the names of its collections. */
  readonly collections: readonly string[]
  readonly sqlite: KeptStore
  readonly mongodb: KeptStore
}

export const folderOf = (release: string): string => join(STORES, release)

/** Returns the stores of earlier releases, the oldest first, and of this one once it is released. */
export const fixtures = (): readonly Fixture[] =>
  readdirSync(STORES)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((release) => join(STORES, release, 'fixture.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))

const LINES = '.jsonl'

/** The documents of a database as they lie there, types and all: a text for each collection. */
export const dumped = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
  const texts = new Map<string, string>()
  for (const name of names) {
    const documents = await db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray()
    const lines = documents.map((document) => BSON.EJSON.stringify(document, { relaxed: false }))
    if (lines.length > 0) texts.set(`${name}${LINES}`, `${lines.join('\n')}\n`)
  }
  return texts
}

/** Puts the documents of a folder into a database that holds nothing. */
export const loaded = async (db: Db, folder: string): Promise<void> => {
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
    const documents: Document[] = lines.map((line) => BSON.EJSON.parse(line, { relaxed: false }))
    await db.collection(file.slice(0, -LINES.length)).insertMany(documents)
  }
}
