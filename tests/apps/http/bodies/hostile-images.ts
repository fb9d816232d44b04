const after = (head: string, pattern: string) => (bytes: number) =>
  new Uint8Array(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(bytes - head.length / 2, pattern, 'hex')]))

const JPEG_HEAD = 'ffd8ffe000104a46494600010100000100010000'
/** A box of a HEIC: its length, its name, and what it holds. */
const box = (name: string, ...held: readonly Uint8Array[]) => {
  const content = Buffer.concat(held)
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

/** No images, of so many bytes, on which a reader may stumble. */
export const HOSTILE: Readonly<Record<string, (bytes: number) => Uint8Array>> = {
  'a HEIC of many sizes': heic,
  'marks after the head of a JPEG': after(JPEG_HEAD, 'ff'),
  'nothing after the head of a JPEG': after(JPEG_HEAD, '00'),
  'marks of nothing': after(JPEG_HEAD, 'ff00'),
  'short segments': after(JPEG_HEAD, 'ffe00002'),
  'EXIF in short segments': after(JPEG_HEAD, 'ffe1000a45786966000049492a00'),
  'an SVG without end': (bytes) => new Uint8Array(Buffer.alloc(bytes, '<svg ')),
}
