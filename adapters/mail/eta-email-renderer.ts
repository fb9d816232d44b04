import { Eta } from 'eta'
import type { EmailRenderer } from '../../core/ports/messaging.ts'
import { TEMPLATE } from './email-template.ts'

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
const template = eta.compile(TEMPLATE)

/** Mails by npm eta, from one template that is compiled once. */
export const etaEmailRenderer: EmailRenderer = {
  html: ({ subject, blocks }, sender) => eta.render(template, { subject, blocks, sender }),
}
