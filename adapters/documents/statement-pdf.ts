import { formatDay, localDateTime } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Statement, StatementDay, StatementLine } from '../../core/ports/documents.ts'
import { type AccountPaper, accountPaperPdf, note, type Pages, SMALL } from './account-pages.ts'
import { plainReais } from './document.ts'
import { type Block, INNER, MARGIN, MUTED, type PageCanvas, TINT } from './page-canvas.ts'

const CARD_NOTE = 'Lançamentos sem saldo ao lado são de cartão a liquidar e não compõem o saldo da conta.'
const NO_ENTRIES = 'Não houve lançamentos neste período.'

/** Draws a statement by days, each with the account's balance before and after it. */
export const statementPdf = (statement: Statement): Promise<Uint8Array> =>
  accountPaperPdf(paperOf(statement), statement, columnTitles, (pages, measuring) => {
    for (const day of statement.days) putDay(pages, day, measuring)
    if (statement.days.length === 0) pages.put(note(NO_ENTRIES))
    const hasCards = statement.days.some(({ lines }) => lines.some(({ balanceCents }) => balanceCents === null))
    if (hasCards) pages.put(note(CARD_NOTE))
  })

const paperOf = (statement: Statement): AccountPaper => {
  const { holder, sums, filters, issuedAt } = statement
  return {
    title: 'Extrato da conta',
    holder,
    issuedAt,
    about: period(statement),
    fact: ['Período', period(statement)],
    filters,
    figures: sums && [
      ['Saldo inicial', formatReais(sums.openingCents)],
      ['Entradas', formatReais(sums.incomeCents)],
      ['Saídas', formatReais(sums.expensesCents === 0 ? 0 : -sums.expensesCents)],
      ['Saldo final', formatReais(sums.closingCents)],
    ],
  }
}

const period = ({ from, to }: Statement): string => {
  if (from !== null && from === to) return formatDay(from)
  if (from !== null) return `${formatDay(from)} ${to === null ? 'em diante' : `a ${formatDay(to)}`}`
  return to === null ? 'Todos os lançamentos' : `Até ${formatDay(to)}`
}

/**
 * Places a day: its heading is on the page of its first line, its end on that of the last one; a further page repeats
 * the heading.
 */
const putDay = (pages: Pages, day: StatementDay, measuring: PageCanvas): void => {
  const end = day.closingCents === null ? [] : [dayEnd(day.closingCents)]
  for (const [index, line] of day.lines.entries()) {
    const ending = index === day.lines.length - 1 ? end : []
    const blocks = [lineBlock(line, measuring), ...ending] as const
    const height = blocks.reduce((sum, block) => sum + block.height, 0)
    const isContinued = index > 0
    if (index === 0 || height > pages.room()) pages.put(dayHeading(day, isContinued), ...blocks)
    else pages.put(...blocks)
  }
}

const GAP = 10
const MONEY = 88
const TIME = 42
const RIGHT = MARGIN + INNER - 4
const BALANCE = { x: RIGHT - MONEY, width: MONEY }
const VALUE = { x: BALANCE.x - GAP - MONEY, width: MONEY }
const TEXT = { x: MARGIN + 4 + TIME, width: VALUE.x - GAP - MARGIN - 4 - TIME }
/** For wrapped lines, which are not cut again. */
const WHOLE = { ...TEXT, width: TEXT.width + GAP }
const AT = { x: MARGIN + 4, width: TIME }

const ROW = 14
const PARTY = 10.5
const BODY = 8.4

const columnTitles: Block = {
  height: 18,
  draw(canvas, y) {
    const style = { size: SMALL, gray: MUTED }
    const line = y + 10
    canvas.text('Hora', { ...AT, y: line }, style)
    canvas.text('Lançamento', { ...TEXT, y: line }, style)
    canvas.text('Valor (R$)', { ...VALUE, y: line }, { ...style, align: 'right' })
    canvas.text('Saldo (R$)', { ...BALANCE, y: line }, { ...style, align: 'right' })
    canvas.rule(y + 15)
  },
}

const dayHeading = ({ day, openingCents }: StatementDay, isContinued: boolean): Block => ({
  height: 22,
  draw(canvas, y) {
    canvas.fill({ y: y + 3, height: 17 }, TINT)
    const line = y + 14.5
    const title = `${formatDay(day)}${isContinued ? ' (continuação)' : ''}`
    canvas.text(title, { ...AT, y: line, width: 200 }, { size: 9, bold: true })
    if (openingCents === null || isContinued) return
    canvas.text('Saldo inicial', { ...VALUE, y: line }, { size: SMALL, gray: MUTED, align: 'right' })
    canvas.text(plainReais(openingCents), { ...BALANCE, y: line }, { size: BODY, align: 'right' })
  },
})

const dayEnd = (closingCents: number): Block => ({
  height: 22,
  draw(canvas, y) {
    canvas.rule(y + 3)
    const line = y + 13
    const label = { x: TEXT.x, width: VALUE.x + VALUE.width - TEXT.x, y: line }
    canvas.text('Saldo final do dia', label, { size: SMALL, gray: MUTED, align: 'right' })
    canvas.text(plainReais(closingCents), { ...BALANCE, y: line }, { size: BODY, bold: true, align: 'right' })
  },
})

const TIME_AT = 11
const TIME_CHARS = 8

const textOf = ({ type, description }: StatementLine): string =>
  description === '' || description === type ? type : `${type} · ${description}`

const TEXT_STYLE = { size: BODY } as const
const PARTY_STYLE = { size: SMALL, gray: MUTED } as const

const lineBlock = (line: StatementLine, { wrap }: Pick<PageCanvas, 'wrap'>): Block => {
  const texts = wrap(textOf(line), TEXT.width, TEXT_STYLE)
  const party = line.party === null ? [] : wrap(line.party, TEXT.width, PARTY_STYLE)
  return {
    height: ROW + (texts.length - 1 + party.length) * PARTY,
    draw(canvas, y) {
      const at = y + 10
      const time = localDateTime(line.at).slice(TIME_AT, TIME_AT + TIME_CHARS)
      canvas.text(time, { ...AT, y: at }, { size: BODY, gray: MUTED })
      for (const [index, text] of texts.entries()) canvas.text(text, { ...WHOLE, y: at + index * PARTY }, TEXT_STYLE)
      const under = at + texts.length * PARTY - 0.5
      for (const [index, text] of party.entries())
        canvas.text(text, { ...WHOLE, y: under + index * PARTY }, PARTY_STYLE)
      canvas.text(plainReais(line.valueCents), { ...VALUE, y: at }, { size: BODY, align: 'right' })
      const balance = line.balanceCents === null ? '' : plainReais(line.balanceCents)
      canvas.text(balance, { ...BALANCE, y: at }, { size: BODY, gray: MUTED, align: 'right' })
    },
  }
}
