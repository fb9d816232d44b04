import { formatDay, localDateTime } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Statement, StatementDay, StatementLine, StatementSums } from '../../core/ports/documents.ts'
import { formatMoment, plainReais, setMetadata } from './document.ts'
import { INNER, MARGIN, MUTED, openBook, PAGE_HEIGHT, type PageCanvas, TINT } from './page-canvas.ts'

const CARD_NOTE = 'Lançamentos sem saldo ao lado são de cartão a liquidar e não compõem o saldo da conta.'
const NO_ENTRIES = 'Não houve lançamentos neste período.'

/** Draws a statement by days, each with the account's balance before and after it. */
export const statementPdf = async (statement: Statement): Promise<Uint8Array> => {
  const book = await openBook(statement)
  const { holder, issuedAt } = statement
  setMetadata(book.document, { title: `${TITLE}: ${holder.name}`, author: holder.name, createdAt: issuedAt })
  const pages = paginate(statement, book.measuring)
  for (const [index, blocks] of pages.entries())
    book.page((canvas) => {
      let y = index === 0 ? drawHead(canvas, statement) : drawShortHead(canvas, statement)
      for (const block of [columnTitles, ...blocks]) {
        block.draw(canvas, y)
        y += block.height
      }
      if (y > PAGE_HEIGHT) throw new RangeError('the blocks of a page are higher than the page')
      drawFoot(canvas, statement, index + 1, pages.length)
    })
  return book.document.save({ objectsPerTick: Number.POSITIVE_INFINITY })
}

interface Pages {
  /** Places blocks below each other, on one page. */
  put(...blocks: readonly Block[]): void
  /** Returns the height that is left of the page. */
  room(): number
  readonly all: Block[][]
}

const pagesFor = (statement: Statement, measuring: PageCanvas): Pages => {
  const roomUnder = (head: number): number => FOOT - head - columnTitles.height
  let left = roomUnder(drawHead(measuring, statement))
  const all: Block[][] = [[]]
  return {
    all,
    room: () => left,
    put(...blocks) {
      const height = blocks.reduce((sum, block) => sum + block.height, 0)
      if (height > left) {
        all.push([])
        left = roomUnder(drawShortHead(measuring, statement))
      }
      all.at(-1)?.push(...blocks)
      left -= height
    },
  }
}

/** Places a day: its heading is on the page of its first line, its end on that of the last one; a further page repeats the heading. */
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

const paginate = (statement: Statement, measuring: PageCanvas): readonly (readonly Block[])[] => {
  const pages = pagesFor(statement, measuring)
  for (const day of statement.days) putDay(pages, day, measuring)
  if (statement.days.length === 0) pages.put(note(NO_ENTRIES))
  const hasCards = statement.days.some(({ lines }) => lines.some(({ balanceCents }) => balanceCents === null))
  if (hasCards) pages.put(note(CARD_NOTE))
  return pages.all
}

const TITLE = 'Extrato da conta'

const LABEL = 7.4

const period = ({ from, to }: Statement): string => {
  if (from !== null && from === to) return formatDay(from)
  if (from !== null) return `${formatDay(from)} ${to === null ? 'em diante' : `a ${formatDay(to)}`}`
  return to === null ? 'Todos os lançamentos' : `Até ${formatDay(to)}`
}

const drawSums = (canvas: PageCanvas, y: number, sums: StatementSums): void => {
  const height = 44
  canvas.fill({ y, height }, TINT)
  const figures = [
    ['Saldo inicial', sums.openingCents],
    ['Entradas', sums.incomeCents],
    ['Saídas', -sums.expensesCents],
    ['Saldo final', sums.closingCents],
  ] as const
  const each = (INNER - 12) / figures.length
  for (const [index, [label, cents]] of figures.entries()) {
    const at = { x: MARGIN + 12 + index * each, width: each - 12 }
    canvas.text(label, { ...at, y: y + 15 }, { size: LABEL, gray: MUTED })
    canvas.text(formatReais(cents === 0 ? 0 : cents), { ...at, y: y + 32 }, { size: 11.5, bold: true })
  }
}

/** Holds the names of most banks on one line. */
const ACCOUNT_WIDTH = 236
const FACT_ROW = 13

const drawHead = (canvas: PageCanvas, statement: Statement): number => {
  const { holder, sums, filters } = statement
  const left = { x: MARGIN, width: INNER - ACCOUNT_WIDTH - 20 }
  const right = { x: MARGIN + INNER - ACCOUNT_WIDTH, width: ACCOUNT_WIDTH }
  canvas.text(TITLE, { ...left, y: 56 }, { size: 17, bold: true })
  const underName = canvas.lines(holder.name, { ...left, y: 78 }, { size: 10.5, bold: true })
  canvas.text(holder.document, { ...left, y: underName }, { size: 8.6, gray: MUTED })
  const facts = [
    ['Banco', holder.bank],
    ['Agência', holder.agency],
    ['Conta', holder.account],
    ['Período', period(statement)],
  ] as const
  let y = 52
  for (const [label, value] of facts) {
    canvas.text(label, { ...right, y, width: 44 }, { size: LABEL, gray: MUTED })
    const style = { size: 8.6, align: 'right' } as const
    const under = canvas.lines(value, { x: right.x + 46, y, width: right.width - 46 }, style)
    y = Math.max(y + FACT_ROW, under + 2)
  }
  let under = Math.max(underName + 11, y - 2)
  if (filters !== null)
    under = canvas.lines(`Somente: ${filters}`, { x: MARGIN, y: under + 6, width: INNER }, { size: 8.2 }) - 2
  canvas.rule(under)
  if (!sums) return under + 6
  drawSums(canvas, under + 8, sums)
  return under + 62
}

const drawShortHead = (canvas: PageCanvas, statement: Statement): number => {
  const { name, agency, account } = statement.holder
  const at = { x: MARGIN, y: 46 }
  const right = 220
  const under = canvas.lines(name, { ...at, width: INNER - right - 10 }, { size: 8.6, bold: true })
  const about = `Agência ${agency} · Conta ${account} · ${period(statement)}`
  canvas.text(about, { x: MARGIN + INNER - right, y: 46, width: right }, { size: LABEL, gray: MUTED, align: 'right' })
  canvas.rule(under - 2)
  return under + 2
}

const FOOT = PAGE_HEIGHT - 44

const drawFoot = (canvas: PageCanvas, { issuedAt }: Statement, page: number, pages: number): void => {
  const y = FOOT + 14
  const style = { size: LABEL, gray: MUTED }
  canvas.rule(FOOT + 2)
  canvas.text(`Emitido em ${formatMoment(issuedAt)}, horário de Brasília`, { x: MARGIN, y, width: 300 }, style)
  const at = { x: MARGIN + INNER - 150, y, width: 150 }
  canvas.text(`Página ${page} de ${pages}`, at, { ...style, align: 'right' })
}

/** A part of a page, below the previous one. */
interface Block {
  readonly height: number
  draw(canvas: PageCanvas, y: number): void
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
const SMALL = 7.2

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

const note = (text: string): Block => ({
  height: 18,
  draw: (canvas, y) => canvas.text(text, { x: MARGIN + 4, y: y + 12, width: INNER - 8 }, { size: SMALL, gray: MUTED }),
})
