import { html } from '../http/pages/html.ts'
import { cardPage } from '../http/pages/page.ts'

const USUAL = 'Volte à página anterior e tente de novo.'

/** What whoever looks at a page may do about it, by what went wrong. */
const HINTS: Readonly<Record<string, string>> = {
  'charge.unknown': 'Confira se o endereço está completo. Se a cobrança foi apagada, não é preciso pagá-la.',
  'link.unknown': 'Confira se o endereço está completo, ou peça outro a quem o enviou.',
  'link.token': 'Abra de novo o endereço que você recebeu, inteiro, ou peça outro a quem o enviou.',
}

/** What a browser shows that was answered no page of its own. */
export const faultPage = (message: string, code: string): string => {
  const heading = message.replace(/\.$/, '')
  return cardPage(heading, html`<p>${HINTS[code] ?? USUAL}</p>`)
}
