import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { diskFiles } from '../../../adapters/files/disk-files.ts'
import { memoryFiles } from '../../../adapters/files/memory-files.ts'
import { StoreUnwritable } from '../../../core/ports/store.ts'
import { disk, empty, fill } from '../../apps/host/disk.ts'
import { bytesIn, filesContract } from '../../contracts/files.ts'
import { contractTests } from '../contract-tests.ts'

const folder = () => mkdtemp(join(tmpdir(), 'portico-files-'))

const openMemory = async () => ({ files: memoryFiles(), close: async () => {} })

const openDisk = async () => {
  const root = await folder()
  const directory = join(root, 'data', 'files')
  return {
    files: diskFiles({ directory }),
    second: async () => diskFiles({ directory }),
    close: () => rm(root, { recursive: true, force: true }),
  }
}

contractTests(test, 'memory', filesContract({ open: openMemory }))
contractTests(test, 'disk', filesContract({ open: openDisk }))

const onDisk = async (t: ExecutionContext) => {
  const root = await folder()
  t.teardown(() => rm(root, { recursive: true, force: true }))
  const directory = join(root, 'data', 'files')
  return { root, directory, files: diskFiles({ directory }) }
}

test('only the owner may read and list files on disk', async (t) => {
  const { directory, files } = await onDisk(t)
  await files.write('one', Buffer.from('x'))
  t.is((await stat(join(directory, 'one'))).mode & 0o777, 0o600)
  t.is((await stat(directory)).mode & 0o777, 0o700)
})

test('a file stays whole for its reader while it is replaced or removed', async (t) => {
  const { files } = await onDisk(t)
  const first = Buffer.alloc(300_000, 1)
  await files.write('one', first)
  const [before, beside] = [await files.open('one'), await files.open('one')]
  await files.write('one', Buffer.alloc(300_000, 2))
  t.deepEqual(await bytesIn(before), first)
  await files.remove('one')
  t.deepEqual(await bytesIn(beside), first)
})

test('remove deletes temporary files of that file, and of no other', async (t) => {
  const { directory, files } = await onDisk(t)
  await files.write('one', Buffer.from('x'))
  for (const name of ['.one.a.tmp', '.one-1.b.tmp']) await writeFile(join(directory, name), 'half')
  await files.remove('one')
  t.deepEqual(await readdir(directory), ['.one-1.b.tmp'])
})

test('a failed write rejects, and leaves no temporary file', async (t) => {
  const { root, files } = await onDisk(t)
  await writeFile(join(root, 'data'), 'in the way')
  await t.throwsAsync(files.write('one', Buffer.from('x')), { code: 'ENOTDIR' })
  t.deepEqual(await readdir(root), ['data'])
})

test('a full disk rejects with StoreUnwritable', async (t) => {
  const path = await disk(t, '64k')
  if (path === null) return
  const files = diskFiles({ directory: join(path, 'files') })
  await files.write('one', Buffer.from('x'))
  await fill(path)
  await t.throwsAsync(files.write('two', Buffer.alloc(100)), { instanceOf: StoreUnwritable })
  t.is(await files.open('two'), null)
  t.deepEqual(await bytesIn(await files.open('one')), Buffer.from('x'))
  await empty(path)
  await files.write('two', Buffer.alloc(100))
})

test('an unreadable file rejects instead of being absent', async (t) => {
  const { directory, files } = await onDisk(t)
  await files.write('one', Buffer.from('x'))
  await chmod(join(directory, 'one'), 0o000)
  // Root may read every file.
  if (process.getuid?.() === 0) t.deepEqual(await bytesIn(await files.open('one')), Buffer.from('x'))
  else await t.throwsAsync(files.open('one'), { code: 'EACCES' })
})
