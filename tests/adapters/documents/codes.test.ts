import test from 'ava'
import jsQRModule from 'jsqr'
import { PNG } from 'pngjs'
import { pngQrRenderer, terminalQr } from '../../../adapters/documents/codes.ts'

// The CommonJS package exports its function as `default`, which the module systems unwrap differently.
const jsQR = jsQRModule.default ?? jsQRModule

const BR_CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913FULANO DE TAL6008BRASILIA62070503***63041D3D'
const TEXTS = {
  'a Pix code': BR_CODE,
  'digits only': '00190500954014481606906809350314337370000000100',
  'capitals only': 'HTTPS://PORTICO.EXAMPLE/PAY/ABC123',
  'accents and emoji': 'Cobrança de João: R$ 1.234,56 ✅',
  'one character': 'a',
  'the largest that fits': 'x'.repeat(2331),
}

const pixelsOf = async (text: string) => PNG.sync.read(Buffer.from(await pngQrRenderer.qrPng(text)))
const decoded = (pixels: { data: Uint8Array; width: number; height: number }) =>
  jsQR(new Uint8ClampedArray(pixels.data), pixels.width, pixels.height, { inversionAttempts: 'dontInvert' })

for (const [name, text] of Object.entries(TEXTS)) {
  test(`draws a readable PNG of ${name}, in byte mode`, async (t) => {
    const code = decoded(await pixelsOf(text))
    t.is(Buffer.from(code?.binaryData ?? []).toString('utf8'), text)
    t.deepEqual(
      code?.chunks.map(({ type }) => type),
      ['byte'] as never,
    )
  })
}

test('draws a quiet zone of four modules, with error correction M', async (t) => {
  const { data, width, height } = await pixelsOf(BR_CODE)
  t.is(width, height)
  const dark = (x: number, y: number) => (data[(y * width + x) * 4] ?? 255) < 128
  const left = Array.from({ length: width }, (_, at) => at).find((at) => dark(at, at)) ?? 0
  // The finder pattern begins right after the quiet zone with a bar of seven modules.
  const bar = Array.from({ length: width }, (_, at) => at).filter((x) => x >= left && dark(x, left))
  const modulePixels = bar.findIndex((x, at) => x !== left + at) / 7
  t.is(left / modulePixels, 4)
  // The two modules beside the lower left finder carry the level, masked: 00 for M becomes 10.
  const size = width / modulePixels - 8
  const format = [1, 2].map((row) => dark((4 + 8 + 0.5) * modulePixels, (4 + size - row + 0.5) * modulePixels))
  t.deepEqual(format, [true, false])
})

test('rejects a text that does not fit', async (t) => {
  await t.throwsAsync(pngQrRenderer.qrPng('x'.repeat(2332)))
})

const ESCAPE = String.fromCharCode(27)

/** Returns the terminal's picture as pixels: each character is an upper and a lower one. */
const screenOf = (picture: string) => {
  // The lower edge is white on a transparent background.
  const whiteEdge = `${ESCAPE}[0m${ESCAPE}[37m▀`
  const plain = picture.replaceAll(whiteEdge, ' ').replaceAll(new RegExp(`${ESCAPE}\\[\\d*m`, 'g'), '')
  const rows = plain.split('\n').filter((line) => line !== '')
  const PIXELS = 4
  const width = Math.max(...rows.map((row) => row.length)) * PIXELS
  const height = rows.length * 2 * PIXELS
  const data = new Uint8Array(width * height * 4).fill(255)
  const isDark = (x: number, y: number) => {
    const character = rows[Math.floor(y / PIXELS / 2)]?.[Math.floor(x / PIXELS)] ?? ' '
    return (Math.floor(y / PIXELS) % 2 === 0 ? '▀█' : '▄█').includes(character)
  }
  for (let at = 0; at < width * height; at += 1) {
    if (isDark(at % width, Math.floor(at / width))) data.fill(0, at * 4, at * 4 + 3)
  }
  return { data, width, height }
}

for (const [title, colors] of [
  ['black on white', true],
  ['without escape codes if colours are off', false],
] as const)
  test(`draws a readable code for a terminal, ${title}`, async (t) => {
    const picture = await terminalQr(BR_CODE, { colors })
    t.is(picture.startsWith(`${ESCAPE}[47m${ESCAPE}[30m`), colors)
    t.is(picture.includes(ESCAPE), colors)
    t.is(decoded(screenOf(picture))?.data, BR_CODE)
  })

test('returns the same image again, independent of changes to the first and of many others', async (t) => {
  const first = await pngQrRenderer.qrPng('requested twice')
  const again = await pngQrRenderer.qrPng('requested twice')
  t.deepEqual(again, first)
  again.fill(0)
  t.deepEqual(await pngQrRenderer.qrPng('requested twice'), first)
  for (let number = 0; number < 510; number += 1) await pngQrRenderer.qrPng(`other ${number}`)
  t.deepEqual(await pngQrRenderer.qrPng('requested twice'), first)
  t.notDeepEqual(await pngQrRenderer.qrPng('other 509'), first)
})
