// A file of its own, without imports: the panel uses it in the browser.

/** A piece of a page, as markup. */
export interface Html {
  readonly markup: string
}

/** What may stand in a template: texts, which are escaped, and pieces; `null` and `false` are nothing. */
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
 * Markup of a template in which every text is escaped, in its content and in attributes in quotes alike:
 * html`<p title="${title}">${text}</p>`.
 */
export const html = (strings: TemplateStringsArray, ...slots: readonly Slot[]): Html => ({
  markup: strings.map((text, at) => text + markupOf(slots[at] ?? null)).join(''),
})
