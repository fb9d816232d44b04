import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { isLeft } from '../../../core/failure.ts'
import { type Image, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../../core/kernel/input/image.ts'
import { type Field, field, type ReadResult, reject } from '../../../core/kernel/input/mod.ts'
import type { Upload } from './forms.ts'

/**
 * The limits of a large scan. Few bytes can declare far more pixels, which a program that decodes them would need
 * memory for.
 */
const MAX_SIDE = 10_000
const MAX_PIXELS = 40_000_000

/** Other names of the types, as some programs send them. */
const ALIASES: Readonly<Record<string, ImageType>> = { 'image/jpg': 'image/jpeg' }
const DATA_URI = /^data:(image\/[a-z+]+);base64,([A-Za-z\d+/]+={0,2})$/

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array

/** The errors that the bytes of an image decide. */
type BytesCode = 'file' | 'file.max' | 'image' | 'image.pixels'

/** Reads the type from the bytes; `inner` accepts or rejects it. */
const readImage = <I extends string>(
  inner: Field<Image, Image, I>,
  bytes: Uint8Array,
): ReadResult<Image, I | BytesCode> => {
  if (bytes.length > MAX_IMAGE_BYTES) return reject('file.max', { max: MAX_IMAGE_MB })
  const head = imageHead(bytes)
  if (!head) return reject('image')
  const { contentType, width, height } = head
  const image = inner.read({ contentType, bytes })
  if (isLeft(image)) return image
  if (width < 1 || height < 1) return reject('image')
  return width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS ? reject('image.pixels') : image
}

/** Returns the field with another reader. */
const withReader = <I extends string>(
  { name, schema, is, about, wire }: Field<Image, Image, I>,
  read: (value: unknown) => ReadResult<Image, I | BytesCode | 'required'>,
): Field<Image, Image, I | BytesCode | 'required'> =>
  field<Image, Image, I | BytesCode | 'required'>({ name, schema, is, read }, { about, wire })

/**
 * An image of the core, sent as a file. Its type is read from its bytes, not from its name. Errors: `required`, `file`,
 * `file.max` (over 2 MB), `image` (another type, or no pixels), `image.pixels`.
 */
export const imageFile = <I extends string>(inner: Field<Image, Image, I>) =>
  withReader(inner, (value) => (isUpload(value) ? readImage(inner, value.bytes) : reject('file')))

/**
 * An image as a file, or as a base64 data URI. Errors: those of a file; `image` if the URI names another type than its
 * bytes.
 */
export const imageFileOrUri = <I extends string>(inner: Field<Image, Image, I>) =>
  withReader(inner, (value) => {
    if (isUpload(value)) return readImage(inner, value.bytes)
    if (typeof value !== 'string') return reject('file')
    if (value.trim() === '') return reject('required')
    const [, type, base64] = DATA_URI.exec(value.trim()) ?? []
    if (type === undefined || base64 === undefined) return reject('image')
    const image = readImage(inner, Buffer.from(base64, 'base64'))
    return !isLeft(image) && image.right.contentType !== (ALIASES[type] ?? type) ? reject('image') : image
  })

/** A segment begins with this byte and its marker. */
const MARK = 0xff
const ENTROPY = 0x00
const TEMPORARY = 0x01
const FIRST_RESTART = 0xd0
const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
/** Baseline, extended and progressive: the frames that browsers support. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const LENGTH_BYTES = 2
/** The sides follow the length of the frame and its sample depth. */
const HEIGHT_AT = 3
const WIDTH_AT = 5

const hasNoLength = (marker: number): boolean =>
  marker === ENTROPY || marker === TEMPORARY || (marker >= FIRST_RESTART && marker <= START_OF_IMAGE)

/**
 * Returns the size of a JPEG from its frame, which can be anywhere before the first scan; null without a frame. Reads
 * forward from segment to segment: image-size tries each byte outside segments, a third of a second for 2 MB.
 */
const jpegSize = (bytes: Uint8Array): { readonly width: number; readonly height: number } | null => {
  const number16 = (at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  let at = 0
  for (;;) {
    // Between segments there may be other bytes, and the mark may be repeated.
    at = bytes.indexOf(MARK, at)
    if (at < 0) return null
    while (bytes[at] === MARK) at += 1
    const marker = bytes[at]
    at += 1
    if (marker === undefined || marker === START_OF_SCAN || marker === END_OF_IMAGE) return null
    if (FRAMES.has(marker)) return { height: number16(at + HEIGHT_AT), width: number16(at + WIDTH_AT) }
    if (hasNoLength(marker)) continue
    const length = number16(at)
    if (length < LENGTH_BYTES) return null
    at += length
  }
}

interface ImageHead {
  readonly contentType: ImageType
  readonly width: number
  readonly height: number
}

type Size = Pick<ImageHead, 'width' | 'height'>

/** The part of a PNG or WebP file that contains its size. */
const HEAD_BYTES = 64
/** The end of the sides in a lossless WebP: image-size takes missing sides for 1. */
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

// A copy: image-size reads beyond the end of a view.
const headOf = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes.subarray(0, HEAD_BYTES))

/**
 * Returns the type and the size in pixels of a PNG, JPEG or WebP image; null for other bytes. Only the parser of the
 * type in the signature reads them: some of the others take a minute for two hostile megabytes.
 */
const imageHead = (bytes: Uint8Array): ImageHead | null => {
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
