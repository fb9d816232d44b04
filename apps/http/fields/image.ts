import { right } from '../../../core/fp.ts'
import { type Field, field, type Read, wrong } from '../../../core/kernel/input/codec.ts'
import type { Image, ImageType } from '../../../core/kernel/values/image.ts'
import type { Upload } from '../bodies/multipart.ts'
import { imageHead } from './image-head.ts'

/** A MB is 1,048,576 bytes. Source: decisions.md §12, Validation. */
export const MAX_IMAGE_BYTES = 2 * 1_048_576
/** A side of a large scan; a few bytes may promise far more, and whoever draws them would hold it all in memory. */
const MAX_SIDE = 10_000
const MAX_PIXELS = 40_000_000

/** What some programs call them. */
const ALIASES: Readonly<Record<string, ImageType>> = { 'image/jpg': 'image/jpeg' }
const DATA_URI = /^data:(image\/[a-z+]+);base64,([A-Za-z\d+/]+={0,2})$/

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array

const readImage = (bytes: Uint8Array, types: readonly ImageType[]): Read<Image> => {
  if (bytes.length > MAX_IMAGE_BYTES) return wrong('file.max', { max: MAX_IMAGE_BYTES / 1_048_576 })
  const head = imageHead(bytes)
  if (!head || !types.includes(head.contentType)) return wrong('image')
  const { contentType, width, height } = head
  if (width < 1 || height < 1) return wrong('image')
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) return wrong('image.pixels')
  return right({ contentType, bytes })
}

const isImage = (value: unknown): value is Image => isUpload(value) && 'contentType' in value

/**
 * An image that was sent as a file; what it is, its bytes tell, whatever it is called.
 * Fails: `required`, `file`, `file.max` (over 2 MB), `image` (none of `types`; an empty one), `image.pixels`.
 */
export const imageFile = (...types: readonly ImageType[]): Field<Image> =>
  field({
    name: 'image',
    schema: { type: 'string', format: 'binary' },
    is: isImage,
    read: (value) => (isUpload(value) ? readImage(value.bytes, types) : wrong('file')),
  })

/**
 * The same, or a base64 data URI whose type is that of its bytes. Fails: as a file does; `image` for a URI of another type.
 */
export const imageFileOrUri = (...types: readonly ImageType[]): Field<Image> =>
  field({
    name: 'image',
    schema: { type: 'string', format: 'binary' },
    is: isImage,
    read: (value) => {
      if (isUpload(value)) return readImage(value.bytes, types)
      if (typeof value !== 'string') return wrong('file')
      if (value.trim() === '') return wrong('required')
      const [, said, base64] = DATA_URI.exec(value.trim()) ?? []
      if (said === undefined || base64 === undefined) return wrong('image')
      const got = readImage(Buffer.from(base64, 'base64'), types)
      return got._tag === 'Right' && got.right.contentType !== (ALIASES[said] ?? said) ? wrong('image') : got
    },
  })
