import ELEMENTS from './elements.css'
import FIELDS from './fields.css'
import PANEL from './panel.css'

/** The colours and elements that the panels and the payer's pages share, beside those of every page. */
export const COMMON_STYLE = `\n${ELEMENTS}`

/** The fields of forms that the panels and the form of a payment link share. */
export const FIELD_STYLE = `\n${FIELDS}`

/** Returns the style of a panel: the components that the panels share, then its own. */
export const panelStyle = (own: string): string => `${COMMON_STYLE}${FIELD_STYLE}\n${PANEL}\n${own}`
