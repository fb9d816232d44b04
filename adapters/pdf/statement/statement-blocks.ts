import { formatDay, localDateTime } from '../../../core/kernel/values/day.ts'
import type { StatementDay, StatementLine } from '../../../core/ports/documents.ts'
import { plainReais } from '../words.ts'
import { INNER, MARGIN, MUTED, type PageCanvas, TINT } from './page-canvas.ts'

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
