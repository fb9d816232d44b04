import { PageSizes, PDFDocument, PDFName } from 'pdf-lib'
import { cutTo, embedFaces, type Faces, wrapped } from './fonts.ts'

export const [PAGE_WIDTH, PAGE_HEIGHT] = PageSizes.A4
export const MARGIN = 40
export const INNER = PAGE_WIDTH - 2 * MARGIN

/** How dark something is: 0 is ink, 1 is paper. */
const INK = 0
export const MUTED = 0.4
export const TINT = 0.95
const RULE = 0.75
export const LEADING = 1.22
/** Points by which a line may miss the width that it was made to fit. */
const TOLERANCE = 0.01

export interface TextStyle {
  readonly size: number
  readonly bold?: boolean
  readonly gray?: number
  readonly align?: 'left' | 'right'
}

/** A page of a long document, from its upper left corner: what is drawn is one text of operators, written as it ends. */
export interface PageCanvas {
  /** One line on a baseline, cut where it is longer than the width. */
  text(text: string, at: { readonly x: number; readonly y: number; readonly width: number }, style: TextStyle): void
  /** A text whole, in lines down from a baseline; gives the baseline under the last one. */
  lines(text: string, at: { readonly x: number; readonly y: number; readonly width: number }, style: TextStyle): number
  /** The lines of a text in a width. */
  wrap(text: string, width: number, style: TextStyle): readonly string[]
  fill(box: { readonly y: number; readonly height: number }, gray: number): void
  rule(y: number): void
}

/** A document of many pages, each packed as it ends, so that only what is packed is in memory. */
export interface PageBook {
  readonly document: PDFDocument
  /** Draws on no page: for the heights that `lines` gives. */
  readonly nowhere: PageCanvas
  page(draw: (canvas: PageCanvas) => void): void
}

const two = (value: number): string => `${Math.round(value * 100) / 100}`

const canvasOf = (faces: Faces) => {
  const operators: string[] = []
  const canvas: PageCanvas = {
    text(text, { x, y, width }, { size, bold = false, gray = INK, align = 'left' }) {
      const { name, face } = faces.of(text, bold)
      const shown = cutTo(face, face.printable(text), size, width)
      if (shown === '') return
      const left = align === 'left' ? x : x + width - face.width(shown, size)
      const place = `${two(left)} ${two(PAGE_HEIGHT - y)} Td`
      operators.push(`BT ${gray} g /${name} ${size} Tf ${place} ${face.font.encodeText(shown)} Tj ET`)
    },
    lines(text, { x, y, width }, style) {
      let baseline = y
      for (const line of canvas.wrap(text, width, style)) {
        canvas.text(line, { x, y: baseline, width: width + TOLERANCE }, style)
        baseline += style.size * LEADING
      }
      return baseline
    },
    wrap(text, width, { size, bold = false }) {
      return wrapped(faces.of(text, bold).face, text.replace(/\s+/g, ' '), size, width)
    },
    fill({ y, height }, gray) {
      operators.push(`${gray} g ${MARGIN} ${two(PAGE_HEIGHT - y - height)} ${two(INNER)} ${two(height)} re f`)
    },
    rule(y) {
      const at = two(PAGE_HEIGHT - y)
      operators.push(`${RULE} G 0.5 w ${MARGIN} ${at} m ${two(MARGIN + INNER)} ${at} l S`)
    },
  }
  return { canvas, operators }
}

/** A new document, for which all that it is to tell is given: its letters say which fonts it needs. */
export const openBook = async (told: unknown): Promise<PageBook> => {
  const document = await PDFDocument.create()
  const faces = await embedFaces(document, told)
  return {
    document,
    nowhere: canvasOf(faces).canvas,
    page(draw) {
      const page = document.addPage(PageSizes.A4)
      for (const { name, face } of faces.all) page.node.setFontDictionary(PDFName.of(name), face.font.ref)
      const { canvas, operators } = canvasOf(faces)
      draw(canvas)
      const packed = document.context.flateStream(operators.join('\n'))
      page.node.set(PDFName.of('Contents'), document.context.register(packed))
    },
  }
}
