import test from 'ava'
import { memoryFiles } from '../../../adapters/files/memory-files.ts'
import { isLeft } from '../../../core/failure.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { filesIn } from '../../../core/office/files.ts'
import { byId } from '../../../core/ports/store.ts'
import { openEstate } from './estate.ts'

const { storedFiles, save, attach, detach, open, part } = filesIn('estate', {
  kinds: ['photo', 'contract'],
  contentTypes: ['image/webp', 'application/pdf'],
})

const FILE = { contentType: 'application/pdf', bytes: new Uint8Array([37, 80, 68, 70]) } as const

const withFile = async () => {
  const files = memoryFiles()
  const { workerOf, ...here } = openEstate(part.collections)
  const ports = { ...here.ports, files }
  const kept = await save(ports, 'contract', FILE)
  if (isLeft(kept)) throw new Error(kept.left.code)
  return { ...here, files, ports, worker: workerOf(ports.store, ...part.queues(ports)), id: kept.right }
}

test('uses the collection, kinds and content types of the business', async (t) => {
  const { every, id, ports } = await withFile()
  t.is(storedFiles.name, 'estate.files')
  const [file] = await every(storedFiles)
  t.like(file, { id, kind: 'contract', contentType: 'application/pdf', sizeBytes: 4 })
  t.true(isLeft(storedFiles.codec.decode({ ...file, kind: 'logo' })))
  t.true(isLeft(storedFiles.codec.decode({ ...file, contentType: 'image/png' })))
  t.is(await open(ports, 'contract', id), null)
  t.true((await ports.store.commit([attach(id)])).ok)
  t.like(await open(ports, 'contract', id), { contentType: 'application/pdf', sizeBytes: 4 })
  t.is(await open(ports, 'photo', id), null)
})

test('removes an unattached file and its record after an hour', async (t) => {
  const { files, worker, clock, ports, id } = await withFile()
  await worker.drain()
  t.deepEqual(files.names(), [id])
  clock.advance(3_600)
  await worker.drain()
  t.deepEqual(files.names(), [])
  t.is(await ports.store.find(byId(storedFiles, id)), null)
})

test('keeps an attached file until it is detached', async (t) => {
  const { files, worker, clock, ports, id } = await withFile()
  t.true((await ports.store.commit([attach(id)])).ok)
  clock.advance(100_000)
  await worker.drain()
  t.deepEqual(files.names(), [id])
  t.true((await ports.store.commit([detach(id, freshOf(ports).fresh)])).ok)
  await worker.drain()
  t.deepEqual(files.names(), [])
})

test('retries a failed removal', async (t) => {
  const { files, worker, clock } = await withFile()
  const { remove } = files
  let failures = 1
  Object.assign(files, {
    remove: async (name: string) => {
      failures -= 1
      if (failures >= 0) throw new Error('away')
      await remove(name)
    },
  })
  clock.advance(3_600)
  await worker.drain()
  t.is(files.names().length, 1)
  clock.advance(60)
  await worker.drain()
  t.deepEqual(files.names(), [])
})
