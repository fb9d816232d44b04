import { formatReais } from '../../../core/kernel/values/money.ts'
import { formatTaxId, maskTaxId, taxIdKind } from '../../../core/kernel/values/tax-id.ts'
import type { Payee } from '../../../core/payments/accounts/views.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { COMMON_STYLE, FIELD_STYLE } from '../../panels/style.ts'

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
export const CHECKOUT_STYLE = `${COMMON_STYLE}main { max-width: 30rem }
h1, h2, p, a { overflow-wrap: anywhere }
.payee { display: flex; gap: 1rem; align-items: center; margin: 0 .25rem 1.25rem }
.payee img { width: 3.5rem; height: 3.5rem; flex: none; object-fit: contain; border-radius: .5rem; background: #fff }
.payee h1 { margin: 0; font-size: 1.25rem }
.payee h1 span { display: block; color: var(--quiet); font-size: .9375rem; font-weight: 400 }
.payee p { margin: 0 }
.state { display: inline-block; margin: 0 0 1rem; padding: .25rem .75rem; border-radius: 1rem; font-weight: 700;
  font-size: .9375rem; background: var(--soft) }
.state.waits { background: var(--waits-page); color: var(--waits) }
.state.paid { background: var(--right-page); color: var(--right) }
.state.wrong { background: var(--wrong-page); color: var(--wrong) }
.state:focus { outline: none }
.label { margin: 0; color: var(--quiet); font-size: .9375rem }
.amount { margin: 0 0 .5rem; font-size: min(2.25rem, 8vw); font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.about { margin: 0; white-space: pre-line }
.sum > :last-child { margin-bottom: 0 }
dl { margin: 1.25rem 0 0; border-top: 1px solid var(--hair) }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--hair) }
dt { color: var(--quiet) }
dd { max-width: 100%; margin: 0 0 0 auto; text-align: right; overflow-wrap: break-word; font-variant-numeric: tabular-nums }
section { margin-top: 2rem }
.sum:not(:last-child) { margin-bottom: 2rem }
h2 { margin: 0 0 .5rem; font-size: 1.125rem }
.qr { margin: 1.25rem auto 0; text-align: center }
.qr img { width: 15rem; height: 15rem; max-width: 100%; border-radius: .5rem; background: #fff; image-rendering: pixelated }
textarea { padding: .625rem .75rem; background: var(--soft); font: .875rem/1.4 ui-monospace, Menlo, Consolas, monospace; resize: none;
  word-break: break-all; field-sizing: content }
section label { margin-top: 1rem }
button[data-copy] { display: none; margin-top: .75rem }
.js button[data-copy] { display: block }
.without-script { margin-top: 1.5rem }
.js .without-script { display: none }
#boleto-line { word-break: normal }
.second { display: block; margin-top: .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem;
  text-align: center; font-weight: 700; text-decoration: none }
dl + .second { margin-top: 1.25rem }
.foot { margin: 1.25rem .25rem 0; color: var(--quiet); font-size: .875rem }
.foot p { margin: 0 0 .25rem }
.whom { margin-top: 1.5rem }
@media (min-width: 40rem) {
  main { padding-top: 2.5rem }
}
@media (min-width: 56rem) {
  main:has(.open) { max-width: 56rem }
  .open { display: grid; grid-template-columns: 5fr 6fr; gap: 3rem }
  .open section:first-child { margin-top: 0 }
}
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --quiet: #333; --soft: #fff }
  .card { display: block !important; padding: 0 }
  button, .second, .without-script { display: none !important }
}
`

/**
 * The script of a charge's page, which works without it. It copies codes at a touch and polls the status of the charge,
 * first every 2 s, then up to every 20 s, only while the page is visible. When the status changes, it fetches the page
 * again and replaces the charge.
 */
export const CHARGE_SCRIPT = `(() => {
  const FIRST_MS = 2000
  const LAST_MS = 20000
  document.documentElement.classList.add('js')
  const charge = document.getElementById('charge')
  const told = document.getElementById('told')
  const say = (text) => { told.textContent = text }

  const copy = async (field) => {
    const text = field.dataset.text || field.value
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      field.focus()
      field.select()
      return document.execCommand('copy')
    }
  }
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest('[data-copy]')
    if (!button) return
    const label = button.dataset.label || button.textContent
    const copied = await copy(document.getElementById(button.dataset.copy))
    button.dataset.label = label
    button.textContent = copied ? 'Código copiado' : 'Selecionado: copie o código acima'
    say(button.textContent)
    setTimeout(() => { button.textContent = label }, 4000)
  })

  const stateIn = ({ data: { charge: { status, rest_refused }, pix, boleto } }) =>
    [status.title, pix ? pix.qrcode : '', boleto ? boleto.digitableLine : '', rest_refused === true].join('|')

  const renew = async () => {
    const text = await (await fetch(location.href)).text()
    const page = new DOMParser().parseFromString(text, 'text/html')
    const next = page.getElementById('charge')
    if (!next) return location.reload()
    const hadFocus = charge.contains(document.activeElement)
    document.title = page.title
    charge.replaceChildren(...next.childNodes)
    charge.className = next.className
    charge.dataset.state = next.dataset.state
    charge.dataset.watch = next.dataset.watch
    const state = charge.querySelector('.state')
    say(state.textContent)
    if (hadFocus) state.focus()
  }

  let waitMs = FIRST_MS
  let timer = 0
  const plan = () => {
    clearTimeout(timer)
    if (charge.dataset.watch && document.visibilityState === 'visible') timer = setTimeout(look, waitMs)
  }
  const look = async () => {
    try {
      const answer = await fetch(charge.dataset.watch)
      // A charge that was deleted is no more to be paid.
      if (answer.status === 404) return location.reload()
      if (answer.ok && stateIn(await answer.json()) !== charge.dataset.state) {
        waitMs = FIRST_MS
        await renew()
      } else {
        waitMs = Math.min(waitMs * 1.25, LAST_MS)
      }
    } catch {
      waitMs = LAST_MS
    }
    plan()
  }
  document.addEventListener('visibilitychange', () => {
    waitMs = FIRST_MS
    plan()
  })
  plan()
})()
`

/** The style of a link's form. It hides the card fields, without a script, while another method is chosen. */
export const PAY_STYLE = `${FIELD_STYLE}.sum h2 { font-size: 1.25rem }
fieldset { margin: 1.75rem 0 0 }
form > :first-child, form > .fields:first-child label { margin-top: 0 }
legend { padding: 0; font-size: 1.125rem; font-weight: 700 }
.fields { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem }
.field { grid-column: 1 / -1; display: flex; flex-direction: column }
.field.short { grid-column: auto }
.field input { margin-top: auto }
.field label { margin-top: 1rem }
.field .hint, .field .error { margin-bottom: .375rem }
.choices { display: grid; gap: .5rem; margin-top: .75rem }
.choice { display: flex; gap: .75rem; align-items: center; margin: 0; padding: .75rem; font-weight: 400;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
.choice:has(:checked) { border: 2px solid var(--deed); padding: calc(.75rem - 1px) }
.choice input { flex: none }
.choice .hint { display: block }
.fields + .only { margin-top: 1.25rem }
.only { margin: 0 }
.go { display: none }
.cancel { margin: 1rem 0 0; text-align: center }
@supports selector(:has(*)) {
  form:not(:has([value=CARD]:is(:checked, [type=hidden]))) .by-card { display: none }
  form:not(:has([value=CARD]:is(:checked, [type=hidden]))) .go { display: inline }
}
`

/** The script of a link's form, which works without it: it groups digits and disables the button once pressed. */
export const PAY_SCRIPT = `(() => {
  document.documentElement.classList.add('js')
  const groups = {
    card_number: (digits) => digits.slice(0, 19).replace(/(\\d{4})(?=\\d)/g, '$1 '),
    expiry: (digits) => digits.slice(0, 4).replace(/^(\\d{2})(?=\\d)/, '$1/'),
    zipcode: (digits) => digits.slice(0, 8).replace(/^(\\d{5})(?=\\d)/, '$1-'),
  }
  for (const [name, grouped] of Object.entries(groups)) {
    const field = document.getElementById(name)
    if (!field) continue
    field.addEventListener('input', ({ inputType }) => {
      // A correction within the text would move the cursor to its end.
      if (field.selectionEnd !== field.value.length || (inputType || '').startsWith('delete')) return
      field.value = grouped(field.value.replace(/\\D/g, ''))
    })
  }
  const form = document.querySelector('form')
  const button = form.querySelector('button')
  form.addEventListener('submit', () => { button.disabled = true })
  // The browser's back button restores the page with the button disabled.
  addEventListener('pageshow', () => { button.disabled = false })
})()
`
