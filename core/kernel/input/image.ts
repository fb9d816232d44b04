import { right } from '../../fp.ts'
import { type About, type Field, field, wrong } from './field.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** An image, whole: its type is what its bytes say. */
export interface Image {
  readonly contentType: ImageType
  readonly bytes: Uint8Array
}

/** A MB is 1,048,576 bytes. Source: decisions.md §12, Validation. */
export const MAX_IMAGE_MB = 2
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1_048_576

/** What is wrong with an image, as far as its type and size tell. */
type ImageCode = 'required' | 'file' | 'file.max' | 'image'

const isImage = (value: unknown): value is Image =>
  typeof value === 'object' &&
  value !== null &&
  'contentType' in value &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array

/**
 * An image of one of these types. What its bytes are is not looked at here: whoever takes them from outside does it.
 * Fails: `required`, `file`, `file.max` (over 2 MB), `image` (none of `types`; an empty one).
 */
export const image = ({
  types,
  ...about
}: { readonly types: readonly ImageType[] } & About): Field<Image, Image, ImageCode> =>
  field<Image, Image, ImageCode>(
    {
      name: 'image',
      schema: { type: 'string', format: 'binary' },
      is: isImage,
      read: (value) => {
        if (!isImage(value)) return wrong('file')
        const { contentType, bytes } = value
        if (bytes.length > MAX_IMAGE_BYTES) return wrong('file.max', { max: MAX_IMAGE_MB })
        return bytes.length > 0 && types.includes(contentType) ? right({ contentType, bytes }) : wrong('image')
      },
    },
    about,
  )
