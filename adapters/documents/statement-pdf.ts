import { formatDay, localDateTime } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Statement, StatementDay, StatementLine, StatementSums } from '../../core/ports/documents.ts'
import { plainReais } from './document.ts'
import { INNER, MARGIN, MUTED, openBook, PAGE_HEIGHT, type PageCanvas, TINT } from './page-canvas.ts'

const OF_CARDS = 'Lançamentos sem saldo ao lado são de cartão a liquidar e não compõem o saldo da conta.'
const NOTHING = 'Não houve lançamentos neste período.'

interface Pages {
  put(block: Block, ...kept: readonly Block[]): void
  /** How much is left of the page. */
  room(): number
  readonly all: Block[][]
}

/** Blocks page by page; those that are put together stand on one page. */
const pagesFor = (statement: Statement, nowhere: PageCanvas): Pages => {
  const roomUnder = (head: number): number => FOOT - head - columnTitles.height
  let left = roomUnder(drawHead(nowhere, statement))
  const all: Block[][] = [[]]
  return {
    all,
    room: () => left,
    put(...blocks) {
      const height = blocks.reduce((sum, block) => sum + block.height, 0)
      if (height > left) {
        all.push([])
        left = roomUnder(drawShortHead(nowhere, statement))
      }
      all.at(-1)?.push(...blocks)
      left -= height
    },
  }
}

/** A day's heading stands with its first line, its end with its last one; on a further page the heading comes again. */
const putDay = (pages: Pages, day: StatementDay, nowhere: PageCanvas): void => {
  const end = day.closingCents === null ? [] : [dayEnd(day.closingCents)]
  for (const [index, line] of day.lines.entries()) {
    const ending = index === day.lines.length - 1 ? end : []
    const blocks = [lineBlock(line, nowhere), ...ending] as const
    const height = blocks.reduce((sum, block) => sum + block.height, 0)
    const isContinued = index > 0
    if (index === 0 || height > pages.room()) pages.put(dayHeading(day, isContinued), ...blocks)
    else pages.put(...blocks)
  }
}

const laidOut = (statement: Statement, nowhere: PageCanvas): readonly (readonly Block[])[] => {
  const pages = pagesFor(statement, nowhere)
  for (const day of statement.days) putDay(pages, day, nowhere)
  if (statement.days.length === 0) pages.put(note(NOTHING))
  const hasCards = statement.days.some(({ lines }) => lines.some(({ balanceCents }) => balanceCents === null))
  if (hasCards) pages.put(note(OF_CARDS))
  return pages.all
}

/** A statement as PDF, as a bank prints it: days with what the account had before and after them. */
export const statementPdf = async (statement: Statement): Promise<Uint8Array> => {
  const book = await openBook(statement)
  const { document } = book
  const on = new Date(statement.issuedAt)
  document.setTitle(`${TITLE}: ${statement.holder.name}`, { showInWindowTitleBar: true })
  document.setAuthor(statement.holder.name)
  document.setLanguage('pt-BR')
  document.setProducer('Portico')
  document.setCreator('Portico')
  document.setCreationDate(on)
  document.setModificationDate(on)
  const pages = laidOut(statement, book.nowhere)
  for (const [index, blocks] of pages.entries())
    book.page((canvas) => {
      let y = index === 0 ? drawHead(canvas, statement) : drawShortHead(canvas, statement)
      for (const block of [columnTitles, ...blocks]) {
        block.draw(canvas, y)
        y += block.height
      }
      if (y > PAGE_HEIGHT) throw new RangeError('a page runs over its end')
      drawFoot(canvas, statement, index + 1, pages.length)
    })
  return document.save({ objectsPerTick: Number.POSITIVE_INFINITY })
}

export const TITLE = 'Extrato da conta'

const DAY_CHARS = 10
const LABEL = 7.4

/** `21/11/2026 às 10:05`. */
export const moment = (instant: string): string => {
  const local = localDateTime(instant)
  return `${formatDay(local.slice(0, DAY_CHARS))} às ${local.slice(DAY_CHARS + 1, DAY_CHARS + 6)}`
}

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

/** Wide enough for the names of most banks on one line. */
const ACCOUNT = 236
const FACT_ROW = 13

/** Whose account it is, of which days it tells, and its sums; how high that is. */
export const drawHead = (canvas: PageCanvas, statement: Statement): number => {
  const { holder, sums, filters: narrowedBy } = statement
  const left = { x: MARGIN, width: INNER - ACCOUNT - 20 }
  const right = { x: MARGIN + INNER - ACCOUNT, width: ACCOUNT }
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
  if (narrowedBy !== null)
    under = canvas.lines(`Somente: ${narrowedBy}`, { x: MARGIN, y: under + 6, width: INNER }, { size: 8.2 }) - 2
  canvas.rule(under)
  if (!sums) return under + 6
  drawSums(canvas, under + 8, sums)
  return under + 62
}

/** Of a further page: whose statement it is. */
export const drawShortHead = (canvas: PageCanvas, statement: Statement): number => {
  const { name, agency, account } = statement.holder
  const at = { x: MARGIN, y: 46 }
  const right = 220
  const under = canvas.lines(name, { ...at, width: INNER - right - 10 }, { size: 8.6, bold: true })
  const whose = `Agência ${agency} · Conta ${account} · ${period(statement)}`
  canvas.text(whose, { x: MARGIN + INNER - right, y: 46, width: right }, { size: LABEL, gray: MUTED, align: 'right' })
  canvas.rule(under - 2)
  return under + 2
}

/** Where the footer begins. */
export const FOOT = PAGE_HEIGHT - 44

export const drawFoot = (canvas: PageCanvas, { issuedAt }: Statement, page: number, pages: number): void => {
  const y = FOOT + 14
  const style = { size: LABEL, gray: MUTED }
  canvas.rule(FOOT + 2)
  canvas.text(`Emitido em ${moment(issuedAt)}, horário de Brasília`, { x: MARGIN, y, width: 300 }, style)
  const at = { x: MARGIN + INNER - 150, y, width: 150 }
  canvas.text(`Página ${page} de ${pages}`, at, { ...style, align: 'right' })
}

/** What stands on a page, down from where the one above it ends. */
export interface Block {
  readonly height: number
  draw(canvas: PageCanvas, y: number): void
}

const GAP = 10
const MONEY = 88
const TIME = 42
const RIGHT = MARGIN + INNER - 4
const BALANCE = { x: RIGHT - MONEY, width: MONEY }
const VALUE = { x: BALANCE.x - GAP - MONEY, width: MONEY }
const TOLD = { x: MARGIN + 4 + TIME, width: VALUE.x - GAP - MARGIN - 4 - TIME }
/** Lines of that width, which need no cut. */
const WHOLE = { ...TOLD, width: TOLD.width + GAP }
const AT = { x: MARGIN + 4, width: TIME }

const ROW = 14
const PARTY = 10.5
const BODY = 8.4
const SMALL = 7.2

/** The titles of the columns, on every page. */
export const columnTitles: Block = {
  height: 18,
  draw(canvas, y) {
    const style = { size: SMALL, gray: MUTED }
    const line = y + 10
    canvas.text('Hora', { ...AT, y: line }, style)
    canvas.text('Lançamento', { ...TOLD, y: line }, style)
    canvas.text('Valor (R$)', { ...VALUE, y: line }, { ...style, align: 'right' })
    canvas.text('Saldo (R$)', { ...BALANCE, y: line }, { ...style, align: 'right' })
    canvas.rule(y + 15)
  },
}

/** A day's heading, with what the account had when it began. */
export const dayHeading = ({ day, openingCents }: StatementDay, isContinued: boolean): Block => ({
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

/** What the account had when a day ended. */
export const dayEnd = (closingCents: number): Block => ({
  height: 22,
  draw(canvas, y) {
    canvas.rule(y + 3)
    const line = y + 13
    const label = { x: TOLD.x, width: VALUE.x + VALUE.width - TOLD.x, y: line }
    canvas.text('Saldo final do dia', label, { size: SMALL, gray: MUTED, align: 'right' })
    canvas.text(plainReais(closingCents), { ...BALANCE, y: line }, { size: BODY, bold: true, align: 'right' })
  },
})

const TIME_AT = 11
const TIME_CHARS = 8

/** What a line says of itself: its type, and the description where that says more. */
const toldOf = ({ type, description }: StatementLine): string =>
  description === '' || description === type ? type : `${type} · ${description}`

const TOLD_STYLE = { size: BODY } as const
const PARTY_STYLE = { size: SMALL, gray: MUTED } as const

/** A line of a statement with all that it says of itself. */
export const lineBlock = (line: StatementLine, { wrap }: Pick<PageCanvas, 'wrap'>): Block => {
  const told = wrap(toldOf(line), TOLD.width, TOLD_STYLE)
  const party = line.party === null ? [] : wrap(line.party, TOLD.width, PARTY_STYLE)
  return {
    height: ROW + (told.length - 1 + party.length) * PARTY,
    draw(canvas, y) {
      const at = y + 10
      const time = localDateTime(line.at).slice(TIME_AT, TIME_AT + TIME_CHARS)
      canvas.text(time, { ...AT, y: at }, { size: BODY, gray: MUTED })
      for (const [index, text] of told.entries()) canvas.text(text, { ...WHOLE, y: at + index * PARTY }, TOLD_STYLE)
      const under = at + told.length * PARTY - 0.5
      for (const [index, text] of party.entries())
        canvas.text(text, { ...WHOLE, y: under + index * PARTY }, PARTY_STYLE)
      canvas.text(plainReais(line.valueCents), { ...VALUE, y: at }, { size: BODY, align: 'right' })
      const balance = line.balanceCents === null ? '' : plainReais(line.balanceCents)
      canvas.text(balance, { ...BALANCE, y: at }, { size: BODY, gray: MUTED, align: 'right' })
    },
  }
}

/** A note over the whole width. */
export const note = (text: string): Block => ({
  height: 18,
  draw: (canvas, y) => canvas.text(text, { x: MARGIN + 4, y: y + 12, width: INNER - 8 }, { size: SMALL, gray: MUTED }),
})
