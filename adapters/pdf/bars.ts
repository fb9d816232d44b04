import QRCode from 'qrcode'
import { itfWidths } from '../../core/payments/boleto/barcode.ts'
import { byteSegments } from '../qr/qr-segments.ts'

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
