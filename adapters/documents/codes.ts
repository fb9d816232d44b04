import QRCode, { type QRCodeByteSegment } from 'qrcode'
import { itfWidths } from '../../core/payments/boleto.ts'
import type { QrRenderer } from '../../core/ports/documents.ts'

/** The limit of cached images, some kilobytes each: the page of a charge requests the same one at every view. */
const MAX_CACHED = 500

/** In the order of their last use. */
const cached = new Map<string, Uint8Array>()

const cache = (text: string, png: Uint8Array): void => {
  cached.delete(text)
  cached.set(text, png)
  const [oldest] = cached.keys()
  if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest)
}

/** Draws QR codes (ISO/IEC 18004) as PNG with npm qrcode. Rejects a text of more than 2,331 bytes. */
export const pngQrRenderer: QrRenderer = {
  qrPng: async (text) => {
    const png =
      cached.get(text) ??
      (await QRCode.toBuffer(byteSegments(text), { type: 'png', errorCorrectionLevel: 'M', margin: 4 }))
    cache(text, png)
    return new Uint8Array(png)
  },
}

/**
 * Returns a QR code in characters of two modules each. With colours it is black on white in any terminal; without them
 * it has no escape codes.
 */
export const terminalQr = (text: string, { colors }: { readonly colors: boolean }): Promise<string> =>
  QRCode.toString(byteSegments(text), {
    ...(colors ? { type: 'terminal', small: true } : { type: 'utf8' }),
    errorCorrectionLevel: 'M',
  })

/** A dark rectangle of a code, in modules from its upper left corner. */
interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A code as rectangles, with its width and height in modules. */
export interface BarCode {
  readonly bars: readonly Bar[]
  readonly columns: number
  readonly rows: number
}

/** Encodes digits as Interleaved 2 of 5. */
export const itfBars = (digits: string): BarCode => {
  const bars: Bar[] = []
  let x = 0
  for (const [index, width] of itfWidths(digits).entries()) {
    if (index % 2 === 0) bars.push({ x, y: 0, width, height: 1 })
    x += width
  }
  return { bars, columns: x, rows: 1 }
}

/** Encodes a text as a QR code, without its quiet zone. */
export const qrBars = (text: string): BarCode => {
  const { modules } = QRCode.create(byteSegments(text), { errorCorrectionLevel: 'M' })
  const bars: Bar[] = []
  for (let y = 0; y < modules.size; y += 1) {
    let from = 0
    for (let x = 0; x <= modules.size; x += 1) {
      if (x < modules.size && modules.get(y, x)) continue
      if (x > from) bars.push({ x: from, y, width: x - from, height: 1 })
      from = x + 1
    }
  }
  return { bars, columns: modules.size, rows: modules.size }
}

/** Returns one segment in byte mode: readers of some banks fail on the other modes, which qrcode would choose. */
const byteSegments = (text: string): QRCodeByteSegment[] => [{ mode: 'byte', data: new TextEncoder().encode(text) }]
