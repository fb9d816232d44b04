/** A measured value beside its floor: the value of a simpler program on the same machine in the same run. */
export interface Figure {
  readonly name: string
  /** Empty for a count. */
  readonly unit: '/s' | 'ms' | 'MB' | 'KB' | ''
  readonly ours: number
  /** Null without a comparison. */
  readonly floor: number | null
  readonly of: string
  /** The aim for ours divided by the floor, or for ours alone in its unit; null if the figure is only shown. */
  readonly aim: Ratio | { readonly under: number } | null
}

type Ratio =
  | { readonly atLeast: number }
  /** For short durations, whose ratio varies: an absolute difference that also meets the aim. */
  | { readonly atMost: number; readonly orMoreByMs?: number }

const HEAD = ['figure', 'unit', 'ours', 'floor', 'ratio', 'aim', '', 'floor is']
const TEXTS = new Set([0, 1, HEAD.length - 2, HEAD.length - 1])

export const tableOf = (figures: readonly Figure[]): string => {
  const lines = [HEAD, ...figures.map(lineOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string =>
    TEXTS.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}

const lineOf = ({ name, unit, ours, floor, of, aim }: Figure): string[] => {
  const ratio = floor === null ? null : ours / floor
  return [
    name,
    unit,
    shown(ours),
    floor === null ? '' : shown(floor),
    ratio?.toFixed(2) ?? '',
    aimOf(aim, unit),
    verdict(ours, floor, aim),
    of,
  ]
}

const shown = (value: number): string => {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return Number.isInteger(value) ? `${value}` : value.toPrecision(3)
}

const aimOf = (aim: Figure['aim'], unit: Figure['unit']): string => {
  if (aim === null) return ''
  if ('under' in aim) return `<= ${aim.under} ${unit}`.trimEnd()
  if ('atLeast' in aim) return `>= ${aim.atLeast}`
  return `<= ${aim.atMost}${aim.orMoreByMs === undefined ? '' : ` or ${aim.orMoreByMs} ms more`}`
}

const verdict = (ours: number, floor: number | null, aim: Figure['aim']): string => {
  const isMet =
    aim === null ? null : 'under' in aim ? ours <= aim.under : floor === null ? null : isNear(ours, floor, aim)
  return isMet === null ? '' : isMet ? 'ok' : 'MISSED'
}

const isNear = (ours: number, floor: number, aim: Ratio): boolean =>
  'atLeast' in aim ? ours / floor >= aim.atLeast : ours / floor <= aim.atMost || ours - floor <= (aim.orMoreByMs ?? 0)
