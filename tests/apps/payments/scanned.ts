import jsQRModule from 'jsqr'
import { PNG } from 'pngjs'

// The package is CommonJS with its function under `default`, which the two module systems unwrap differently.
const jsQR = jsQRModule.default ?? jsQRModule
const DATA = 'data:image/png;base64,'

/** Returns the text of the QR code in a data URI. */
export const scanned = (image: string): string | undefined => {
  const { data, width, height } = PNG.sync.read(Buffer.from(image.slice(DATA.length), 'base64'))
  return jsQR(new Uint8ClampedArray(data), width, height)?.data
}
