import { isLeft } from '../../../core/fp.ts'
import { type Field, field, type ReadResult, reject } from '../../../core/kernel/input/field.ts'
import { type Image, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../../core/kernel/input/image.ts'
import type { Upload } from '../bodies/multipart.ts'
import { imageHead } from './image-head.ts'

/** A side of a large scan; a few bytes may promise far more, and whoever draws them would hold it all in memory. */
const MAX_SIDE = 10_000
const MAX_PIXELS = 40_000_000

/** What some programs call them. */
const ALIASES: Readonly<Record<string, ImageType>> = { 'image/jpg': 'image/jpeg' }
const DATA_URI = /^data:(image\/[a-z+]+);base64,([A-Za-z\d+/]+={0,2})$/

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array

/** What only its bytes tell of an image. */
type BytesCode = 'file' | 'file.max' | 'image' | 'image.pixels'

/** What the bytes are, which `inner` then takes or refuses by its type. */
const readImage = <I extends string>(
  inner: Field<Image, Image, I>,
  bytes: Uint8Array,
): ReadResult<Image, I | BytesCode> => {
  if (bytes.length > MAX_IMAGE_BYTES) return reject('file.max', { max: MAX_IMAGE_MB })
  const head = imageHead(bytes)
  if (!head) return reject('image')
  const { contentType, width, height } = head
  const got = inner.read({ contentType, bytes })
  if (isLeft(got)) return got
  if (width < 1 || height < 1) return reject('image')
  return width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS ? reject('image.pixels') : got
}

/** The same field, read by other means. */
const readBy = <I extends string>(
  { name, schema, is, about, wire }: Field<Image, Image, I>,
  read: (value: unknown) => ReadResult<Image, I | BytesCode | 'required'>,
): Field<Image, Image, I | BytesCode | 'required'> =>
  field<Image, Image, I | BytesCode | 'required'>({ name, schema, is, read }, { about, wire })

/**
 * An image of the core that was sent as a file; what it is, its bytes tell, whatever it is called.
 * Fails: `required`, `file`, `file.max` (over 2 MB), `image` (none of its types; an empty one), `image.pixels`.
 */
export const imageFile = <I extends string>(inner: Field<Image, Image, I>) =>
  readBy(inner, (value) => (isUpload(value) ? readImage(inner, value.bytes) : reject('file')))

/**
 * The same, or a base64 data URI whose type is that of its bytes. Fails: as a file does; `image` for a URI of another type.
 */
export const imageFileOrUri = <I extends string>(inner: Field<Image, Image, I>) =>
  readBy(inner, (value) => {
    if (isUpload(value)) return readImage(inner, value.bytes)
    if (typeof value !== 'string') return reject('file')
    if (value.trim() === '') return reject('required')
    const [, said, base64] = DATA_URI.exec(value.trim()) ?? []
    if (said === undefined || base64 === undefined) return reject('image')
    const got = readImage(inner, Buffer.from(base64, 'base64'))
    return !isLeft(got) && got.right.contentType !== (ALIASES[said] ?? said) ? reject('image') : got
  })
