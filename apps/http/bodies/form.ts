import { MAX_PARTS } from './multipart.ts'

/**
 * What a page has posted, by name: a text, or a list where a name came more than once. Null where it is no form: too many
 * fields, or bytes that are no UTF-8.
 */
export const formOf = (text: string): Readonly<Record<string, string | readonly string[]>> | null => {
  const fields = new Map<string, string | readonly string[]>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    // What is no UTF-8 was read as this character, as in other bodies.
    if (count > MAX_PARTS || `${name}${value}`.includes('\ufffd')) return null
    const known = fields.get(name)
    fields.set(name, known === undefined ? value : [known, value].flat())
  }
  return Object.fromEntries(fields)
}
