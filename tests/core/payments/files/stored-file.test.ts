import test from 'ava'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import { failure } from '../../../../core/failure.ts'
import { isLeft, left } from '../../../../core/fp.ts'
import { openLogo } from '../../../../core/payments/files/open-logo.ts'
import { keepImage, letGo, referTo, storedFiles } from '../../../../core/payments/files/stored-file.ts'
import { byId } from '../../../../core/ports/store.ts'
import { right } from '../access/test-ports.ts'
import { freshIn, installation, processOf } from '../webhooks/webhook-fixtures.ts'

const IMAGE = { contentType: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) } as const

const withFile = async (kind: 'logo' | 'registration') => {
  const files = memoryFiles()
  const base = { ...installation(), files }
  const process = processOf(base)
  const ports = { ...process.ports, files }
  const kept = await keepImage(ports, kind, IMAGE)
  if (isLeft(kept)) throw new Error(kept.left.code)
  return { ...base, ...process, ports, id: kept.right }
}

test('what nothing refers to is removed after an hour, its record too', async (t) => {
  const { files, worker, clock, store, id } = await withFile('logo')
  await worker.drain()
  t.deepEqual(files.names(), [id])
  clock.advance(3_600)
  await worker.drain()
  t.deepEqual(files.names(), [])
  t.is(await store.find(byId(storedFiles, id)), null)
})

test('what something refers to stays until it is let go', async (t) => {
  const { files, worker, clock, ports, id } = await withFile('logo')
  t.true((await ports.store.commit([referTo(id)])).ok)
  clock.advance(100_000)
  await worker.drain()
  t.deepEqual(files.names(), [id])
  t.true((await ports.store.commit([letGo(id, freshIn(ports))])).ok)
  await worker.drain()
  t.deepEqual(files.names(), [])
})

test('a removal that fails is tried again', async (t) => {
  const { files, worker, clock } = await withFile('registration')
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

const NO_LOGO = left(failure('not-found', 'logo.unknown'))

test('a logo is shown to anybody while something refers to it; no other file is', async (t) => {
  const { ports, id } = await withFile('logo')
  const open = openLogo(ports)
  t.deepEqual(await open(id)(), NO_LOGO)
  await ports.store.commit([referTo(id)])
  const shown = right(await open(id)())
  t.like(shown, { contentType: 'image/png', sizeBytes: 4 })
  const bytes: number[] = []
  for await (const chunk of shown.chunks) bytes.push(...chunk)
  t.deepEqual(bytes, [...IMAGE.bytes])
  t.deepEqual(await open('nothing')(), NO_LOGO)

  const other = await withFile('registration')
  await other.ports.store.commit([referTo(other.id)])
  t.deepEqual(await openLogo(other.ports)(other.id)(), NO_LOGO)
})
