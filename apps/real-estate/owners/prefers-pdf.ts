/** How much a type is asked for by an `Accept` header, by its own name: from 0 to 1. */
const weightOf = (accept: string, type: string): number => {
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    if (name !== type) continue
    const q = parameters.find((each) => each.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2)) || 0
  }
  return 0
}

/** Whether a PDF is asked for, and not JSON rather. */
export const prefersPdf = (accept: string | null): boolean => {
  const pdf = weightOf(accept ?? '', 'application/pdf')
  return pdf > 0 && pdf >= weightOf(accept ?? '', 'application/json')
}
