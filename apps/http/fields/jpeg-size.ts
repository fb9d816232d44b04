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
