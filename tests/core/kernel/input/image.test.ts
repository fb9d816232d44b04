import { image, MAX_IMAGE_BYTES } from '../../../../core/kernel/input/image.ts'
import { decodes, each, refuses } from './reads.ts'

const of = (length: number, contentType: unknown = 'image/png') => ({ contentType, bytes: new Uint8Array(length) })
const photo = image({ types: ['image/png', 'image/jpeg'] })
const largest = of(MAX_IMAGE_BYTES)

decodes('image', photo, [
  [of(1), of(1)],
  [of(1, 'image/jpeg'), of(1, 'image/jpeg')],
  // AVA compares two arrays of this size byte by byte, for seconds; the same one is equal at once.
  [largest, largest],
  [{ ...of(1), name: 'frente.png' }, of(1)],
])
refuses('image', photo, [
  ...each('required', undefined, null),
  ...each('file', 'frente.png', '', 0, true, [], {}, { contentType: 'image/png' }, { bytes: new Uint8Array(1) }),
  ...each('file', { contentType: 'image/png', bytes: [1, 2, 3] }, { contentType: 'image/png', bytes: 'AAAA' }),
  ...each('image', of(0), of(1, 'image/webp'), of(1, 'image/svg+xml'), of(1, null)),
  [of(MAX_IMAGE_BYTES + 1), 'file.max 2'],
])
