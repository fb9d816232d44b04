import { formatReais } from '../../../../core/kernel/values/money.ts'
import { formatTaxId, maskTaxId, taxIdKind } from '../../../../core/kernel/values/tax-id.ts'
import type { Payee } from '../../../../core/payments/accounts/views.ts'
import { type Html, html } from '../../../http/pages/page.ts'

/** An address of ours as the page reaches it: its policy knows its own origin alone. */
export const ownAddress = (publicUrl: string, up: string, url: string): string =>
  url.startsWith(`${publicUrl}/`) ? up + url.slice(publicUrl.length + 1) : url

/** An amount that no line breaks. */
export const reais = (cents: number): string => unbroken(formatReais(cents))

/** A text whose amounts no line breaks. */
export const unbroken = (text: string): string => text.replaceAll('R$ ', 'R$\u00a0')

/** A person's document is nobody's business but as bank apps show it. */
const documentOf = (document: string): string | null => {
  const kind = taxIdKind(document)
  if (kind === 'CPF') return `CPF ${maskTaxId(document)}`
  return kind && `${kind} ${formatTaxId(document)}`
}

interface Shown {
  readonly account: Payee
  /** As the page reaches it. */
  readonly logo: string | null
  /** What it is of theirs: `Cobrança de`. */
  readonly what: string
}

/** Whom the page pays. */
export const payeeHtml = ({ account: { name, document }, logo, what }: Shown): Html => {
  const shown = documentOf(document)
  return html`<header class="payee">
${logo && html`<img src="${logo}" alt="" width="56" height="56">`}
<div>
<h1><span>${what}</span> ${name}</h1>
${shown && html`<p class="hint">${shown}</p>`}
</div>
</header>`
}
