import {
  type Color,
  fill,
  grayscale,
  PageSizes,
  PDFDocument,
  type PDFImage,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  StandardFonts,
  setFillingGrayscaleColor,
} from 'pdf-lib'
import type { BarCode } from './codes.ts'
import { chopped, cutTo, embedFaces, type Face, wrapped } from './fonts.ts'

/** Points of so many millimetres. */
export const mm = (millimetres: number): number => (millimetres * 72) / 25.4

export const INK = grayscale(0)
export const MUTED = grayscale(0.38)
export const PAPER = grayscale(1)
export const TINT = grayscale(0.955)

/** Where something stands: points from the upper left corner of the page. */
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
  /** To which size a line that is too long becomes smaller before it is cut. */
  readonly least?: number
}

/** One A4 page, from its upper left corner. */
export interface Sheet {
  /** One line on a baseline, cut where it is longer than the width. */
  line(text: string, at: { readonly x: number; readonly y: number; readonly width: number }, style: Style): void
  /** A text wrapped down from the top of a box, smaller where the box would not hold all of it; gives the y under it. */
  lines(text: string, box: Box, style: Style): number
  /** Wraps texts one under the other, all of them made smaller alike. */
  block(texts: readonly (readonly [text: string, style: Style])[], box: Box): number
  /** Returns the height of a text that is wrapped to a width. */
  height(text: string, width: number, style: Style): number
  /** A text to be copied, whole: as large as the box allows. */
  copied(text: string, box: Box, largest: number): void
  fill(box: Box, color: Color): void
  rule(
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
    weight?: number,
  ): void
  /** A dashed line over the width of the page, with scissors. */
  cut(y: number): void
  code(code: BarCode, box: Box): void
  /** As large as the box allows, at its upper left. */
  image(image: PDFImage, box: Box): void
}

const LEADING = 1.22
const ASCENT = 0.78
/** Under this no text is read, and a text of 512 signs stands in any box of ours. */
const SMALLEST = 4
/** The largest texts of all fields at once stand in their boxes at this share of their size. */
const LEAST_SHARE = 0.3
const SHRINK = 0.95
/** Points by which a line may miss the width that it was made to fit. */
const TOLERANCE = 0.01
const DASHES = [3, 3]
const SCISSORS = '✂'

interface Laid {
  readonly face: Face
  readonly style: Style
  readonly lines: readonly string[]
}

/** The descenders of the last line may stand under the box. */
const SLACK = 2

const heightOf = (laid: readonly Laid[]): number =>
  laid.reduce((sum, { lines, style }) => sum + lines.length * style.size * LEADING, 0)

export interface OpenSheet extends Sheet {
  readonly document: PDFDocument
}

/** A new document of one page, for which all that it is to tell is given: its letters say which fonts it needs. */
export const openSheet = async (told: unknown): Promise<OpenSheet> => {
  const document = await PDFDocument.create()
  const page = document.addPage(PageSizes.A4)
  const faces = await embedFaces(document, told)
  const dingbats = await document.embedFont(StandardFonts.ZapfDingbats)
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

  /** Texts in lines of a width, at a share of their sizes; line breaks of their own are spaces once nothing else helps. */
  const laidOut = (texts: Parameters<Sheet['block']>[0], width: number, share: number): readonly Laid[] =>
    texts.map(([text, style]) => {
      const face = faceFor(text, style)
      const size = style.size * share
      const whole = share > LEAST_SHARE ? text : text.replace(/\s+/g, ' ')
      return { face, style: { ...style, size }, lines: wrapped(face, whole, size, width) }
    })

  const drawBlock: Sheet['block'] = (texts, { x, y, width, height }) => {
    let share = 1
    let laid = laidOut(texts, width, share)
    while (heightOf(laid) > height + SLACK && share > LEAST_SHARE) {
      share = Math.max(LEAST_SHARE, share * SHRINK)
      laid = laidOut(texts, width, share)
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
    height: (text, width, style) => heightOf(laidOut([[text, style]], width, 1)),
    copied(text, box, largest) {
      const face = faceFor(text, { size: largest })
      let size = largest
      let lines = chopped(face, text, size, box.width)
      while (lines.length * size * LEADING > box.height && size > SMALLEST) {
        size -= 0.4
        lines = chopped(face, text, size, box.width)
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
      // All bars are one path: between neighbours that are painted one by one a reader sees seams.
      page.pushOperators(
        pushGraphicsState(),
        setFillingGrayscaleColor(0),
        ...bars.map((bar) =>
          rectangle(x + bar.x * across, top - y - (bar.y + bar.height) * down, bar.width * across, bar.height * down),
        ),
        fill(),
        popGraphicsState(),
      )
    },
    image(image, { x, y, width, height }) {
      const scaled = image.scaleToFit(width, height)
      page.drawImage(image, { x, y: top - y - scaled.height, width: scaled.width, height: scaled.height })
    },
  }
}
