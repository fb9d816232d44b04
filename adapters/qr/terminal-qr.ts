import QRCode from 'qrcode'
import { byteSegments } from './qr-segments.ts'

/**
 * A QR code to print, two modules a character: with colours black on white whatever a terminal's own are, without them
 * in plain characters for what is no terminal.
 */
export const terminalQr = (text: string, { colors }: { readonly colors: boolean }): Promise<string> =>
  QRCode.toString(byteSegments(text), {
    ...(colors ? { type: 'terminal', small: true } : { type: 'utf8' }),
    errorCorrectionLevel: 'M',
  })
