/** Objects and lists inside one another. */
export const MAX_JSON_DEPTH = 64

/** Whether a parsed value is no deeper than what is read one inside another without running out of stack. */
export const isShallow = (value: unknown, depth = MAX_JSON_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.values(value).every((item) => isShallow(item, depth - 1))
}
