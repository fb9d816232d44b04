import type { Html } from '../../../http/pages/html.ts'

/** Returns an element of the page. Throws if it is missing: page and script are of the same release. */
export const element = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const found = document.querySelector<E>(selector)
  if (!found) throw new Error(`the page has no ${selector}`)
  return found
}

export type View = 'wait' | 'enter' | 'refused' | 'found' | 'reset' | 'board'

/** Shows one of the views, and hides the others. */
export const show = (view: View): void => {
  for (const each of document.querySelectorAll<HTMLElement>('[data-view]')) each.hidden = each.dataset.view !== view
}

export const setText = (selector: string, text: string): void => {
  const place = element(selector)
  if (place.textContent !== text) place.textContent = text
}

/** Shows an alert, or hides it. */
export const showAlert = (selector: string, text: string | null): void => {
  const alert = element(selector)
  alert.hidden = text === null
  alert.textContent = text
}

/** The markup of each part of the board. */
const drawn = new Map<string, string>()

const partOf = (name: string): HTMLElement => element(`[data-part="${name}"]`)

/** Shows markup in a part of the board. Returns whether it changed. */
export const put = (name: string, { markup }: Html): boolean => {
  const part = partOf(name)
  part.removeAttribute('aria-busy')
  if (drawn.get(name) === markup) return false
  drawn.set(name, markup)
  element(`[data-part="${name}"] .content`).innerHTML = markup
  return true
}

/** Reports whether a part shows more than that it is loading. */
export const isDrawn = (name: string): boolean => drawn.has(name)

/** Empties all parts, so that the next user sees nothing of them. */
export const clear = (empty: Html): void => {
  for (const name of drawn.keys()) {
    element(`[data-part="${name}"] .content`).innerHTML = empty.markup
    partOf(name).setAttribute('aria-busy', 'true')
  }
  drawn.clear()
}

/** Shows a part, or hides it from a user without permission. */
export const reveal = (name: string, isVisible: boolean): void => {
  partOf(name).hidden = !isVisible
}
