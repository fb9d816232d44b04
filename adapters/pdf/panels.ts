import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Invoice } from '../../core/ports/documents.ts'
import { qrBars } from './bars.ts'
import { FORM } from './compensation-slip.ts'
import { MUTED, mm, PAPER, type Sheet, TINT } from './sheet.ts'
import { dueToday, METHOD_WORDS, STATUS_WORDS } from './words.ts'

const LABEL = { size: 7.4, color: MUTED } as const
const PAD = 12

/** Names and values beside each other on a tinted strip; gives the y under it. */
export const drawFigures = (sheet: Sheet, y: number, figures: readonly (readonly [string, string])[]): number => {
  const { x, width } = FORM
  const height = 46
  sheet.fill({ x, y, width, height }, TINT)
  const each = (width - PAD) / figures.length
  for (const [index, [label, value]] of figures.entries()) {
    const at = { x: x + PAD + index * each, width: each - PAD }
    sheet.line(label, { ...at, y: y + 15 }, LABEL)
    sheet.line(value, { ...at, y: y + 34 }, { size: 15, bold: true, least: 9 })
  }
  return y + height
}

/** What is asked, until when, and how it stands. */
export const figuresOf = (invoice: Invoice): readonly (readonly [string, string])[] => [
  ['Vencimento', formatDay(invoice.dueDate)],
  ['Valor', formatReais(invoice.valueCents)],
  ['Forma de pagamento', METHOD_WORDS[invoice.method]],
  ['Situação', STATUS_WORDS[invoice.status]],
]

const TOLD = { size: 9.4 } as const

/** Returns the height of a text under its heading. */
export const toldHeight = (sheet: Sheet, text: string): number => sheet.height(text, FORM.width, TOLD)

/** A heading and what it is about, smaller where it would be higher than so many points; nothing where there is nothing to tell. */
export const drawTold = (sheet: Sheet, y: number, label: string, text: string | null, height: number): number => {
  if (text === null || text.trim() === '') return y
  const box = { x: FORM.x, width: FORM.width }
  sheet.line(label, { ...box, y: y + 8 }, LABEL)
  return sheet.lines(text, { ...box, y: y + 13, height }, TOLD) + 8
}

const HOW = 'Abra o aplicativo do seu banco, escolha Pix e aponte a câmera para o código, ou copie o texto abaixo.'

const HOW_BY_LINE =
  'No aplicativo ou caixa eletrônico do seu banco, leia o código de barras desta página ou digite a linha digitável.'

/** Modules of white that a reader needs around a code. */
const QUIET = 4

/** The Pix code to scan and to copy, its dark part so many millimetres wide; gives the y under it. */
export const drawPix = (sheet: Sheet, y: number, invoice: Invoice, code: string, side: number): number => {
  const { x, width } = FORM
  const drawn = qrBars(code)
  const [dark, quiet] = [mm(side), (mm(side) / drawn.columns) * QUIET]
  const height = dark + 2 * quiet + 8
  sheet.fill({ x, y, width, height }, TINT)
  const at = { x: x + 4, y: y + 4, width: dark + 2 * quiet, height: dark + 2 * quiet }
  sheet.fill(at, PAPER)
  sheet.code(drawn, { x: at.x + quiet, y: at.y + quiet, width: dark, height: dark })
  const text = { x: at.x + at.width + PAD, width: x + width - PAD - (at.x + at.width + PAD) }
  sheet.line('Pague com Pix', { ...text, y: y + 20 }, { size: 13, bold: true })
  const today = dueToday(invoice)
  const how = `${HOW}${today === null ? '' : `\n${today}`}`
  const under = sheet.lines(how, { ...text, y: y + 27, height: 44 }, { size: 8.6 })
  sheet.line('Pix copia e cola', { ...text, y: under + 12 }, LABEL)
  sheet.copied(code, { ...text, y: under + 16, height: y + height - under - 20 }, 8)
  return y + height
}

/** The line to type; gives the y under it. */
export const drawDigitableLine = (sheet: Sheet, y: number, line: string): number => {
  const { x, width } = FORM
  const height = 82
  sheet.fill({ x, y, width, height }, TINT)
  const text = { x: x + PAD, width: width - 2 * PAD }
  sheet.line('Pague com boleto', { ...text, y: y + 20 }, { size: 13, bold: true })
  sheet.lines(HOW_BY_LINE, { ...text, y: y + 27, height: 11 }, { size: 8.6 })
  sheet.line('Linha digitável', { ...text, y: y + 53 }, LABEL)
  sheet.line(line, { ...text, y: y + 70 }, { size: 13, bold: true })
  return y + height
}

/** What paid it: a card, as far as anybody may know it, and what arrived. */
export const drawPaid = (sheet: Sheet, y: number, { card, paid }: Invoice): number => {
  const told = [
    ...(paid ? [['Pago em', formatDay(paid.day)] as const, ['Valor pago', formatReais(paid.cents)] as const] : []),
    ...(card ? cardFigures(card) : []),
  ]
  return told.length === 0 ? y : drawFigures(sheet, y + 2, told)
}

const cardFigures = ({ brand, last4, installments }: NonNullable<Invoice['card']>) => [
  ['Cartão', `${brand} •••• ${last4}`] as const,
  ['Parcelas', `${installments}x`] as const,
]
