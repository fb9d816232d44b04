import { type Box, MUTED, type Sheet, type Style } from './sheet.ts'

/** A field of a form: its name small above what it holds, which is empty for what others fill in. */
export interface Cell {
  readonly label: string
  readonly value?: string
  /** Under the value, smaller. */
  readonly more?: readonly string[]
  readonly width: number
  readonly align?: Style['align']
  readonly bold?: boolean
}

const PAD = 3
const LABEL: Style = { size: 5.6, color: MUTED }
const VALUE_SIZE = 8.6
const LEAST_SIZE = 7
const MORE_SIZE = 7
/** Baselines from the upper edge of a row. */
const LABEL_LINE = 6.6
const VALUE_LINE = 15.6
const MORE_LEADING = 8.4

export const drawCell = (sheet: Sheet, { x, y, width }: Omit<Box, 'height'>, cell: Cell): void => {
  const inside = { x: x + PAD, width: width - 2 * PAD }
  const { align = 'left', bold = false } = cell
  sheet.line(cell.label, { ...inside, y: y + LABEL_LINE }, LABEL)
  sheet.line(cell.value ?? '', { ...inside, y: y + VALUE_LINE }, { size: VALUE_SIZE, least: LEAST_SIZE, bold, align })
  for (const [index, text] of (cell.more ?? []).entries())
    sheet.line(text, { ...inside, y: y + VALUE_LINE + (index + 1) * MORE_LEADING }, { size: MORE_SIZE })
}

/** Cells beside each other, a line under them and between them. */
export const drawRow = (sheet: Sheet, { x, y, height }: Omit<Box, 'width'>, cells: readonly Cell[]): void => {
  let left = x
  for (const cell of cells) {
    if (left > x) sheet.rule({ x: left, y }, { x: left, y: y + height })
    drawCell(sheet, { x: left, y, width: cell.width }, cell)
    left += cell.width
  }
  sheet.rule({ x, y: y + height }, { x: left, y: y + height })
}
