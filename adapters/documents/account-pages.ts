import { formatMoment, type Instant } from '../../core/kernel/values/day.ts'
import type { StatementHolder } from '../../core/ports/documents.ts'
import { setMetadata } from './document.ts'
import { type Block, INNER, MARGIN, MUTED, openBook, PAGE_HEIGHT, type PageCanvas, TINT } from './page-canvas.ts'

/** The head of a document about an account, and the foot of its pages. */
export interface AccountPaper {
  readonly title: string
  readonly holder: StatementHolder
  readonly issuedAt: Instant
  /** Printed below the facts of the account. */
  readonly fact: readonly [label: string, value: string]
  /** The fact in the head of the further pages. */
  readonly about: string
  readonly filters: string | null
  /** Sums in a band below the head; null for none. */
  readonly figures: readonly (readonly [label: string, value: string])[] | null
}

/**
 * Draws a document of numbered pages, each with a head and the titles of the columns. `fill` places the blocks. The
 * letters of `content` decide which fonts are embedded.
 */
export const accountPaperPdf = async (
  paper: AccountPaper,
  content: unknown,
  columnTitles: Block,
  fill: (pages: Pages, measuring: PageCanvas) => void,
): Promise<Uint8Array> => {
  const book = await openBook({ paper, content })
  const { title, holder, issuedAt } = paper
  setMetadata(book.document, { title: `${title}: ${holder.name}`, author: holder.name, createdAt: issuedAt })
  const pages = pagesFor(paper, columnTitles, book.measuring)
  fill(pages, book.measuring)
  for (const [index, blocks] of pages.all.entries())
    book.page((canvas) => {
      let y = index === 0 ? drawHead(canvas, paper) : drawShortHead(canvas, paper)
      for (const block of [columnTitles, ...blocks]) {
        block.draw(canvas, y)
        y += block.height
      }
      if (y > PAGE_HEIGHT) throw new RangeError('the blocks of a page are higher than the page')
      drawFoot(canvas, paper, index + 1, pages.all.length)
    })
  return book.document.save({ objectsPerTick: Number.POSITIVE_INFINITY })
}

export interface Pages {
  /** Places blocks below each other, on one page. */
  put(...blocks: readonly Block[]): void
  /** Returns the height that is left of the page. */
  room(): number
  readonly all: Block[][]
}

const pagesFor = (paper: AccountPaper, columnTitles: Block, measuring: PageCanvas): Pages => {
  const roomUnder = (head: number): number => FOOT - head - columnTitles.height
  let left = roomUnder(drawHead(measuring, paper))
  const all: Block[][] = [[]]
  return {
    all,
    room: () => left,
    put(...blocks) {
      const height = blocks.reduce((sum, block) => sum + block.height, 0)
      if (height > left) {
        all.push([])
        left = roomUnder(drawShortHead(measuring, paper))
      }
      all.at(-1)?.push(...blocks)
      left -= height
    },
  }
}

const LABEL = 7.4
export const SMALL = 7.2

const drawFigures = (canvas: PageCanvas, y: number, figures: NonNullable<AccountPaper['figures']>): void => {
  const height = 44
  canvas.fill({ y, height }, TINT)
  const each = (INNER - 12) / figures.length
  for (const [index, [label, value]] of figures.entries()) {
    const at = { x: MARGIN + 12 + index * each, width: each - 12 }
    canvas.text(label, { ...at, y: y + 15 }, { size: LABEL, gray: MUTED })
    canvas.text(value, { ...at, y: y + 32 }, { size: 11.5, bold: true })
  }
}

/** Holds the names of most banks on one line. */
const ACCOUNT_WIDTH = 236
const FACT_ROW = 13

const drawHead = (canvas: PageCanvas, paper: AccountPaper): number => {
  const { title, holder, fact, filters, figures } = paper
  const left = { x: MARGIN, width: INNER - ACCOUNT_WIDTH - 20 }
  const right = { x: MARGIN + INNER - ACCOUNT_WIDTH, width: ACCOUNT_WIDTH }
  canvas.text(title, { ...left, y: 56 }, { size: 17, bold: true })
  const underName = canvas.lines(holder.name, { ...left, y: 78 }, { size: 10.5, bold: true })
  canvas.text(holder.document, { ...left, y: underName }, { size: 8.6, gray: MUTED })
  const facts = [['Banco', holder.bank], ['Agência', holder.agency], ['Conta', holder.account], fact] as const
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
  if (!figures) return under + 6
  drawFigures(canvas, under + 8, figures)
  return under + 62
}

const drawShortHead = (canvas: PageCanvas, paper: AccountPaper): number => {
  const { name, agency, account } = paper.holder
  const at = { x: MARGIN, y: 46 }
  const right = 220
  const under = canvas.lines(name, { ...at, width: INNER - right - 10 }, { size: 8.6, bold: true })
  const about = `Agência ${agency} · Conta ${account} · ${paper.about}`
  canvas.text(about, { x: MARGIN + INNER - right, y: 46, width: right }, { size: LABEL, gray: MUTED, align: 'right' })
  canvas.rule(under - 2)
  return under + 2
}

const FOOT = PAGE_HEIGHT - 44

const drawFoot = (canvas: PageCanvas, { issuedAt }: AccountPaper, page: number, pages: number): void => {
  const y = FOOT + 14
  const style = { size: LABEL, gray: MUTED }
  canvas.rule(FOOT + 2)
  canvas.text(`Emitido em ${formatMoment(issuedAt)}, horário de Brasília`, { x: MARGIN, y, width: 300 }, style)
  const at = { x: MARGIN + INNER - 150, y, width: 150 }
  canvas.text(`Página ${page} de ${pages}`, at, { ...style, align: 'right' })
}

/** A remark below the entries. */
export const note = (text: string): Block => ({
  height: 18,
  draw: (canvas, y) => canvas.text(text, { x: MARGIN + 4, y: y + 12, width: INNER - 8 }, { size: SMALL, gray: MUTED }),
})
