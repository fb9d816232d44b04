import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { Chunks, Files } from '../../core/ports/files.ts'
import { type Check, type ContractCase, casesOf } from './contract.ts'

/** An empty store of files. */
export interface OpenedFiles {
  readonly files: Files
  /** Opens the same files as another process. Without it, the cases use one process. */
  readonly second?: () => Promise<Files>
  close(): Promise<void>
}

/** Opens the files for each case. */
export interface FilesContract {
  open(): Promise<OpenedFiles>
}

type Case = Check<OpenedFiles>

/**
 * Returns the rules of the port `Files`.
 *
 * ```ts
 * for (const { name, run } of filesContract({ open })) test(name, run)
 * ```
 */
export const filesContract = ({ open }: FilesContract): readonly ContractCase[] =>
  casesOf(open, (check) => {
    contents(check)
    names(check)
    races(check)
  })

/** Reads a whole file; null without a file. */
export const bytesIn = async (chunks: Chunks | null): Promise<Buffer | null> => {
  if (!chunks) return null
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return Buffer.concat(pieces)
}

const bytesOf = (length: number, seed = 1): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7 + (index >> 8)) % 256))

/** Yields pieces of these lengths and then the rest. Overwrites each before the next. */
async function* inPieces(bytes: Buffer, lengths: readonly number[]): Chunks {
  let at = 0
  for (const length of [...lengths, bytes.length]) {
    const piece = new Uint8Array(bytes.subarray(at, at + length))
    at += length
    yield piece
    piece.fill(0)
  }
}

async function* breakingOff(bytes: Buffer): Chunks {
  yield bytes
  throw new Error('broke off')
}

const SIZES = [0, 1, 255, 262_143, 262_144, 262_145, 2 * 1_048_576]
const NO_NAMES = ['', '.', '..', '../x', 'a/b', 'a\\b', 'a.b', 'a b', 'a\0', 'ação', '-\n', 'x'.repeat(101)]

const contents = (check: Case): void => {
  check('reads a stored file byte for byte, also in another process', async ({ files, second }) => {
    const other = (await second?.()) ?? files
    for (const size of SIZES) {
      const bytes = bytesOf(size)
      await files.write(`file-${size}`, bytes)
      ok((await bytesIn(await files.open(`file-${size}`)))?.equals(bytes), `${size} bytes`)
      ok((await bytesIn(await other.open(`file-${size}`)))?.equals(bytes), `${size} bytes, by another process`)
    }
  })

  check('finds no file that was never stored or was removed', async ({ files }) => {
    equal(await files.open('none'), null)
    await files.remove('none')
    await files.write('one', bytesOf(10))
    await files.remove('one')
    equal(await files.open('one'), null)
    await files.remove('one')
    await files.write('one', bytesOf(3))
    deepEqual(await bytesIn(await files.open('one')), bytesOf(3))
  })

  check('replaces a file of the same name, by a shorter one too', async ({ files }) => {
    await files.write('one', bytesOf(600_000))
    await files.write('one', bytesOf(5, 2))
    deepEqual(await bytesIn(await files.open('one')), bytesOf(5, 2))
  })

  check(
    'stores a file sent in pieces of any size whole, and leaves the pieces to the caller',
    async ({ files, second }) => {
      const whole = bytesOf(1_200_000)
      await files.write('one', inPieces(whole, [1, 0, 70_000, 262_144, 3, 500_000]))
      ok((await bytesIn(await files.open('one')))?.equals(whole))
      ok((await bytesIn(await ((await second?.()) ?? files).open('one')))?.equals(whole))
      await files.write('none', inPieces(bytesOf(0), []))
      equal((await bytesIn(await files.open('none')))?.length, 0)
    },
  )

  check('stores nothing of a stream that breaks off, and keeps the file that was there', async ({ files }) => {
    await files.write('one', bytesOf(10))
    await rejects(files.write('one', breakingOff(bytesOf(5_000_000))), /broke off/)
    await rejects(files.write('two', breakingOff(bytesOf(5_000_000))), /broke off/)
    deepEqual(await bytesIn(await files.open('one')), bytesOf(10))
    equal(await files.open('two'), null)
  })

  check('leaves the bytes to the caller', async ({ files }) => {
    const bytes = bytesOf(10)
    await files.write('one', bytes)
    bytes.fill(0)
    deepEqual(await bytesIn(await files.open('one')), bytesOf(10))
  })
}

const names = (check: Case): void => {
  check('keeps files apart whose names begin alike', async ({ files }) => {
    const alike = ['a', 'a-', 'a-1', 'a0', 'ab', '0', '-', 'x'.repeat(100)]
    for (const [index, each] of alike.entries()) await files.write(each, bytesOf(20, index))
    await files.remove('a')
    equal(await files.open('a'), null)
    for (const [index, each] of alike.entries()) {
      if (each !== 'a') deepEqual(await bytesIn(await files.open(each)), bytesOf(20, index), each)
    }
  })

  check('finds no file under an invalid name', async ({ files }) => {
    for (const each of NO_NAMES) {
      await rejects(files.write(each, bytesOf(1)), RangeError, each)
      await rejects(files.open(each), RangeError, each)
      await rejects(files.remove(each), RangeError, each)
    }
  })
}

const races = (check: Case): void => {
  check('keeps one whole file of several stored under one name at once', async ({ files, second }) => {
    const other = (await second?.()) ?? files
    const versions = Array.from({ length: 8 }, (_, index) => bytesOf(300_000 + index, index))
    await Promise.all(versions.map((bytes, index) => (index % 2 ? other : files).write('one', bytes)))
    const kept = await bytesIn(await files.open('one'))
    equal(versions.filter((bytes) => kept && bytes.equals(kept)).length, 1)
  })
}
