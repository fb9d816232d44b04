import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as mupdf from 'mupdf'
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader'

// From the disk: by default the reader downloads it.
const READER = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(READER)).buffer } })

const POINTS = 72
const pageOf = (pdf: Uint8Array) => mupdf.Document.openDocument(pdf, 'application/pdf').loadPage(0)

export const pagesOf = (pdf: Uint8Array): number => mupdf.Document.openDocument(pdf, 'application/pdf').countPages()

export const pixelsOf = (pdf: Uint8Array, dpi: number) => {
  const scale = mupdf.Matrix.scale(dpi / POINTS, dpi / POINTS)
  const page = pageOf(pdf)
  const bounds = mupdf.Rect.transform(page.getBounds(), scale)
  const paper = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, bounds, true)
  paper.clear(255)
  page.run(new mupdf.DrawDevice(scale, paper), mupdf.Matrix.identity)
  const [width, height, data] = [paper.getWidth(), paper.getHeight(), new Uint8ClampedArray(paper.getPixels())]
  // The reader's memory is not collected.
  paper.destroy()
  return { data, width, height, colorSpace: 'srgb' as const }
}

/** Returns the codes that an independent reader finds on the first page. */
export const codesOf = (pdf: Uint8Array, dpi: number): Promise<ReadResult[]> =>
  readBarcodes(pixelsOf(pdf, dpi), { formats: ['ITF', 'QRCode'], tryHarder: true })

/** Returns the text of a code; undefined if it cannot be read. */
export const codeOf = async (pdf: Uint8Array, format: 'ITF' | 'QRCode', dpi = 200): Promise<string | undefined> =>
  (await codesOf(pdf, dpi)).find((code) => code.format === format)?.text

export const barsOf = async (
  pdf: Uint8Array,
  dpi = 600,
): Promise<{ readonly width: number; readonly height: number }> => {
  const { data, width, height } = pixelsOf(pdf, dpi)
  const { position } = (await codesOf(pdf, 200)).find((code) => code.format === 'ITF') ?? {}
  if (!position) throw new Error('there are no bars')
  const scale = dpi / 200
  const [left, right] = [position.topLeft.x * scale, position.topRight.x * scale]
  const isDark = (x: number, y: number) => (data[(y * width + x) * 4] ?? 255) < 128
  const middle = Math.round(((position.topLeft.y + position.bottomLeft.y) / 2) * scale)
  const margin = dpi / 10
  const row = Array.from({ length: Math.round(right - left + 2 * margin) }, (_, at) => Math.round(left - margin) + at)
  const dark = row.filter((x) => isDark(x, middle))
  const [first = 0, last = 0] = [dark[0], dark.at(-1)]
  const alongBar = (step: number): number => {
    let y = middle
    while (y >= 0 && y < height && isDark(first, y)) y += step
    return y
  }
  const inMm = (dots: number) => (dots * 25.4) / dpi
  return { width: inMm(last - first + 1), height: inMm(alongBar(1) - alongBar(-1) - 1) }
}

/** Returns the text of the first page by lines. */
export const textOf = (pdf: Uint8Array): string => pageOf(pdf).toStructuredText('').asText()

/** Returns the left, upper, right and lower edge of each character in points. */
export const characterEdges = (pdf: Uint8Array): readonly (readonly [number, number, number, number])[] => {
  const edges: [number, number, number, number][] = []
  pageOf(pdf)
    .toStructuredText('preserve-whitespace')
    .walk({
      onChar(character, _origin, _font, _size, quad) {
        const [x0, y0, x1, , , , , y3] = quad
        if (character.trim() !== '') edges.push([x0, y0, x1, y3])
      },
    })
  return edges
}
