import { randomUUID } from 'node:crypto'
import { Binary, type Filter } from 'mongodb'
import type { Chunks, Files } from '../../core/ports/files.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { checkFileName } from '../files/memory-files.ts'
import { retryDuplicate, retryUnsent, translated } from './connection.ts'
import type { Database } from './database.ts'

const FILES = '_files'
const CHUNKS = '_file-chunks'
const CHUNK_BYTES = 256 * 1_024
const PLACES = 6

/** The current version of a file. It is written after the chunks, so that an incomplete version is never read. */
interface StoredFile {
  readonly _id: string
  readonly version: string
  readonly chunks: number
}

interface Chunk {
  /** `name/version/000001`: the chunks of a file, and of a version, are adjacent and in order. */
  readonly _id: string
  readonly bytes: Binary
}

/** Files in the database of the store, shared by all its processes. */
export const mongoFiles = ({ db, withTimeout }: Pick<Database, 'db' | 'withTimeout'>): Files => {
  const files = db.collection<StoredFile>(FILES)
  const chunks = db.collection<Chunk>(CHUNKS)

  const removeChunks = (prefix: string) => withTimeout(() => chunks.deleteMany(startingWith(prefix)))
  const setVersion = (file: StoredFile) => {
    const { _id, ...set } = file
    return withTimeout(() => files.findOneAndUpdate({ _id }, { $set: set }, { upsert: true, returnDocument: 'before' }))
  }

  /** Writes the chunks of a version and returns their number. Removes them if an error occurs. */
  const write = async (version: string, content: Uint8Array | Chunks): Promise<number> => {
    let written = 0
    try {
      for await (const pieces of inBatches(chunksOfOneSize(content))) {
        const from = written
        const batch = pieces.map((piece, index) => ({ _id: chunkId(version, from + index), bytes: new Binary(piece) }))
        await withTimeout(() => chunks.insertMany(batch))
        written += batch.length
      }
    } catch (error) {
      await removeChunks(`${version}/`).catch(() => {})
      throw error
    }
    return written
  }

  return {
    write: (name, content) =>
      translated(async () => {
        const version = `${checkFileName(name)}/${randomUUID()}`
        const file: StoredFile = { _id: name, version, chunks: await write(version, content) }
        const before = await retryDuplicate(() => setVersion(file))
        if (before && before.version !== version) await removeChunks(`${before.version}/`)
      }),
    open: (name) =>
      translated(async () => {
        const file = await retryUnsent(withTimeout, () => files.findOne({ _id: checkFileName(name) }))
        if (!file) return null
        return chunksOf(file, (index) =>
          translated(() => retryUnsent(withTimeout, () => chunks.findOne({ _id: chunkId(file.version, index) }))),
        )
      }),
    remove: (name) =>
      translated(async () => {
        await withTimeout(() => files.deleteOne({ _id: checkFileName(name) }))
        // Includes the chunks of incomplete versions.
        await removeChunks(`${name}/`)
      }),
  }
}

/** Reads one chunk after the other, so that a large file is never in memory as a whole. */
async function* chunksOf(
  { _id, chunks }: StoredFile,
  read: (index: number) => Promise<{ readonly bytes: Binary } | null>,
): Chunks {
  for (let index = 0; index < chunks; index += 1) {
    const chunk = await read(index)
    // The caller must not mistake a part of the file for the whole.
    if (!chunk) throw new StoreUnavailable(`the file ${_id} was removed while it was read`)
    yield chunk.bytes.value()
  }
}

const chunkId = (version: string, index: number): string => `${version}/${`${index}`.padStart(PLACES, '0')}`

// Names and versions contain no slash, and `0` is the next character after it.
const startingWith = (prefix: string): Filter<Chunk> => ({ _id: { $gte: prefix, $lt: `${prefix.slice(0, -1)}0` } })

/** Copies content of any chunk sizes to chunks of one size. The caller may reuse its buffers. */
async function* chunksOfOneSize(content: Uint8Array | Chunks): AsyncIterable<Uint8Array> {
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

const CHUNKS_AT_ONCE = 16

async function* inBatches<A>(items: AsyncIterable<A>): AsyncIterable<readonly A[]> {
  let batch: A[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < CHUNKS_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
