import QRCode from 'qrcode'
import { byteSegments } from './qr-segments.ts'

/** A QR code to print on a terminal: two modules a character, black on white whatever the terminal's colours. */
export const terminalQr = (text: string): Promise<string> =>
  QRCode.toString(byteSegments(text), { type: 'terminal', small: true, errorCorrectionLevel: 'M' })
