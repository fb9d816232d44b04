import { formatDay, localDateTime } from '../../../core/kernel/values/day.ts'
import { formatReais } from '../../../core/kernel/values/money.ts'
import type { Statement, StatementSums } from '../../../core/ports/documents.ts'
import { INNER, MARGIN, MUTED, PAGE_HEIGHT, type PageCanvas, TINT } from './page-canvas.ts'

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
