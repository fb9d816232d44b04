import { Eta } from 'eta'
import type { Press } from '../../core/ports/press.ts'
import { LETTER } from './letter-template.ts'

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
const letter = eta.compile(LETTER)

/** Letters by npm eta, from one template that is compiled once. */
export const etaPress: Press = {
  html: ({ subject, blocks }, sender) => eta.render(letter, { subject, blocks, sender }),
}
