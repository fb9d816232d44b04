import { setImmediate } from 'node:timers/promises'
import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { OwnerStatementLine, OwnerStatementPaper, OwnerStatementRenderer } from '../../core/ports/documents.ts'
import { slots } from '../concurrency/slots.ts'
import {
  INNER,
  LEADING,
  MARGIN,
  MUTED,
  openBook,
  PAGE_HEIGHT,
  type PageBook,
  type PageCanvas,
  TINT,
} from './page-canvas.ts'
import { moment } from './statement-pdf.ts'

const RIGHT = MARGIN + INNER
const ROW = 16
/** Room for the sums under the last line. */
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

const monthText = (period: string): string => period.split('-').reverse().join('/')

/** Draws the owner and the names of the columns; returns the baseline of the first row. */
const drawHead = (
  canvas: PageCanvas,
  { agency, owner, period, issuedAt }: OwnerStatementPaper,
  page: string,
): number => {
  const line = { x: MARGIN, width: INNER }
  canvas.text(`Extrato do proprietário ${monthText(period)}`, { ...line, y: 62 }, { size: 17, bold: true })
  let y = canvas.lines(owner, { ...line, y: 84 }, { size: 11 }) + 2.5
  if (agency !== null) y = canvas.lines(agency, { ...line, y }, { size: 9, gray: MUTED })
  canvas.text(`Emitido em ${moment(issuedAt)}, horário de Brasília · ${page}`, { ...line, y: y + 5 }, FAINT)
  canvas.fill({ y: y + 17, height: ROW }, TINT)
  y += 28
  canvas.text('Pago em', { ...COLUMNS.day, y }, { ...SMALL, bold: true })
  canvas.text('Imóvel', { ...COLUMNS.property, y }, { ...SMALL, bold: true })
  canvas.text('Descrição', { ...COLUMNS.description, y }, { ...SMALL, bold: true })
  canvas.text('Valor', { ...COLUMNS.value, y }, { ...NUMBER, bold: true })
  canvas.text('Ao proprietário', { ...COLUMNS.effect, y }, { ...NUMBER, bold: true })
  return y + 19
}

/** Draws a line whole; gives the baseline of the next one. */
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

/** The lines of each page: at least one, then as many as stand above the sums. */
const pagesOf = ({ nowhere }: PageBook, statement: OwnerStatementPaper): readonly OwnerStatementLine[][] => {
  const first = drawHead(nowhere, statement, '')
  const pages: OwnerStatementLine[][] = [[]]
  let y = first
  for (const line of statement.lines) {
    const height = drawLine(nowhere, 0, line)
    if (y + height > PAGE_HEIGHT - MARGIN - SUMS && pages.at(-1)?.length !== 0) {
      pages.push([])
      y = first
    }
    pages.at(-1)?.push(line)
    y += height
  }
  return pages
}

const drawPages = (book: PageBook, statement: OwnerStatementPaper): void => {
  const pages = pagesOf(book, statement)
  for (const [index, lines] of pages.entries())
    book.page((canvas) => {
      const first = drawHead(canvas, statement, `página ${index + 1} de ${pages.length}`)
      const under = lines.reduce((y, line) => drawLine(canvas, y, line), first)
      if (lines.length === 0) canvas.text('Nada foi pago neste mês.', { x: MARGIN + 4, y: first, width: INNER }, SMALL)
      if (index === pages.length - 1) drawSums(canvas, Math.max(under, first + ROW) - 8, statement)
    })
}

const drawn = async (statement: OwnerStatementPaper): Promise<Uint8Array> => {
  const book = await openBook(statement)
  const { document } = book
  const on = new Date(statement.issuedAt)
  document.setTitle(`Extrato do proprietário ${monthText(statement.period)}`, { showInWindowTitleBar: true })
  document.setAuthor(statement.agency ?? 'Portico')
  document.setLanguage('pt-BR')
  document.setProducer('Portico')
  document.setCreator('Portico')
  document.setCreationDate(on)
  document.setModificationDate(on)
  drawPages(book, statement)
  return document.save()
}

/** Statements of owners by pdf-lib: a month of them is short, and drawn one at a time, between two turns of whoever else is served. */
export const pdfOwnerStatementRenderer = (): OwnerStatementRenderer => {
  const here = slots(1)
  return {
    ownerStatementPdf: (statement) =>
      here(async () => {
        await setImmediate()
        return drawn(statement)
      }, statement.owner),
  }
}
