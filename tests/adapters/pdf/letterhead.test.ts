import test from 'ava'
import { PNG } from 'pngjs'
import { pdfInvoiceRenderer } from '../../../adapters/documents/pdf-invoice-renderer.ts'
import { codesOf, pixelsOf } from './printed-page.ts'
import { samples } from './sample-invoices.ts'

const DPI = 72

const withLogo = (logo: Uint8Array | null) =>
  pdfInvoiceRenderer.invoicePdf({ ...samples.bolepix, payee: { ...samples.bolepix.payee, logo } })

const red = (width: number, height: number): Uint8Array => {
  const png = new PNG({ width, height })
  for (let at = 0; at < width * height; at += 1) png.data.set([255, 0, 0, 255], at * 4)
  return new Uint8Array(PNG.sync.write(png))
}

/** How wide and how high the red on a page is, in points. */
const redOn = (pdf: Uint8Array): readonly [number, number] => {
  const { data, width, height } = pixelsOf(pdf, DPI)
  const isRed = (x: number, y: number) => {
    const at = (y * width + x) * 4
    return (data[at] ?? 0) > 200 && (data[at + 1] ?? 255) < 60
  }
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) => isRed(x, 40))
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) => isRed(38, y))
  return [columns.length, rows.length]
}

for (const [name, width, height, wide, high] of [
  ['a small one', 12, 4, 120, 40],
  ['a wide one', 600, 100, 120, 20],
  ['a high one', 50, 500, 4, 44],
] as const)
  test(`a logo stands in its corner, as it is shaped: ${name}`, async (t) => {
    const [columns, rows] = redOn(await withLogo(red(width, height)))
    t.true(Math.abs(columns - wide) <= 2 && Math.abs(rows - high) <= 2, `${columns} x ${rows}`)
  })

/** A PNG whose head says that it is so large, whatever it holds. */
const claiming = (width: number, height: number): Uint8Array => {
  const bytes = red(2, 2)
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return bytes
}

const unusable = [
  ['none', null],
  ['an empty one', new Uint8Array()],
  ['one that ends in its head', red(2, 2).slice(0, 12)],
  ['one that ends in its picture', red(20, 20).slice(0, 60)],
  ['one that would fill the memory', claiming(60_000, 60_000)],
  ['one that is broken', claiming(700, 700)],
  ['a JPEG without a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
  ['a WebP', new TextEncoder().encode('RIFF\0\0\0\0WEBPVP8 ')],
] as const
for (const [name, logo] of unusable)
  test(`without a logo that can be drawn the bill is as good: ${name}`, async (t) => {
    const pdf = await withLogo(logo)
    t.is((await codesOf(pdf, 200)).length, 2)
    t.deepEqual(redOn(pdf), [0, 0])
  })
