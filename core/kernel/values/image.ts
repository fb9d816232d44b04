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
