import type { QRCodeByteSegment } from 'qrcode'

/** One segment in byte mode: what else the library might choose, some banks' readers do not take. */
export const byteSegments = (text: string): QRCodeByteSegment[] => [
  { mode: 'byte', data: new TextEncoder().encode(text) },
]
