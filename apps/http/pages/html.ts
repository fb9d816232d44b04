// A file of its own, without imports: the panel uses it in the browser.

/** Escaped markup. */
export interface Html {
  readonly markup: string
}

/** A value in a template: text, which is escaped, or markup; `null` and `false` are omitted. */
type Slot = Html | readonly Html[] | string | number | null | false

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? '')

const markupOf = (slot: Slot): string => {
  if (slot === null || slot === false) return ''
  if (typeof slot !== 'object') return escaped(`${slot}`)
  return 'markup' in slot ? slot.markup : slot.map(({ markup }) => markup).join('')
}

/**
 * Renders a template. Texts are escaped for content and for attributes in quotes: html`<p
 * title="${title}">${text}</p>`.
 */
export const html = (strings: TemplateStringsArray, ...slots: readonly Slot[]): Html => {
  let markup = ''
  for (let at = 0; at < strings.length; at += 1) markup += strings[at] + markupOf(slots[at] ?? null)
  return { markup }
}
