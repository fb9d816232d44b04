import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { isLeft } from '../../../core/fp.ts'
import { type Field, field, type ReadResult, reject } from '../../../core/kernel/input/field.ts'
import { type Image, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../../core/kernel/input/image.ts'
import type { Upload } from './forms.ts'

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
const withReader = <I extends string>(
  { name, schema, is, about, wire }: Field<Image, Image, I>,
  read: (value: unknown) => ReadResult<Image, I | BytesCode | 'required'>,
): Field<Image, Image, I | BytesCode | 'required'> =>
  field<Image, Image, I | BytesCode | 'required'>({ name, schema, is, read }, { about, wire })

/**
 * An image of the core that was sent as a file; what it is, its bytes tell, whatever it is called.
 * Fails: `required`, `file`, `file.max` (over 2 MB), `image` (none of its types; an empty one), `image.pixels`.
 */
export const imageFile = <I extends string>(inner: Field<Image, Image, I>) =>
  withReader(inner, (value) => (isUpload(value) ? readImage(inner, value.bytes) : reject('file')))

/**
 * The same, or a base64 data URI whose type is that of its bytes. Fails: as a file does; `image` for a URI of another type.
 */
export const imageFileOrUri = <I extends string>(inner: Field<Image, Image, I>) =>
  withReader(inner, (value) => {
    if (isUpload(value)) return readImage(inner, value.bytes)
    if (typeof value !== 'string') return reject('file')
    if (value.trim() === '') return reject('required')
    const [, said, base64] = DATA_URI.exec(value.trim()) ?? []
    if (said === undefined || base64 === undefined) return reject('image')
    const got = readImage(inner, Buffer.from(base64, 'base64'))
    return !isLeft(got) && got.right.contentType !== (ALIASES[said] ?? said) ? reject('image') : got
  })

/** The bytes that begin a segment: this one, and one that says what it holds. */
const MARK = 0xff
const ENTROPY = 0x00
const TEMPORARY = 0x01
const FIRST_RESTART = 0xd0
const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
/** Baseline, extended and progressive: what browsers draw. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const LENGTH_BYTES = 2
/** A frame's length and the depth of its samples come before its sides. */
const HEIGHT_AT = 3
const WIDTH_AT = 5

const isAlone = (marker: number): boolean =>
  marker === ENTROPY || marker === TEMPORARY || (marker >= FIRST_RESTART && marker <= START_OF_IMAGE)

/**
 * The sides of a JPEG, which stand in its frame, anywhere before the first scan; null where there is none. It goes from
 * segment to segment and never back: image-size tries every byte of what is no segment, a third of a second for 2 MB.
 */
export const jpegSize = (bytes: Uint8Array): { readonly width: number; readonly height: number } | null => {
  const number16 = (at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  let at = 0
  for (;;) {
    // Between segments there may be anything, and a mark may be repeated.
    at = bytes.indexOf(MARK, at)
    if (at < 0) return null
    while (bytes[at] === MARK) at += 1
    const marker = bytes[at]
    at += 1
    if (marker === undefined || marker === START_OF_SCAN || marker === END_OF_IMAGE) return null
    if (FRAMES.has(marker)) return { height: number16(at + HEIGHT_AT), width: number16(at + WIDTH_AT) }
    if (isAlone(marker)) continue
    const length = number16(at)
    if (length < LENGTH_BYTES) return null
    at += length
  }
}

/** What an image's first bytes say of it. */
export interface ImageHead {
  readonly contentType: ImageType
  readonly width: number
  readonly height: number
}

type Size = Pick<ImageHead, 'width' | 'height'>

/** Where a PNG and a WebP say how large they are. */
const HEAD_BYTES = 64
/** Up to the sides of a lossless one, which image-size takes for 1 where they are missing. */
const WEBP_LEAST_BYTES = 25

const SIGNATURES: readonly (readonly [ImageType, (start: string) => boolean])[] = [
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8)],
]

const SIZES: Readonly<Record<ImageType, (bytes: Uint8Array) => Size | null>> = {
  'image/png': (bytes) => (PNG.validate(headOf(bytes)) ? PNG.calculate(headOf(bytes)) : null),
  'image/jpeg': jpegSize,
  'image/webp': (bytes) => (bytes.length < WEBP_LEAST_BYTES ? null : WEBP.calculate(headOf(bytes))),
}

// A copy: image-size reads on in whatever memory lies behind the bytes.
const headOf = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes.subarray(0, HEAD_BYTES))

/**
 * The type of an image, and its sides in dots; null for what is none of the three. Only the reader of the type that the
 * signature names sees the bytes: some of the others take a minute for two hostile megabytes.
 */
export const imageHead = (bytes: Uint8Array): ImageHead | null => {
  const start = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const [contentType] = SIGNATURES.find(([, isOf]) => isOf(start)) ?? []
  if (!contentType) return null
  try {
    const size = SIZES[contentType](bytes)
    return size && { contentType, width: size.width, height: size.height }
  } catch {
    return null
  }
}
