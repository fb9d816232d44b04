import { type Box, MUTED, type Sheet, type Style } from './sheet.ts'

/** A field of a form: its name small above what it holds, which is empty for what others fill in. */
export interface Cell {
  readonly label: string
  readonly value?: string
  /** Under the value, smaller: both are wrapped, and stand whole in the cell. */
  readonly more?: string
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
const VALUE_TOP = 8.8

export const drawCell = (sheet: Sheet, { x, y, width, height }: Box, cell: Cell): void => {
  const inside = { x: x + PAD, width: width - 2 * PAD }
  const { align = 'left', bold = false, value = '', more } = cell
  sheet.line(cell.label, { ...inside, y: y + LABEL_LINE }, LABEL)
  const style = { size: VALUE_SIZE, least: LEAST_SIZE, bold, align }
  if (more === undefined) {
    sheet.line(value, { ...inside, y: y + VALUE_LINE }, style)
    return
  }
  const box = { ...inside, y: y + VALUE_TOP, height: height - VALUE_TOP - 1 }
  sheet.block(
    [
      [value, style],
      [more, { size: MORE_SIZE }],
    ],
    box,
  )
}

/** Cells beside each other, a line under them and between them. */
export const drawRow = (sheet: Sheet, { x, y, height }: Omit<Box, 'width'>, cells: readonly Cell[]): void => {
  let left = x
  for (const cell of cells) {
    if (left > x) sheet.rule({ x: left, y }, { x: left, y: y + height })
    drawCell(sheet, { x: left, y, width: cell.width, height }, cell)
    left += cell.width
  }
  sheet.rule({ x, y: y + height }, { x: left, y: y + height })
}
