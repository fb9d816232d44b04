import { right } from '../../failure.ts'
import { type Field, type FieldOptions, field, reject } from './field.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** An image with the type that its bytes have. */
export interface Image {
  readonly contentType: ImageType
  readonly bytes: Uint8Array
}

/** A MB is 1,048,576 bytes. */
export const MAX_IMAGE_MB = 2
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1_048_576

type ImageCode = 'required' | 'file' | 'file.max' | 'image'

const isImage = (value: unknown): value is Image =>
  typeof value === 'object' &&
  value !== null &&
  'contentType' in value &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array

/**
 * An image of one of these types. The bytes are not inspected here: the code that receives the file does that.
 * Fails: `required`, `file`, `file.max` (over 2 MB), `image` (another type, or empty).
 */
export const image = ({
  types,
  ...about
}: { readonly types: readonly ImageType[] } & FieldOptions): Field<Image, Image, ImageCode> =>
  field<Image, Image, ImageCode>(
    {
      name: 'image',
      schema: { type: 'string', format: 'binary' },
      is: isImage,
      read: (value) => {
        if (!isImage(value)) return reject('file')
        const { contentType, bytes } = value
        if (bytes.length > MAX_IMAGE_BYTES) return reject('file.max', { max: MAX_IMAGE_MB })
        return bytes.length > 0 && types.includes(contentType) ? right({ contentType, bytes }) : reject('image')
      },
    },
    about,
  )
