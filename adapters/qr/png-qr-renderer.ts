import QRCode from 'qrcode'
import type { QrRenderer } from '../../core/ports/documents.ts'
import { byteSegments } from './qr-segments.ts'

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
