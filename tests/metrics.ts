/** Returns the value of a series in a text of Prometheus; null without one. */
export const reading = (text: string, series: string): number | null => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}
