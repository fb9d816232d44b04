import type { QRCodeByteSegment } from 'qrcode'
import QRCode from 'qrcode'
import { itfWidths } from '../../core/payments/boleto/barcode.ts'
import type { QrRenderer } from '../../core/ports/documents.ts'

/** Codes that are kept drawn, some kilobytes each: a payer's page shows the same one at every look. */
const MOST_KEPT = 500

/** From the one that was asked for the longest ago to the last. */
const kept = new Map<string, Uint8Array>()

const keep = (text: string, png: Uint8Array): void => {
  kept.delete(text)
  kept.set(text, png)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}

/** QR codes by npm qrcode; a text of more than 2,331 bytes rejects. Source: ISO/IEC 18004. */
export const pngQrRenderer: QrRenderer = {
  qrPng: async (text) => {
    const png =
      kept.get(text) ??
      (await QRCode.toBuffer(byteSegments(text), { type: 'png', errorCorrectionLevel: 'M', margin: 4 }))
    keep(text, png)
    return Uint8Array.from(png)
  },
}

/**
 * A QR code to print, two modules a character: with colours black on white whatever a terminal's own are, without them
 * in plain characters for what is no terminal.
 */
export const terminalQr = (text: string, { colors }: { readonly colors: boolean }): Promise<string> =>
  QRCode.toString(byteSegments(text), {
    ...(colors ? { type: 'terminal', small: true } : { type: 'utf8' }),
    errorCorrectionLevel: 'M',
  })

/** A dark rectangle of a code, in modules from its upper left corner. */
export interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A code as rectangles, and how many modules it is wide and high. */
export interface BarCode {
  readonly bars: readonly Bar[]
  readonly columns: number
  readonly rows: number
}

/** The bars of digits as Interleaved 2 of 5. */
export const itfBars = (digits: string): BarCode => {
  const bars: Bar[] = []
  let x = 0
  for (const [index, width] of itfWidths(digits).entries()) {
    if (index % 2 === 0) bars.push({ x, y: 0, width, height: 1 })
    x += width
  }
  return { bars, columns: x, rows: 1 }
}

/** The dark runs of a text's QR code, without a quiet zone. */
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

/** One segment in byte mode: what else the library might choose, some banks' readers do not take. */
export const byteSegments = (text: string): QRCodeByteSegment[] => [
  { mode: 'byte', data: new TextEncoder().encode(text) },
]
