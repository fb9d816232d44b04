/** One measured thing against its floor: what the same machine does in the same run with less in between. */
export interface Figure {
  readonly name: string
  /** What the floor is. */
  readonly floor: string
  /** Times per second. */
  readonly oursPerSecond: number
  readonly floorPerSecond: number
  /** The least that ours divided by the floor is meant to be. */
  readonly aim: number
}

const HEAD = ['figure', 'ours/s', 'floor/s', 'ratio', 'aim', '', 'floor']

const rate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en')

/** The figures as a table of text, one line each. */
export const tableOf = (figures: readonly Figure[]): string => {
  const lines = [HEAD, ...figures.map(lineOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const isText = (column: number): boolean => column === 0 || column >= HEAD.length - 2
  const pad = (cell: string, column: number): string =>
    isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}

const lineOf = ({ name, floor, oursPerSecond, floorPerSecond, aim }: Figure): string[] => {
  const ratio = oursPerSecond / floorPerSecond
  const verdict = ratio >= aim ? 'ok' : 'BELOW'
  return [name, rate(oursPerSecond), rate(floorPerSecond), ratio.toFixed(2), `>= ${aim}`, verdict, floor]
}
