import type { Color, ColorTypes, PDFDocument, PDFImage } from 'pdf-lib'
import type { BarCode } from './codes.ts'
import { chop, cutTo, embedFaces, type Face, wrap } from './fonts.ts'

/** Converts millimetres to points. */
export const mm = (millimetres: number): number => (millimetres * 72) / 25.4

/** As `grayscale` of pdf-lib, which is loaded with the first document. */
const grayscale = (gray: number): Color => ({ type: 'Grayscale' as ColorTypes.Grayscale, gray })

const INK = grayscale(0)
export const MUTED = grayscale(0.38)
export const PAPER = grayscale(1)
export const TINT = grayscale(0.955)

/** A rectangle, in points from the upper left corner of the page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Style {
  readonly size: number
  readonly bold?: boolean
  readonly color?: Color
  readonly align?: 'left' | 'right' | 'center'
  /** The size down to which a long line shrinks before it is cut; by default it does not shrink. */
  readonly least?: number
}

/** One A4 page; coordinates begin at its upper left corner. */
export interface Sheet {
  /** Draws one line on a baseline, cut to the width. */
  line(text: string, at: { readonly x: number; readonly y: number; readonly width: number }, style: Style): void
  /** Draws a wrapped text from the top of a box, smaller if needed to fit; returns the y below. */
  lines(text: string, box: Box, style: Style): number
  /**
   * Draws wrapped texts below each other, all of them smaller by the same share if needed to fit; returns the y below.
   */
  block(texts: readonly (readonly [text: string, style: Style])[], box: Box): number
  /** Returns the height of a text that is wrapped to a width. */
  height(text: string, width: number, style: Style): number
  /** Draws a text to copy, without cuts, as large as the box allows. */
  copied(text: string, box: Box, largest: number): void
  fill(box: Box, color: Color): void
  rule(
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
    weight?: number,
  ): void
  /** Draws a dashed line with scissors over the width of the page. */
  cut(y: number): void
  code(code: BarCode, box: Box): void
  /** Draws an image in the upper left corner of a box, as large as fits. */
  image(image: PDFImage, box: Box): void
}

const LEADING = 1.22
const ASCENT = 0.78
/** The smallest size of a text to copy: at this size any of our boxes holds 512 characters. */
const SMALLEST_COPIED = 4
/** At this share of its size the longest text of any field fits into its box. */
const LEAST_SHARE = 0.3
const SHRINK = 0.95
/** The rounding error of a line that was shrunk to a width, in points. */
const TOLERANCE = 0.01
const DASHES = [3, 3]
const SCISSORS = '✂'

interface LaidOutText {
  readonly face: Face
  readonly style: Style
  readonly lines: readonly string[]
}

/** Descenders of the last line may reach below the box. */
const SLACK = 2

const heightOf = (laid: readonly LaidOutText[]): number =>
  laid.reduce((sum, { lines, style }) => sum + lines.length * style.size * LEADING, 0)

interface OpenSheet extends Sheet {
  readonly document: PDFDocument
}

/** Opens a document of one page. The letters of `content` decide which fonts are embedded. */
export const openSheet = async (content: unknown): Promise<OpenSheet> => {
  const pdf = await import('pdf-lib')
  const document = await pdf.PDFDocument.create()
  const page = document.addPage(pdf.PageSizes.A4)
  const faces = await embedFaces(document, content)
  const dingbats = await document.embedFont('ZapfDingbats')
  const top = page.getHeight()
  const faceFor = (text: string, { bold = false }: Style): Face => faces.of(text, bold).face

  const write = (face: Face, text: string, at: { x: number; y: number; width: number }, style: Style): void => {
    const spare = at.width - face.width(text, style.size)
    const indent = { left: 0, right: spare, center: spare / 2 }[style.align ?? 'left']
    page.drawText(text, {
      x: at.x + indent,
      y: top - at.y,
      size: style.size,
      font: face.font,
      color: style.color ?? INK,
    })
  }

  /** Wraps texts at a share of their sizes; at the smallest share their line breaks become spaces. */
  const layOut = (texts: Parameters<Sheet['block']>[0], width: number, share: number): readonly LaidOutText[] =>
    texts.map(([text, style]) => {
      const face = faceFor(text, style)
      const size = style.size * share
      const whole = share > LEAST_SHARE ? text : text.replace(/\s+/g, ' ')
      return { face, style: { ...style, size }, lines: wrap(face, whole, size, width) }
    })

  const drawBlock: Sheet['block'] = (texts, { x, y, width, height }) => {
    let share = 1
    let laid = layOut(texts, width, share)
    while (heightOf(laid) > height + SLACK && share > LEAST_SHARE) {
      share = Math.max(LEAST_SHARE, share * SHRINK)
      laid = layOut(texts, width, share)
    }
    let under = y
    for (const { face, style, lines } of laid)
      for (const line of lines) {
        write(face, line, { x, y: under + style.size * ASCENT, width }, style)
        under += style.size * LEADING
      }
    return under
  }

  return {
    document,
    line(text, at, style) {
      const face = faceFor(text, style)
      const printed = face.printable(text)
      const fitting = (style.size * at.width) / face.width(printed, style.size)
      const size = Math.min(style.size, Math.max(style.least ?? style.size, fitting))
      write(face, cutTo(face, printed, size, at.width + TOLERANCE), at, { ...style, size })
    },
    lines: (text, box, style) => drawBlock([[text, style]], box),
    block: drawBlock,
    height: (text, width, style) => heightOf(layOut([[text, style]], width, 1)),
    copied(text, box, largest) {
      const face = faceFor(text, { size: largest })
      let size = largest
      let lines = chop(face, text, size, box.width)
      while (lines.length * size * LEADING > box.height && size > SMALLEST_COPIED) {
        size -= 0.4
        lines = chop(face, text, size, box.width)
      }
      for (const [index, line] of lines.entries())
        write(face, line, { x: box.x, y: box.y + size * (ASCENT + index * LEADING), width: box.width }, { size })
    },
    fill({ x, y, width, height }, color) {
      page.drawRectangle({ x, y: top - y - height, width, height, color })
    },
    rule(from, to, weight = 0.6) {
      const [start, end] = [from, to].map(({ x, y }) => ({ x, y: top - y }))
      if (start && end) page.drawLine({ start, end, thickness: weight, color: INK })
    },
    cut(y) {
      const [start, end] = [mm(8), page.getWidth() - mm(8)].map((x) => ({ x, y: top - y }))
      if (start && end) page.drawLine({ start, end, thickness: 0.5, color: MUTED, dashArray: DASHES })
      page.drawText(SCISSORS, { x: mm(8), y: top - y + 2, size: 9, font: dingbats, color: MUTED })
    },
    code({ bars, columns, rows }, { x, y, width, height }) {
      const [across, down] = [width / columns, height / rows]
      // One path for all bars: neighbours that are painted apart show seams in some readers.
      page.pushOperators(
        pdf.pushGraphicsState(),
        pdf.setFillingGrayscaleColor(0),
        ...bars.map((bar) =>
          pdf.rectangle(
            x + bar.x * across,
            top - y - (bar.y + bar.height) * down,
            bar.width * across,
            bar.height * down,
          ),
        ),
        pdf.fill(),
        pdf.popGraphicsState(),
      )
    },
    image(image, { x, y, width, height }) {
      const scaled = image.scaleToFit(width, height)
      page.drawImage(image, { x, y: top - y - scaled.height, width: scaled.width, height: scaled.height })
    },
  }
}

const [SMALLEST_FITTING, STEP] = [3.2, 0.3]

/** Returns the first size that fits, from the largest down in steps of 0.3; 3.2 if none fits. */
export const fittingSize = (largest: number, fits: (size: number) => boolean): number => {
  let size = largest
  while (!fits(size) && size > SMALLEST_FITTING) size -= STEP
  return size
}
