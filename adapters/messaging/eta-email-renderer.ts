import { Eta } from 'eta'
import type { EmailRenderer } from '../../core/ports/messaging.ts'
import EMAIL from './email.eta'

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })

/**
 * One column of tables, which all mail programs support; on a phone it fills the screen. The colours have the contrast
 * of WCAG AA, also in dark mode. All values are inserted by `<%=`, which escapes them.
 */
const template = eta.compile(EMAIL)

/** Renders mails as HTML with npm eta. */
export const etaEmailRenderer: EmailRenderer = {
  html: ({ subject, blocks }, sender) => eta.render(template, { subject, blocks, sender }),
}
