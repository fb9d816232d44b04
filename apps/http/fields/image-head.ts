import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import type { ImageType } from '../../../core/kernel/input/image.ts'
import { jpegSize } from './jpeg-size.ts'

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
