import test from 'ava'
import { PNG } from 'pngjs'
import { imageFile, imageFileOrUri } from '../../../../apps/http/bodies/image.ts'
import { IMAGE_TYPES, image, MAX_IMAGE_BYTES } from '../../../../core/kernel/input/image.ts'
import { HOSTILE } from './hostile-images.ts'

const png = (width = 2, height = 2) => new Uint8Array(PNG.sync.write(new PNG({ width, height })))

/** A PNG that declares other sides than it has. */
const withSides = (width: number, height: number) => {
  const bytes = Buffer.from(png())
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return new Uint8Array(bytes)
}

/** The head of a JPEG of 2 by 2 pixels. */
const JPEG = new Uint8Array(
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080002000201011100ffd9', 'hex'),
)

const upload = (bytes: Uint8Array, contentType = 'image/png') => ({ fileName: 'a.png', contentType, bytes })
const uri = (bytes: Uint8Array, type = 'image/png') => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

const codeOf = (got: { _tag: string; left?: readonly { code: string }[] }) =>
  got._tag === 'Left' ? (got.left?.[0]?.code ?? '') : null

const file = imageFile(image({ types: ['image/png', 'image/jpeg'] }))
const either = imageFileOrUri(image({ types: IMAGE_TYPES }))

test('reads the type from the bytes', (t) => {
  const bytes = png()
  const got = file.read(upload(bytes, 'application/octet-stream'))
  t.true(got._tag === 'Right' && got.right.contentType === 'image/png' && got.right.bytes === bytes)
  t.is(codeOf(file.read(upload(Buffer.from('<html><script>alert(1)</script></html>')))), 'image')
  t.is(codeOf(file.read(upload(Buffer.from('GIF89a\u0001\0\u0001\0')))), 'image')
  t.is(
    codeOf(file.read(upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')))),
    'image',
  )
  t.is(codeOf(file.read(upload(bytes.slice(0, 10)))), 'image')
  t.is(codeOf(file.read(upload(new Uint8Array()))), 'image')
})

test('rejects a value that is no file', (t) => {
  for (const value of ['a.png', 1, {}, [upload(png())], { bytes: 'x' }]) t.is(codeOf(file.read(value)), 'file')
  t.is(codeOf(file.read(undefined)), 'required')
})

test('accepts at most 2 MB', (t) => {
  const padded = (length: number) => new Uint8Array(Buffer.concat([png(), Buffer.alloc(length - png().length)]))
  t.is(codeOf(file.read(upload(padded(MAX_IMAGE_BYTES)))), null)
  t.is(codeOf(file.read(upload(padded(MAX_IMAGE_BYTES + 1)))), 'file.max')
})

test('rejects an image with too many pixels or none', (t) => {
  t.is(codeOf(file.read(upload(withSides(50_000, 50_000)))), 'image.pixels')
  t.is(codeOf(file.read(upload(withSides(10_001, 1)))), 'image.pixels')
  t.is(codeOf(file.read(upload(withSides(9_000, 9_000)))), 'image.pixels')
  t.is(codeOf(file.read(upload(withSides(10_000, 4_000)))), null)
  t.is(codeOf(file.read(upload(withSides(0, 10)))), 'image')
})

test('accepts a data URI whose type matches its bytes', (t) => {
  t.is(codeOf(either.read(uri(png()))), null)
  t.is(codeOf(either.read(upload(png()))), null)
  t.is(codeOf(either.read(uri(png(), 'image/jpeg'))), 'image')
  t.is(codeOf(either.read(uri(png(), 'text/html'))), 'image')
  // Some programs send image/jpg.
  for (const type of ['image/jpeg', 'image/jpg']) t.is(codeOf(either.read(uri(JPEG, type))), null)
  t.is(codeOf(either.read(uri(png(), 'image/jpg'))), 'image')
  t.is(codeOf(either.read('data:image/png;base64,not base64')), 'image')
  t.is(codeOf(either.read('https://example.com/logo.png')), 'image')
  t.is(codeOf(either.read('  ')), 'required')
  t.is(codeOf(either.read(7)), 'file')
})

/** The three kinds of WebP, of 2 by 2 pixels. */
const WEBPS = [
  'VP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x02\0\x02\0',
  'VP8L\0\0\0\0\x2f\x01\x40\0\0\0\0\0\0\0',
  'VP8X\0\0\0\0\0\0\0\0\x01\0\0\x01\0\0',
].map((chunk) => new Uint8Array(Buffer.from(`RIFF\0\0\0\0WEBP${chunk}`, 'latin1')))

test('detects each type by its first bytes, and rejects a truncated image', (t) => {
  for (const bytes of [png(), JPEG, ...WEBPS]) {
    t.is(codeOf(either.read(upload(bytes))), null)
    for (let length = 0; length < 24; length += 1) {
      t.is(codeOf(either.read(upload(bytes.slice(0, length)))), 'image', `${length}`)
      // As a view: the rest of the image lies behind it in memory.
      t.is(codeOf(either.read(upload(Buffer.from(bytes).subarray(0, length)))), 'image', `${length}`)
    }
  }
  for (const bytes of WEBPS) t.is(codeOf(file.read(upload(bytes))), 'image')
})

/** A JPEG with the given bytes, in hex, before its frame. */
const jpeg = (between: string, marker = 'c0', sides = '00020002') =>
  new Uint8Array(Buffer.from(`ffd8${between}ff${marker}000b08${sides}01011100ffd9`, 'hex'))

test('finds the frame of a JPEG behind other segments', (t) => {
  const thumbnail = 'ffe10012ffc0000b080fff0fff01011100ffd9'
  for (const between of [
    '',
    'ffe00002',
    'ffffffffe00004aabb',
    'ffe00002001122',
    'ff00',
    'ff01ffd0',
    `${thumbnail}00`,
  ]) {
    for (const marker of ['c0', 'c1', 'c2']) t.is(codeOf(file.read(upload(jpeg(between, marker)))), null, between)
  }
  for (const between of ['ffd9', 'ffda0002', 'ffe00001', 'ffe0ffff', 'ffe0']) {
    t.is(codeOf(file.read(upload(jpeg(between)))), 'image', between)
  }
  t.is(codeOf(file.read(upload(jpeg('', 'c3')))), 'image')
  t.is(codeOf(file.read(upload(jpeg('', 'c0', '00000002')))), 'image')
  t.is(codeOf(file.read(upload(jpeg('', 'c0', '27112711')))), 'image.pixels')
})

test('rejects two hostile megabytes', (t) => {
  for (const [about, bytes] of Object.entries(HOSTILE))
    t.is(codeOf(file.read(upload(bytes(MAX_IMAGE_BYTES)))), 'image', about)
})
