import type { Html } from '../../../http/pages/html.ts'

/** What the server put into the page. Throws where it did not: the page and its script are of one release. */
export const element = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const found = document.querySelector<E>(selector)
  if (!found) throw new Error(`nothing in the page is ${selector}`)
  return found
}

export type View = 'wait' | 'enter' | 'refused' | 'found' | 'reset' | 'board'

/** Shows one of the views, and hides the others. */
export const show = (view: View): void => {
  for (const each of document.querySelectorAll<HTMLElement>('[data-view]')) each.hidden = each.dataset.view !== view
}

export const say = (selector: string, text: string): void => {
  const place = element(selector)
  if (place.textContent !== text) place.textContent = text
}

/** What stands in a part of the board, by the part's name. */
const drawn = new Map<string, string>()

const partOf = (name: string): HTMLElement => element(`[data-part="${name}"]`)

/** Puts markup into a part of the board, and says whether it is another than there was. */
export const put = (name: string, { markup }: Html): boolean => {
  const part = partOf(name)
  part.removeAttribute('aria-busy')
  if (drawn.get(name) === markup) return false
  drawn.set(name, markup)
  element(`[data-part="${name}"] .content`).innerHTML = markup
  return true
}

/** Whether a part shows anything but that it is being read. */
export const isDrawn = (name: string): boolean => drawn.has(name)

/** Forgets what parts show, so that whoever signs in next sees nothing of it. */
export const clear = (empty: Html): void => {
  for (const name of drawn.keys()) {
    element(`[data-part="${name}"] .content`).innerHTML = empty.markup
    partOf(name).setAttribute('aria-busy', 'true')
  }
  drawn.clear()
}

/** Takes away the parts that this person may not see, or gives them back. */
export const offer = (name: string, isOffered: boolean): void => {
  partOf(name).hidden = !isOffered
}
