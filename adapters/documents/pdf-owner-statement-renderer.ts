import { formatDay, formatMoment } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { OwnerStatementLine, OwnerStatementPaper, OwnerStatementRenderer } from '../../core/ports/documents.ts'
import { drawingQueue } from './document.ts'
import { INNER, LEADING, MARGIN, MUTED, type PageCanvas, type Piece, reportPdf, TINT } from './page-canvas.ts'

const RIGHT = MARGIN + INNER
const ROW = 16
/** The height of the sums under the last line. */
const SUMS = 110
const SMALL = { size: 8.2 } as const
const FAINT = { ...SMALL, gray: MUTED } as const
const NUMBER = { ...SMALL, align: 'right' } as const

const COLUMNS = {
  day: { x: MARGIN + 4, width: 58 },
  property: { x: MARGIN + 66, width: 86 },
  description: { x: MARGIN + 156, width: 200 },
  value: { x: MARGIN + 360, width: 74 },
  effect: { x: RIGHT - 78, width: 74 },
} as const

const titleOf = ({ period }: OwnerStatementPaper): string =>
  `Extrato do proprietário ${period.split('-').reverse().join('/')}`

const drawHead = (canvas: PageCanvas, statement: OwnerStatementPaper, page: string): number => {
  const { agency, owner, issuedAt } = statement
  const line = { x: MARGIN, width: INNER }
  canvas.text(titleOf(statement), { ...line, y: 62 }, { size: 17, bold: true })
  let y = canvas.lines(owner, { ...line, y: 84 }, { size: 11 }) + 2.5
  if (agency !== null) y = canvas.lines(agency, { ...line, y }, { size: 9, gray: MUTED })
  canvas.text(`Emitido em ${formatMoment(issuedAt)}, horário de Brasília · ${page}`, { ...line, y: y + 5 }, FAINT)
  canvas.fill({ y: y + 17, height: ROW }, TINT)
  y += 28
  canvas.text('Pago em', { ...COLUMNS.day, y }, { ...SMALL, bold: true })
  canvas.text('Imóvel', { ...COLUMNS.property, y }, { ...SMALL, bold: true })
  canvas.text('Descrição', { ...COLUMNS.description, y }, { ...SMALL, bold: true })
  canvas.text('Valor', { ...COLUMNS.value, y }, { ...NUMBER, bold: true })
  canvas.text('Ao proprietário', { ...COLUMNS.effect, y }, { ...NUMBER, bold: true })
  return y + 19
}

/** Draws a line with all its text; returns the baseline of the next one. */
const drawLine = (canvas: PageCanvas, y: number, line: OwnerStatementLine): number => {
  const { day, property, description, valueCents, effectCents } = line
  canvas.text(formatDay(day), { ...COLUMNS.day, y }, SMALL)
  const under = Math.max(
    canvas.lines(property, { ...COLUMNS.property, y }, SMALL),
    canvas.lines(description, { ...COLUMNS.description, y }, SMALL),
    y + SMALL.size * LEADING,
  )
  canvas.text(formatReais(valueCents), { ...COLUMNS.value, y }, NUMBER)
  canvas.text(effectCents === null ? 'só informado' : formatReais(effectCents), { ...COLUMNS.effect, y }, NUMBER)
  const foot = under - SMALL.size * LEADING + 5
  canvas.rule(foot)
  return foot + ROW - 5
}

const drawSums = (canvas: PageCanvas, from: number, statement: OwnerStatementPaper): void => {
  const sums = [
    ['Aluguéis e multas', statement.incomeCents],
    ['Taxas de administração', -statement.administrationCents],
    ['Despesas', -statement.expensesCents],
  ] as const
  let y = from + 22
  for (const [label, cents] of sums) {
    canvas.text(label, { ...COLUMNS.description, y }, SMALL)
    canvas.text(formatReais(cents), { ...COLUMNS.effect, y }, NUMBER)
    y += ROW
  }
  canvas.text('A receber', { ...COLUMNS.description, y: y + 4 }, { size: 11, bold: true })
  const total = { x: COLUMNS.value.x, width: RIGHT - 4 - COLUMNS.value.x, y: y + 4 }
  canvas.text(formatReais(statement.netCents), total, { size: 11, bold: true, align: 'right' })
}

const NOTHING_PAID: Piece = {
  height: ROW,
  needs: 0,
  draw: (canvas, y) => canvas.text('Nada foi pago neste mês.', { x: MARGIN + 4, y, width: INNER }, SMALL),
}

/** The sums are on the page of the last line. */
const piecesOf = (measuring: PageCanvas, statement: OwnerStatementPaper): readonly Piece[] => [
  ...(statement.lines.length === 0 ? [NOTHING_PAID] : []),
  ...statement.lines.map((line) => ({
    height: drawLine(measuring, 0, line),
    needs: SUMS,
    draw: (canvas: PageCanvas, y: number) => void drawLine(canvas, y, line),
  })),
  { height: 0, needs: 0, draw: (canvas, y) => drawSums(canvas, y - 8, statement) },
]

const draw = (statement: OwnerStatementPaper): Promise<Uint8Array> => {
  const { agency, issuedAt } = statement
  return reportPdf(
    statement,
    { title: titleOf(statement), author: agency ?? 'Portico', createdAt: issuedAt },
    (canvas, page) => drawHead(canvas, statement, page),
    (measuring) => piecesOf(measuring, statement),
  )
}

/** Draws statements of owners with pdf-lib, in this thread: the statement of a month is short. */
export const pdfOwnerStatementRenderer = (): OwnerStatementRenderer => {
  const enqueue = drawingQueue()
  return { ownerStatementPdf: (statement) => enqueue(() => draw(statement), statement.owner) }
}
