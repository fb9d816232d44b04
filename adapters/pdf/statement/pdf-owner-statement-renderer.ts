import { setImmediate } from 'node:timers/promises'
import { formatDay } from '../../../core/kernel/values/day.ts'
import { formatReais } from '../../../core/kernel/values/money.ts'
import type {
  OwnerStatementLine,
  OwnerStatementPaper,
  OwnerStatementRenderer,
} from '../../../core/ports/owner-statement-renderer.ts'
import { slots } from '../../turns/slots.ts'
import { INNER, MARGIN, MUTED, openBook, PAGE_HEIGHT, type PageBook, type PageCanvas, TINT } from './page-canvas.ts'
import { moment } from './statement-head.ts'

const RIGHT = MARGIN + INNER
const ROW = 16
const FIRST_ROW = 150
/** Room for the sums under the last line. */
const SUMS = 110
const ROWS_A_PAGE = Math.floor((PAGE_HEIGHT - FIRST_ROW - MARGIN - SUMS) / ROW)
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

const drawHead = (canvas: PageCanvas, { agency, owner, period, issuedAt }: OwnerStatementPaper, page: string): void => {
  const line = { x: MARGIN, width: INNER }
  canvas.text(`Extrato do proprietário ${monthText(period)}`, { ...line, y: 62 }, { size: 17, bold: true })
  canvas.text(owner, { ...line, y: 84 }, { size: 11 })
  if (agency !== null) canvas.text(agency, { ...line, y: 100 }, { size: 9, gray: MUTED })
  canvas.text(`Emitido em ${moment(issuedAt)}, horário de Brasília · ${page}`, { ...line, y: 116 }, FAINT)
  canvas.fill({ y: FIRST_ROW - 22, height: ROW }, TINT)
  const y = FIRST_ROW - 11
  canvas.text('Pago em', { ...COLUMNS.day, y }, { ...SMALL, bold: true })
  canvas.text('Imóvel', { ...COLUMNS.property, y }, { ...SMALL, bold: true })
  canvas.text('Descrição', { ...COLUMNS.description, y }, { ...SMALL, bold: true })
  canvas.text('Valor', { ...COLUMNS.value, y }, { ...NUMBER, bold: true })
  canvas.text('Ao proprietário', { ...COLUMNS.effect, y }, { ...NUMBER, bold: true })
}

const drawLine = (canvas: PageCanvas, y: number, line: OwnerStatementLine): void => {
  const { day, property, description, valueCents, effectCents } = line
  canvas.text(formatDay(day), { ...COLUMNS.day, y }, SMALL)
  canvas.text(property, { ...COLUMNS.property, y }, SMALL)
  canvas.text(description, { ...COLUMNS.description, y }, SMALL)
  canvas.text(formatReais(valueCents), { ...COLUMNS.value, y }, NUMBER)
  canvas.text(effectCents === null ? 'só informado' : formatReais(effectCents), { ...COLUMNS.effect, y }, NUMBER)
  canvas.rule(y + 5)
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

const drawPages = (book: PageBook, statement: OwnerStatementPaper): void => {
  const { lines } = statement
  const pages = Math.max(1, Math.ceil(lines.length / ROWS_A_PAGE))
  for (let page = 0; page < pages; page += 1)
    book.page((canvas) => {
      drawHead(canvas, statement, `página ${page + 1} de ${pages}`)
      const own = lines.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE)
      for (const [index, line] of own.entries()) drawLine(canvas, FIRST_ROW + 8 + index * ROW, line)
      if (lines.length === 0)
        canvas.text('Nada foi pago neste mês.', { x: MARGIN + 4, y: FIRST_ROW + 8, width: INNER }, SMALL)
      if (page === pages - 1) drawSums(canvas, FIRST_ROW + Math.max(1, own.length) * ROW, statement)
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
