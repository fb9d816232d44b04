import type { Environment } from '../../adapters/node/settings.ts'

/** From this length on a name may be two slips away from what was meant. */
const LONG_NAME = 9
/** First words of variables that other programs and libraries read, too. */
const SHARED: readonly string[] = ['NODE', 'OTEL']

/**
 * A line for each variable that is not known and looks like one that is: most likely a slip, which would otherwise go by
 * unseen. Never what it holds.
 */
export const unknownVariables = (env: Environment, known: readonly string[]): readonly string[] =>
  Object.keys(env)
    .filter((name) => env[name]?.trim() && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant === null ? [] : [`${name} is not known: ${meant}?`]
    })

const nearest = (name: string, known: readonly string[]): string | null => {
  const asked = name.toUpperCase()
  const near = known
    .map((each) => ({ each, distance: distanceOf(asked, each) }))
    .filter(({ each, distance }) => isSlip(each, distance) || isKin(asked.split('_'), each.split('_')))
  return near.sort((a, b) => a.distance - b.distance)[0]?.each ?? null
}

/** A short name is a word that others use, too: PORT is no slip of HOST. */
const isSlip = (known: string, distance: number): boolean =>
  known.includes('_') && distance <= (known.length < LONG_NAME ? 1 : 2)

/** SMTP_HOST beside SMTP_URL, PUBLIC_URL_FILE beside PUBLIC_URL; what goes further (PAYMENTS_PORT_80_TCP) is another's. */
const isKin = (asked: readonly string[], known: readonly string[]): boolean => {
  if (known.length < 2 || SHARED.includes(known[0] ?? '')) return false
  const shared = asked.length > known.length ? known.length : known.length - 1
  return asked.length - shared === 1 && known.slice(0, shared).every((word, index) => word === asked[index])
}

/** How many letters are to be added, left out, changed or swapped with the next one: optimal string alignment. */
const distanceOf = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const steps = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1)]
      if (isSwapped) steps.push(at(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...steps))
    }
  }
  return at(from.length, to.length)
}
