const PLACEHOLDER = /__([A-Z]+(?:_[A-Z]+)*)__/g

/**
 * Replaces each placeholder of a text, `__NAME__`, by the value of its name. Throws if a placeholder has no value, or a
 * value no placeholder. The form is a word in Markdown, CSS and JavaScript, so that their tools can read the text.
 */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string | number>>): string => {
  const unused = new Set(Object.keys(values))
  const filled = text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`placeholder ${placeholder} has no value`)
    unused.delete(name)
    return `${value}`
  })
  if (unused.size > 0) throw new Error(`no placeholder for ${[...unused].join(', ')}`)
  return filled
}
