import test from 'ava'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import { failure, left } from '../../../../core/failure.ts'
import { endOfSentence, openLogo } from '../../../../core/payments/accounts/views.ts'
import { attachImage, saveImage } from '../../../../core/payments/office.ts'
import { openPayments, right } from '../world.ts'

const IMAGE = { contentType: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) } as const

const withFile = async (kind: 'logo' | 'registration') => {
  const ports = { ...openPayments().ports, files: memoryFiles() }
  return { ports, id: right(await saveImage(ports, kind, IMAGE)) }
}

const NO_LOGO = left(failure('not-found', 'logo.unknown'))

test('reads a logo while an account refers to it, and no other file', async (t) => {
  const { ports, id } = await withFile('logo')
  const open = openLogo(ports)
  t.deepEqual(await open(id)(), NO_LOGO)
  await ports.store.commit([attachImage(id)])
  const shown = right(await open(id)())
  t.like(shown, { contentType: 'image/png', sizeBytes: 4 })
  const bytes: number[] = []
  for await (const chunk of shown.chunks) bytes.push(...chunk)
  t.deepEqual(bytes, [...IMAGE.bytes])
  t.deepEqual(await open('nothing')(), NO_LOGO)

  const other = await withFile('registration')
  await other.ports.store.commit([attachImage(other.id)])
  t.deepEqual(await openLogo(other.ports)(other.id)(), NO_LOGO)
})

test('ends a sentence with one full stop, also after a name that has one', (t) => {
  t.deepEqual(['Aurora', 'Aurora Ltda.'].map(endOfSentence), ['Aurora.', 'Aurora Ltda.'])
})
