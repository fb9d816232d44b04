/**
 * A UUID of a SHA-256 in hex: of version 8, which says that it was made in a way of our own, so that who makes one of the same
 * makes the same one. Its variant is the digit by which records were first kept: another one would not find them again.
 * Source: RFC 9562, 5.8.
 */
export const uuidOf = (hex: string, variant: '8' | 'a'): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
