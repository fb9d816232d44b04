import type { Statement, StatementDay } from '../../../core/ports/documents.ts'
import { openBook, PAGE_HEIGHT, type PageCanvas } from './page-canvas.ts'
import { type Block, columnTitles, dayEnd, dayHeading, lineBlock, note } from './statement-blocks.ts'
import { drawFoot, drawHead, drawShortHead, FOOT, TITLE } from './statement-head.ts'

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
