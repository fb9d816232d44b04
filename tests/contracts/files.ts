import type { ExecutionContext, TestFn } from 'ava'
import type { Chunks, Files } from '../../core/ports/files.ts'

/** Files that hold nothing yet. */
export interface OpenedFiles {
  readonly files: Files
  /** The same files as another process sees them. Where nothing is shared, the ones that there are. */
  readonly second?: () => Promise<Files>
  close(): Promise<void>
}

export const bytesIn = async (chunks: Chunks | null): Promise<Buffer | null> => {
  if (!chunks) return null
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** So many bytes, none like its neighbour. */
const bytesOf = (length: number, seed = 1): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7 + (index >> 8)) % 256))

const SIZES = [0, 1, 255, 262_143, 262_144, 262_145, 2 * 1_048_576]
const NO_NAMES = ['', '.', '..', '../x', 'a/b', 'a\\b', 'a.b', 'a b', 'a\0', 'ação', '-\n', 'x'.repeat(101)]

/** Everything that files promise, the same for every adapter. */
export const filesContract = (test: TestFn, name: string, open: () => Promise<OpenedFiles>): void => {
  const check = (title: string, body: (t: ExecutionContext, opened: OpenedFiles) => Promise<void>): void =>
    test(`${name} files: ${title}`, async (t) => {
      const opened = await open()
      try {
        await body(t, opened)
      } finally {
        await opened.close()
      }
    })

  check('what is kept is read, byte for byte, also by another process', async (t, { files, second }) => {
    const other = (await second?.()) ?? files
    for (const size of SIZES) {
      const bytes = bytesOf(size)
      await files.keep(`file-${size}`, bytes)
      t.true((await bytesIn(await files.open(`file-${size}`)))?.equals(bytes), `${size}`)
      t.true((await bytesIn(await other.open(`file-${size}`)))?.equals(bytes), `${size}`)
    }
  })

  check('what was never kept, or was removed, is not there', async (t, { files }) => {
    t.is(await files.open('none'), null)
    await t.notThrowsAsync(files.remove('none'))
    await files.keep('one', bytesOf(10))
    await files.remove('one')
    t.is(await files.open('one'), null)
    await files.remove('one')
    await files.keep('one', bytesOf(3))
    t.deepEqual(await bytesIn(await files.open('one')), bytesOf(3))
  })

  check('the same name again replaces it, by a shorter one too', async (t, { files }) => {
    await files.keep('one', bytesOf(600_000))
    await files.keep('one', bytesOf(5, 2))
    t.deepEqual(await bytesIn(await files.open('one')), bytesOf(5, 2))
  })

  check('names that begin alike are files of their own', async (t, { files }) => {
    const names = ['a', 'a-', 'a-1', 'a0', 'ab', '0', '-', 'x'.repeat(100)]
    for (const [index, each] of names.entries()) await files.keep(each, bytesOf(20, index))
    await files.remove('a')
    t.is(await files.open('a'), null)
    for (const [index, each] of names.entries()) {
      if (each !== 'a') t.deepEqual(await bytesIn(await files.open(each)), bytesOf(20, index), each)
    }
  })

  check('of several that are kept under one name at once, one stays, whole', async (t, { files, second }) => {
    const other = (await second?.()) ?? files
    const versions = Array.from({ length: 8 }, (_, index) => bytesOf(300_000 + index, index))
    await Promise.all(versions.map((bytes, index) => (index % 2 ? other : files).keep('one', bytes)))
    const kept = await bytesIn(await files.open('one'))
    t.is(versions.filter((bytes) => kept && bytes.equals(kept)).length, 1)
  })

  check('whoever gave the bytes may use them again', async (t, { files }) => {
    const bytes = bytesOf(10)
    await files.keep('one', bytes)
    bytes.fill(0)
    t.deepEqual(await bytesIn(await files.open('one')), bytesOf(10))
  })

  check('what is no name is no file', async (t, { files }) => {
    for (const each of NO_NAMES) {
      await t.throwsAsync(files.keep(each, bytesOf(1)), { instanceOf: RangeError }, each)
      await t.throwsAsync(files.open(each), { instanceOf: RangeError }, each)
      await t.throwsAsync(files.remove(each), { instanceOf: RangeError }, each)
    }
  })
}
