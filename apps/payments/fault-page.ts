import { cardPage, html } from '../http/pages/page.ts'

const USUAL = 'Volte à página anterior e tente de novo.'

/** Advice to payers, by the code of the error. */
const HINTS: Readonly<Record<string, string>> = {
  'charge.unknown': 'Confira se o endereço está completo. Se a cobrança foi apagada, não é preciso pagá-la.',
  'link.unknown': 'Confira se o endereço está completo, ou peça outro a quem o enviou.',
  'link.token': 'Abra de novo o endereço que você recebeu, inteiro, ou peça outro a quem o enviou.',
}

/** Returns the page of an error that has no page of its own; a `hint` is the advice that its JSON would carry. */
export const faultPage = (message: string, code: string, hint: string | null): string => {
  const heading = message.replace(/\.$/, '')
  return cardPage(heading, html`<p>${HINTS[code] ?? hint ?? USUAL}</p>`)
}
