import type { PDFDocument } from 'pdf-lib'
import { type Metadata, setMetadata } from './document.ts'
import { cutTo, embedFaces, type Faces, wrap } from './fonts.ts'

/** A4, in points. */
const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89
export const MARGIN = 40
export const INNER = PAGE_WIDTH - 2 * MARGIN

/** Shades of gray: 0 is ink, 1 is paper. */
const INK = 0
export const MUTED = 0.4
export const TINT = 0.95
const RULE = 0.75
export const LEADING = 1.22
/** The rounding error of a line that was wrapped to a width, in points. */
const TOLERANCE = 0.01

interface TextStyle {
  readonly size: number
  readonly bold?: boolean
  readonly gray?: number
  readonly align?: 'left' | 'right'
}

/**
 * A page of a long document; coordinates begin at its upper left corner. Drawing appends PDF operators, written at the
 * end of the page.
 */
export interface PageCanvas {
  /** Draws one line on a baseline, cut to the width. */
  text(text: string, at: { readonly x: number; readonly y: number; readonly width: number }, style: TextStyle): void
  /** Draws a wrapped text from a baseline down; returns the baseline below the last line. */
  lines(text: string, at: { readonly x: number; readonly y: number; readonly width: number }, style: TextStyle): number
  /** Returns the lines of a text that is wrapped to a width. */
  wrap(text: string, width: number, style: TextStyle): readonly string[]
  fill(box: { readonly y: number; readonly height: number }, gray: number): void
  rule(y: number): void
}

/** A document of many pages. Each page is compressed at its end, so that memory holds only compressed pages. */
interface PageBook {
  readonly document: PDFDocument
  /** Draws on no page, for measuring. */
  readonly measuring: PageCanvas
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
      return wrap(faces.of(text, bold).face, text.replace(/\s+/g, ' '), size, width)
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

/** Opens a document. The letters of `content` decide which fonts are embedded. */
export const openBook = async (content: unknown): Promise<PageBook> => {
  // A server that draws no document does not load it.
  const { PDFDocument, PDFName } = await import('pdf-lib')
  const document = await PDFDocument.create()
  const faces = await embedFaces(document, content)
  return {
    document,
    measuring: canvasOf(faces).canvas,
    page(draw) {
      const page = document.addPage([PAGE_WIDTH, PAGE_HEIGHT])
      for (const { name, face } of faces.all) page.node.setFontDictionary(PDFName.of(name), face.font.ref)
      const { canvas, operators } = canvasOf(faces)
      draw(canvas)
      const packed = document.context.flateStream(operators.join('\n'))
      page.node.set(PDFName.of('Contents'), document.context.register(packed))
    },
  }
}

/** A part of a page, below the previous one. */
export interface Block {
  readonly height: number
  draw(canvas: PageCanvas, y: number): void
}

/**
 * A block of a report, which begins a page if not all of it fits, or not the height that `needs` to be free below it.
 */
export interface Piece extends Block {
  readonly needs: number
}

const BOTTOM = PAGE_HEIGHT - MARGIN

/**
 * Draws a report of numbered pages, all with the same head, which returns where the first piece begins. The letters of
 * `content` decide which fonts are embedded.
 */
export const reportPdf = async (
  content: unknown,
  metadata: Metadata,
  drawHead: (canvas: PageCanvas, page: string) => number,
  piecesOf: (measuring: PageCanvas) => readonly Piece[],
): Promise<Uint8Array> => {
  const book = await openBook(content)
  setMetadata(book.document, metadata)
  const first = drawHead(book.measuring, '')
  const pages: Piece[][] = [[]]
  let end = first
  for (const piece of piecesOf(book.measuring)) {
    if (end + piece.height + piece.needs > BOTTOM && pages.at(-1)?.length !== 0) {
      pages.push([])
      end = first
    }
    pages.at(-1)?.push(piece)
    end += piece.height
  }
  for (const [index, pieces] of pages.entries())
    book.page((canvas) => {
      let y = drawHead(canvas, `página ${index + 1} de ${pages.length}`)
      for (const piece of pieces) {
        piece.draw(canvas, y)
        y += piece.height
      }
    })
  return book.document.save()
}
