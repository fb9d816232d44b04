import { inflateSync } from 'node:zlib'
import type { PDFDocument, PDFImage } from 'pdf-lib'

const JPEG = [0xff, 0xd8, 0xff]

/** Embeds a PNG or JPEG; returns null for any other file, so that its charge is drawn without a logo. */
export const embedLogo = async (document: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> => {
  if (bytes === null) return null
  try {
    if (JPEG.every((byte, index) => bytes[index] === byte)) return await document.embedJpg(bytes)
    const png = cleanPng(bytes)
    return png && (await document.embedPng(png))
  } catch {
    return null
  }
}

/**
 * Returns a PNG with only the chunks that draw it; null if the file is incomplete or its lengths contradict each other, since
 * decoding such a file may never end. Throws if the rows cannot be decompressed.
 */
const cleanPng = (file: Uint8Array): Uint8Array | null => {
  if (!SIGNATURE.every((byte, index) => file[index] === byte)) return null
  const [first, ...rest] = chunksOf(file) ?? []
  const head = first && headOf(first)
  const last = rest.at(-1)
  if (!head || !last) return null
  const kept = rest.filter(({ name }) => DRAWN.has(name))
  const compressed = join(kept.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  const hasPalette = kept.some(({ name, data }) => name === 'PLTE' && data.length >= 3)
  if ((head.isIndexed && !hasPalette) || !isWhole(compressed, head)) return null
  return join([Uint8Array.from(SIGNATURE), ...[first, ...kept, last].map(({ whole }) => whole)])
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The length, name and checksum of a chunk. */
const FRAME_BYTES = 12
const HEAD_LENGTH = 13
/** The chunks that draw a picture. */
const DRAWN = new Set(['PLTE', 'tRNS', 'IDAT'])
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS = [1, 2, 4, 8, 16]
const LAST_FILTER = 4
/** Drawing time grows with the pixels and blocks the event loop. */
const MAX_PIXELS = 500_000

interface Chunk {
  readonly name: string
  readonly data: Uint8Array
  /** The data with its frame. */
  readonly whole: Uint8Array
}

/** Returns the chunks of a file; null if one exceeds the file, or the end chunk is missing. */
const chunksOf = (file: Uint8Array): readonly Chunk[] | null => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const chunks: Chunk[] = []
  let at = SIGNATURE.length
  while (at + FRAME_BYTES <= file.length) {
    const end = at + FRAME_BYTES + view.getUint32(at)
    if (end > file.length) return null
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8))
    const chunk = { name, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) }
    chunks.push(chunk)
    if (name === 'IEND') return chunks
    at = end
  }
  return null
}

interface Head {
  readonly height: number
  /** The bytes of a row with its filter byte. */
  readonly rowBytes: number
  readonly isIndexed: boolean
}

const headOf = ({ name, data }: Chunk): Head | null => {
  if (name !== 'IHDR' || data.length !== HEAD_LENGTH) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth = 0, color = -1, ...methods] = data.subarray(8)
  const channels = CHANNELS[color]
  const isSmall = width > 0 && height > 0 && width * height <= MAX_PIXELS
  // Interlaced pictures are rejected too: their rows have another layout.
  if (!isSmall || channels === undefined || !DEPTHS.includes(depth) || methods.some((method) => method !== 0))
    return null
  return { height, rowBytes: Math.ceil((width * channels * depth) / 8) + 1, isIndexed: color === 3 }
}

const join = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** Reports whether the compressed rows are complete and each has a valid filter. */
const isWhole = (compressed: Uint8Array, { height, rowBytes }: Head): boolean => {
  const rows = inflateSync(compressed, { maxOutputLength: height * rowBytes + 1 })
  if (rows.length !== height * rowBytes) return false
  for (let at = 0; at < rows.length; at += rowBytes) if ((rows[at] ?? 0) > LAST_FILTER) return false
  return true
}
