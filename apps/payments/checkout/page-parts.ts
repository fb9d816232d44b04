import { formatReais } from '../../../core/kernel/values/money.ts'
import { formatTaxId, maskTaxId, taxIdKind } from '../../../core/kernel/values/tax-id.ts'
import type { Payee } from '../../../core/payments/accounts/views.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { COMMON_STYLE } from '../../panels/style.ts'
import CHECKOUT from './checkout.css'

/**
 * Makes an address of this server relative to the page, whose policy allows only its own origin; returns other
 * addresses unchanged.
 */
export const ownAddress = (publicUrl: string, up: string, url: string): string =>
  url.startsWith(`${publicUrl}/`) ? up + url.slice(publicUrl.length + 1) : url

/** Formats an amount with a space that does not break. */
export const reais = (cents: number): string => unbroken(formatReais(cents))

/** Returns a text with amounts that do not break at the end of a line. */
export const unbroken = (text: string): string => text.replaceAll('R$ ', 'R$\u00a0')

/** Returns the document with its kind; a CPF is masked, as in bank apps. */
const documentOf = (document: string): string | null => {
  const kind = taxIdKind(document)
  if (kind === 'CPF') return `CPF ${maskTaxId(document)}`
  return kind && `${kind} ${formatTaxId(document)}`
}

interface PayeeHeader {
  readonly account: Payee
  /** The address relative to the page. */
  readonly logo: string | null
  /** The text before the name: `Cobrança de`. */
  readonly what: string
}

/** The header of a checkout page: the payee's logo, name and document. */
export const payeeHtml = ({ account: { name, document }, logo, what }: PayeeHeader): Html => {
  const shown = documentOf(document)
  return html`<header class="payee">
${logo && html`<img src="${logo}" alt="" width="56" height="56">`}
<div>
<h1><span>${what}</span> ${name}</h1>
${shown && html`<p class="hint">${shown}</p>`}
</div>
</header>`
}

/** The style of checkout pages, in addition to the style of every page. */
export const CHECKOUT_STYLE = COMMON_STYLE + CHECKOUT
