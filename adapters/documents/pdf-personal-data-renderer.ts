import { formatMoment } from '../../core/kernel/values/day.ts'
import type { PersonalDataPaper, PersonalDataRenderer, PersonalDataSection } from '../../core/ports/documents.ts'
import { drawingQueue } from './document.ts'
import { INNER, LEADING, MARGIN, MUTED, type PageCanvas, type Piece, reportPdf, TINT } from './page-canvas.ts'

const SMALL = { size: 8.2 } as const
const FAINT = { ...SMALL, gray: MUTED } as const
const LINE = SMALL.size * LEADING
const LABEL = { x: MARGIN + 4, width: 130 } as const
const VALUE = { x: MARGIN + 138, width: INNER - 142 } as const
const BAND = 16
/** The space between two records, with a rule in it. */
const GAP = 9
/** A title is not printed alone at the foot of a page. */
const LINES_UNDER_TITLE = 2

/** The lines of a record that one page shows together. */
const MAX_TOGETHER = 20

const titlePiece = (title: string): Piece => ({
  height: BAND + 14,
  needs: LINES_UNDER_TITLE * LINE,
  draw: (canvas, y) => {
    canvas.fill({ y: y - 3, height: BAND }, TINT)
    canvas.text(title, { ...LABEL, width: INNER, y: y + 8 }, { size: 9, bold: true })
  },
})

/** Keeps a record with its rule on one page, unless it is long. */
const gapPiece = (under: readonly Piece[]): Piece => ({
  height: GAP,
  needs: Math.min(under.length, MAX_TOGETHER) * LINE,
  draw: (canvas, y) => canvas.rule(y - LINE + GAP / 2),
})

const linePiece = (label: string, value: string): Piece => ({
  height: LINE,
  needs: 0,
  draw: (canvas, y) => {
    canvas.text(label, { ...LABEL, y }, FAINT)
    canvas.text(value, { ...VALUE, y }, SMALL)
  },
})

/** A value of many lines is one piece a line, so that it can go on over several pages. */
const factPieces = (measuring: PageCanvas, [label, value]: readonly [string, string]): readonly Piece[] => {
  const lines = value.split('\n').flatMap((part) => measuring.wrap(part, VALUE.width, SMALL))
  return lines.map((line, index) => linePiece(index === 0 ? label : '', line))
}

const sectionPieces = (measuring: PageCanvas, { title, records, empty }: PersonalDataSection): readonly Piece[] => [
  titlePiece(title),
  ...(records.length === 0 ? [linePiece(empty, '')] : []),
  ...records.flatMap((record, index) => {
    const pieces = record.flatMap((fact) => factPieces(measuring, fact))
    return index === 0 ? pieces : [gapPiece(pieces), ...pieces]
  }),
  { height: LINE, needs: 0, draw: () => {} },
]

const drawHead = (canvas: PageCanvas, paper: PersonalDataPaper, page: string): number => {
  const { title, controller, person, issuedAt } = paper
  const line = { x: MARGIN, width: INNER }
  canvas.text(title, { ...line, y: 62 }, { size: 17, bold: true })
  let y = canvas.lines(person, { ...line, y: 84 }, { size: 11 }) + 2.5
  const holder = [controller.name, controller.document].filter(Boolean).join(', CNPJ ou CPF ')
  y = canvas.lines(`Controlador: ${holder}`, { ...line, y }, { size: 9, gray: MUTED })
  y = canvas.lines('Lei 13.709/2018 (LGPD), art. 18', { ...line, y }, { size: 9, gray: MUTED })
  canvas.text(`Emitido em ${formatMoment(issuedAt)}, horário de Brasília · ${page}`, { ...line, y: y + 2 }, FAINT)
  return y + 24
}

const draw = (paper: PersonalDataPaper): Promise<Uint8Array> => {
  const { title, controller, issuedAt } = paper
  return reportPdf(
    paper,
    { title, author: controller.name, createdAt: issuedAt },
    (canvas, page) => drawHead(canvas, paper, page),
    (measuring) => paper.sections.flatMap((section) => sectionPieces(measuring, section)),
  )
}

/** Draws reports on personal data with pdf-lib, in this thread. */
export const pdfPersonalDataRenderer = (): PersonalDataRenderer => {
  const enqueue = drawingQueue()
  return { personalDataPdf: (paper) => enqueue(() => draw(paper), paper.person) }
}
