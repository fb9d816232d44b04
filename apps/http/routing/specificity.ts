// Words before words with a parameter in them, those before parameters, and wildcards last.
const rank = (segment: string): string => {
  if (segment.startsWith('*')) return '3'
  if (segment.startsWith(':')) return '2'
  return segment.includes(':') ? '1' : '0'
}

const ranks = (path: string): string => path.split('/').map(rank).join('')

/** Orders paths so that `/charges/notify` is matched before `/charges/:id`, in whatever order they were written. */
export const bySpecificity = (a: string, b: string): number => {
  const [left, right] = [ranks(a), ranks(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
