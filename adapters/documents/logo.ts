import { inflateSync } from 'node:zlib'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Length, name and check sum of a chunk, around what it holds. */
const FRAME = 12
const HEAD_LENGTH = 13
/** What a picture is drawn from; whatever else a file holds is left out. */
const KEPT = new Set(['PLTE', 'tRNS', 'IDAT'])
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS = [1, 2, 4, 8, 16]
const LAST_FILTER = 4
/** Drawing takes the more, the more there is of it, and nobody else is served meanwhile. */
const MAX_PIXELS = 500_000

interface Chunk {
  readonly name: string
  readonly data: Uint8Array
  /** With its frame. */
  readonly whole: Uint8Array
}

/** The chunks of a file that is made of nothing else; null where one overruns it, or the last is not its end. */
const chunksOf = (file: Uint8Array): readonly Chunk[] | null => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const chunks: Chunk[] = []
  let at = SIGNATURE.length
  while (at + FRAME <= file.length) {
    const end = at + FRAME + view.getUint32(at)
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
  /** Bytes of a row with its filter. */
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
  // Interlaced pictures are rare, and their rows another matter.
  if (!isSmall || channels === undefined || !DEPTHS.includes(depth) || methods.some((method) => method !== 0))
    return null
  return { height, rowBytes: Math.ceil((width * channels * depth) / 8) + 1, isIndexed: color === 3 }
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** Whether the packed rows are all there, and each says how it is filtered. */
const isWhole = (packed: Uint8Array, { height, rowBytes }: Head): boolean => {
  const rows = inflateSync(packed, { maxOutputLength: height * rowBytes + 1 })
  if (rows.length !== height * rowBytes) return false
  for (let at = 0; at < rows.length; at += rowBytes) if ((rows[at] ?? 0) > LAST_FILTER) return false
  return true
}

/**
 * A PNG that holds a picture and nothing else, and that is what it says; null for any other. Who decodes a file that breaks
 * off or lies of its lengths may not come to an end. Throws where the rows cannot be unpacked.
 */
export const cleanPng = (file: Uint8Array): Uint8Array | null => {
  if (!SIGNATURE.every((byte, index) => file[index] === byte)) return null
  const [first, ...rest] = chunksOf(file) ?? []
  const head = first && headOf(first)
  const last = rest.at(-1)
  if (!head || !last) return null
  const kept = rest.filter(({ name }) => KEPT.has(name))
  const packed = joined(kept.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  const hasPalette = kept.some(({ name, data }) => name === 'PLTE' && data.length >= 3)
  if ((head.isIndexed && !hasPalette) || !isWhole(packed, head)) return null
  return joined([Uint8Array.from(SIGNATURE), ...[first, ...kept, last].map(({ whole }) => whole)])
}
