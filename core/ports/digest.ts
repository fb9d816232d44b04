/** Fast keyed and plain digests (SHA-256): code hashes, request fingerprints, webhook signatures. */
export interface Digest {
  /** Lower-case hex. */
  sha256(text: string): string
  /** Base64. */
  hmacSha256(key: Uint8Array, text: string): string
  /** Whether both texts are equal, in time that tells nothing about where they differ. */
  equal(a: string, b: string): boolean
}
