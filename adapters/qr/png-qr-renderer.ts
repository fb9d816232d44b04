import QRCode from 'qrcode'
import type { QrRenderer } from '../../core/ports/qr-renderer.ts'
import { byteSegments } from './qr-segments.ts'

/** QR codes by npm qrcode; a text of more than 2,331 bytes rejects. Source: ISO/IEC 18004. */
export const pngQrRenderer: QrRenderer = {
  qrPng: (text) => QRCode.toBuffer(byteSegments(text), { type: 'png', errorCorrectionLevel: 'M', margin: 4 }),
}
