export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** An image, whole: its type is what its bytes say. */
export interface Image {
  readonly contentType: ImageType
  readonly bytes: Uint8Array
}
