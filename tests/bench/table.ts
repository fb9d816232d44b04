/** One measured thing beside its floor: what the same machine does in the same run with less in between. */
export interface Figure {
  readonly name: string
  readonly unit: '/s' | 'ms' | 'MB'
  readonly ours: number
  /** Null where there is nothing to hold it against. */
  readonly floor: number | null
  /** What the floor is. */
  readonly of: string
  /** What ours divided by the floor is meant to be; null for what is only shown. */
  readonly aim: { readonly atLeast: number } | { readonly atMost: number } | null
}

const HEAD = ['figure', 'unit', 'ours', 'floor', 'ratio', 'aim', '', 'floor is']
const TEXTS = new Set([0, 1, HEAD.length - 2, HEAD.length - 1])

/** The figures as a table of text, one line each. */
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
    aimOf(aim),
    verdict(ratio, aim),
    of,
  ]
}

const shown = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))

const aimOf = (aim: Figure['aim']): string => {
  if (aim === null) return ''
  return 'atLeast' in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`
}

const verdict = (ratio: number | null, aim: Figure['aim']): string => {
  if (ratio === null || aim === null) return ''
  const isMet = 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost
  return isMet ? 'ok' : 'MISSED'
}
