import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { ChargeListLine, ChargeListPaper } from '../../core/ports/documents.ts'
import { type AccountPaper, accountPaperPdf, SMALL } from './account-pages.ts'
import { plainReais } from './document.ts'
import { type Block, INNER, MARGIN, MUTED, type PageCanvas } from './page-canvas.ts'

/** Draws a list of charges, each with its client, days and amounts. */
export const chargeListPdf = (list: ChargeListPaper): Promise<Uint8Array> =>
  accountPaperPdf(paperOf(list), list, columnTitles, (pages, measuring) => {
    for (const line of list.lines) pages.put(lineBlock(line, measuring))
  })

const countText = ({ lines }: ChargeListPaper): string =>
  `${lines.length.toLocaleString('pt-BR')} ${lines.length === 1 ? 'cobrança' : 'cobranças'}`

const paperOf = (list: ChargeListPaper): AccountPaper => {
  const { holder, issuedAt, filters, valueCents, paidCents, refundedCents } = list
  return {
    title: 'Cobranças',
    holder,
    issuedAt,
    about: countText(list),
    fact: ['Total', countText(list)],
    filters,
    figures: [
      ['Cobrado', formatReais(valueCents)],
      ['Recebido', formatReais(paidCents)],
      ['Devolvido', formatReais(refundedCents)],
    ],
  }
}

const GAP = 8
const RIGHT = MARGIN + INNER - 4
const PAID = { x: RIGHT - 78, width: 78 }
const VALUE = { x: PAID.x - GAP - 76, width: 76 }
const STATUS = { x: VALUE.x - 70, width: 70 }
const DUE = { x: STATUS.x - GAP - 52, width: 52 }
const NUMBER = { x: MARGIN + 4, width: 40 }
const CLIENT_X = NUMBER.x + NUMBER.width + GAP
const CLIENT = { x: CLIENT_X, width: DUE.x - GAP - CLIENT_X }
/** For wrapped lines, which are not cut again. */
const WHOLE = { ...CLIENT, width: CLIENT.width + GAP }

const ROW = 10.5
const PADDING = 8
const BODY = { size: 8.4 } as const
const FAINT = { size: SMALL, gray: MUTED } as const

const columnTitles: Block = {
  height: 18,
  draw(canvas, y) {
    const line = y + 10
    canvas.text('Número', { ...NUMBER, y: line }, FAINT)
    canvas.text('Cliente', { ...CLIENT, y: line }, FAINT)
    canvas.text('Vencimento', { ...DUE, y: line }, FAINT)
    canvas.text('Situação', { ...STATUS, y: line }, FAINT)
    canvas.text('Valor (R$)', { ...VALUE, y: line }, { ...FAINT, align: 'right' })
    canvas.text('Recebido (R$)', { ...PAID, y: line }, { ...FAINT, align: 'right' })
    canvas.rule(y + 15)
  },
}

/** Returns the small lines below the amount received. */
const paidNotes = ({ paid, refundedCents }: ChargeListLine): readonly string[] => [
  ...(paid?.day ? [`em ${formatDay(paid.day)}`] : []),
  ...(refundedCents ? [`devolvido ${plainReais(refundedCents)}`] : []),
]

const lineBlock = (line: ChargeListLine, { wrap }: Pick<PageCanvas, 'wrap'>): Block => {
  const names = wrap(line.client, CLIENT.width, BODY)
  const details = [line.document, line.description].filter(Boolean).join(' · ')
  const notes = wrap(details, CLIENT.width, FAINT)
  const paid = paidNotes(line)
  return {
    height: PADDING + Math.max(names.length + notes.length, 1 + paid.length, 2) * ROW,
    draw(canvas, y) {
      const at = y + 11
      canvas.text(`${line.id}`, { ...NUMBER, y: at }, { ...BODY, gray: MUTED })
      for (const [index, text] of names.entries()) canvas.text(text, { ...WHOLE, y: at + index * ROW }, BODY)
      for (const [index, text] of notes.entries())
        canvas.text(text, { ...WHOLE, y: at + (names.length + index) * ROW }, FAINT)
      canvas.text(formatDay(line.dueDate), { ...DUE, y: at }, BODY)
      canvas.text(line.status, { ...STATUS, y: at }, BODY)
      canvas.text(line.method, { ...STATUS, y: at + ROW }, FAINT)
      canvas.text(plainReais(line.valueCents), { ...VALUE, y: at }, { ...BODY, align: 'right' })
      if (line.paid) canvas.text(plainReais(line.paid.cents), { ...PAID, y: at }, { ...BODY, align: 'right' })
      for (const [index, text] of paid.entries())
        canvas.text(text, { ...PAID, y: at + (1 + index) * ROW }, { ...FAINT, align: 'right' })
      canvas.rule(y + this.height)
    },
  }
}
