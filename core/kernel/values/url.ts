/**
 * A text read as a URL; null for what is none. Not by `URL.canParse`: once it runs hot, that of Node 20 and 22 refuses hosts
 * with letters such as `ã`.
 */
export const urlOf = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
