import { CannotStart } from '../host/environment.ts'

const USAGE = 'portico reconcile [--day YYYY-MM-DD]'

/** The day that a command line asks for; null where it asks for none. Throws `CannotStart`. */
export const dayIn = (words: readonly string[]): string | null => {
  const asked = words.filter((word) => word !== 'reconcile')
  if (asked.length === 0) return null
  const [first = '', second] = asked
  const day = first.startsWith('--day=') ? first.slice('--day='.length) : first === '--day' ? second : undefined
  const isAll = asked.length === (first === '--day' ? 2 : 1)
  if (day === undefined || !isAll) throw new CannotStart(USAGE)
  return day
}
