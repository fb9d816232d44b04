const after = (head: string, pattern: string) => (bytes: number) =>
  new Uint8Array(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(bytes - head.length / 2, pattern, 'hex')]))

const JPEG_HEAD = 'ffd8ffe000104a46494600010100000100010000'
/** A box of a HEIC file: length, name and content. */
const box = (name: string, ...parts: readonly Uint8Array[]) => {
  const content = Buffer.concat(parts)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length + 8)
  return Buffer.concat([length, Buffer.from(name), content])
}
const heic = (bytes: number) => {
  const size = box('ispe', Buffer.from('000000000000000200000002', 'hex'))
  const sizes = Buffer.alloc(bytes - 100, size)
  const meta = box('meta', Buffer.alloc(4), box('iprp', box('ipco', sizes)))
  return new Uint8Array(Buffer.concat([box('ftyp', Buffer.from('heic0000')), meta]))
}

/** Bytes of a given length that are no image, and slow for some parsers. */
export const HOSTILE: Readonly<Record<string, (bytes: number) => Uint8Array>> = {
  'a HEIC with many sizes': heic,
  'marks after the head of a JPEG': after(JPEG_HEAD, 'ff'),
  'nothing after the head of a JPEG': after(JPEG_HEAD, '00'),
  'marks without segments': after(JPEG_HEAD, 'ff00'),
  'short segments': after(JPEG_HEAD, 'ffe00002'),
  'EXIF in short segments': after(JPEG_HEAD, 'ffe1000a45786966000049492a00'),
  'an unclosed SVG': (bytes) => new Uint8Array(Buffer.alloc(bytes, '<svg ')),
}
