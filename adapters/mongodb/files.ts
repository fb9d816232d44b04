import { randomUUID } from 'node:crypto'
import { Binary, type Filter } from 'mongodb'
import type { Chunks, Files } from '../../core/ports/files.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { checkFileName } from '../files/memory-files.ts'
import { isDuplicate, retryUnsent, toStoreError } from './connection.ts'
import type { Database } from './database.ts'

const FILES = '_files'
const CHUNKS = '_file-chunks'
const CHUNK_BYTES = 256 * 1_024
const PLACES = 6

/** Which version of a file counts: it comes last, so that a half-written one is never read. */
interface Kept {
  readonly _id: string
  readonly version: string
  readonly chunks: number
}

interface Chunk {
  /** `name/version/000001`: all of a name, and all of a version, stand together in the order of their bytes. */
  readonly _id: string
  readonly bytes: Binary
}

/** Files in the database of the store: every process of it serves what another took. */
export const mongoFiles = ({ db, withTimeout: answered }: Pick<Database, 'db' | 'withTimeout'>): Files => {
  const files = db.collection<Kept>(FILES)
  const chunks = db.collection<Chunk>(CHUNKS)

  const forget = (begins: string) => answered(() => chunks.deleteMany(beginning(begins)))
  const point = (kept: Kept) => {
    const { _id, ...set } = kept
    return answered(() => files.findOneAndUpdate({ _id }, { $set: set }, { upsert: true, returnDocument: 'before' }))
  }

  /** Writes the pieces of a version, some at once; how many they are. What breaks off leaves none. */
  const write = async (version: string, content: Uint8Array | Chunks): Promise<number> => {
    let written = 0
    try {
      for await (const pieces of inBatches(piecesOf(content))) {
        const from = written
        const batch = pieces.map((piece, index) => ({ _id: chunkId(version, from + index), bytes: new Binary(piece) }))
        await answered(() => chunks.insertMany(batch))
        written += batch.length
      }
    } catch (error) {
      await forget(`${version}/`).catch(() => {})
      throw error
    }
    return written
  }

  return {
    write: (name, content) =>
      told(async () => {
        const version = `${checkFileName(name)}/${randomUUID()}`
        const kept: Kept = { _id: name, version, chunks: await write(version, content) }
        // Of two that make the record, one is refused; it is there then.
        const before = await point(kept).catch((error: unknown) =>
          isDuplicate(error) ? point(kept) : Promise.reject(error),
        )
        if (before && before.version !== version) await forget(`${before.version}/`)
      }),
    open: (name) =>
      told(async () => {
        const kept = await retryUnsent(answered, () => files.findOne({ _id: checkFileName(name) }))
        if (!kept) return null
        return chunksOf(kept, (index) =>
          told(() => retryUnsent(answered, () => chunks.findOne({ _id: chunkId(kept.version, index) }))),
        )
      }),
    remove: (name) =>
      told(async () => {
        await answered(() => files.deleteOne({ _id: checkFileName(name) }))
        // Also what was begun under this name and never kept.
        await forget(`${name}/`)
      }),
  }
}

const told = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}

/** What its bytes are read from, one after the other, so that a large file is never in memory as a whole. */
async function* chunksOf(
  { _id, chunks }: Kept,
  read: (index: number) => Promise<{ readonly bytes: Binary } | null>,
): Chunks {
  for (let index = 0; index < chunks; index += 1) {
    const chunk = await read(index)
    // Whoever reads it must not take half of it for the whole.
    if (!chunk) throw new StoreUnavailable(`the file ${_id} was removed while it was read`)
    yield chunk.bytes.value()
  }
}

const chunkId = (version: string, index: number): string => `${version}/${`${index}`.padStart(PLACES, '0')}`

// A slash is in no name and in no version, and `0` is what comes after it.
const beginning = (begins: string): Filter<Chunk> => ({ _id: { $gte: begins, $lt: `${begins.slice(0, -1)}0` } })

/** What was sent in pieces of whatever size, in pieces of one size; copies, since who gave them may use them again. */
async function* piecesOf(content: Uint8Array | Chunks): AsyncIterable<Uint8Array> {
  let piece = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : content)
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + CHUNK_BYTES - filled)
      piece.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < CHUNK_BYTES) continue
      yield piece
      piece = new Uint8Array(CHUNK_BYTES)
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}

/** As many at once as a message to the database holds with ease. */
const PIECES_AT_ONCE = 16

async function* inBatches<A>(items: AsyncIterable<A>): AsyncIterable<readonly A[]> {
  let batch: A[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < PIECES_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
