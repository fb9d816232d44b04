import { Eta } from 'eta'
import type { EmailRenderer } from '../../core/ports/email-renderer.ts'
import { LETTER } from './email-template.ts'

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
const letter = eta.compile(LETTER)

/** Letters by npm eta, from one template that is compiled once. */
export const etaEmailRenderer: EmailRenderer = {
  html: ({ subject, blocks }, sender) => eta.render(letter, { subject, blocks, sender }),
}
