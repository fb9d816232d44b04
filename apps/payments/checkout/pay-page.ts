import { splitRemainderFirst } from '../../../core/kernel/values/money.ts'
import { endOfSentence } from '../../../core/payments/accounts/views.ts'
import type { Checkout } from '../../../core/payments/checkout/open-link.ts'
import type { LinkMethod } from '../../../core/payments/links/link.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { pageTemplate, relativeRoot } from '../../http/pages/page.ts'
import { CHECKOUT_STYLE, ownAddress, PAY_SCRIPT, PAY_STYLE, payeeHtml, reais } from './page-parts.ts'

/** The texts of a payer that a form may show again, by the names of its fields. */
export type Typed = Readonly<Record<string, string>>
/** What is wrong with it, by the same names. */
export type Wrong = Readonly<Record<string, string>>

/** A field of the form: what it is called, and how a browser helps to fill it in. */
interface FormField {
  readonly name: string
  readonly label: string
  /** As `autocomplete` names what is typed. */
  readonly complete: string
  readonly type?: 'text' | 'email'
  readonly digits?: boolean
  readonly max?: number
  readonly hint?: string
  /** Half of a line. */
  readonly short?: boolean
}

export const PAYER: readonly FormField[] = [
  { name: 'name', label: 'Nome completo', complete: 'name', max: 255 },
  { name: 'email', label: 'E-mail', complete: 'email', type: 'email', max: 255 },
  { name: 'document', label: 'CPF ou CNPJ', complete: 'off', max: 20 },
]

export const CARD: readonly FormField[] = [
  { name: 'card_number', label: 'Número do cartão', complete: 'cc-number', digits: true, max: 40 },
  {
    name: 'cardholder_name',
    label: 'Nome impresso no cartão',
    complete: 'cc-name',
    max: 100,
  },
  { name: 'expiry', label: 'Validade', complete: 'cc-exp', digits: true, max: 7, hint: 'MM/AA', short: true },
  {
    name: 'cvv',
    label: 'Código de segurança',
    complete: 'cc-csc',
    digits: true,
    max: 4,
    hint: '3 dígitos, no verso',
    short: true,
  },
]

export const ADDRESS: readonly FormField[] = [
  { name: 'zipcode', label: 'CEP', complete: 'postal-code', digits: true, max: 10, short: true },
  { name: 'state', label: 'Estado', complete: 'address-level1', max: 2, hint: 'Sigla, como SP', short: true },
  { name: 'street', label: 'Rua ou avenida', complete: 'address-line1', max: 255 },
  { name: 'number', label: 'Número', complete: 'off', max: 20, short: true },
  { name: 'district', label: 'Bairro', complete: 'address-line2', max: 100, short: true },
  { name: 'city', label: 'Cidade', complete: 'address-level2', max: 100 },
]

export const AMOUNT: FormField = { name: 'amount', label: 'Quanto você quer pagar?', complete: 'off', digits: true }

const IN_ORDER = [AMOUNT, ...PAYER, ...CARD, ...ADDRESS].map(({ name }) => name)

/** The first field that is wrong is where somebody goes on. */
const isFirst = (name: string, wrong: Wrong): boolean => IN_ORDER.find((each) => wrong[each] !== undefined) === name

const fieldHtml = (
  { name, label, complete, type = 'text', digits = false, max, hint, short }: FormField,
  typed: Typed,
  wrong: Wrong,
): Html => {
  const error = wrong[name] ?? null
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field${short === true && ' short'}">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" value="${
    typed[name] ?? ''
  }"${digits && html` inputmode="decimal"`}${max !== undefined && html` maxlength="${max}"`}${
    describedBy !== '' && html` aria-describedby="${describedBy}"`
  }${error !== null && html` aria-invalid="true"`}${isFirst(name, wrong) && html` autofocus`}>
</div>`
}

export const fieldsHtml = (fields: readonly FormField[], typed: Typed, wrong: Wrong): Html =>
  html`<div class="fields">${fields.map((field) => fieldHtml(field, typed, wrong))}</div>`

/** One of several; of a single one nobody is asked. */
export const choiceHtml = (
  name: string,
  choices: readonly { readonly value: string; readonly label: string; readonly hint: string }[],
  chosen: string,
): Html =>
  html`<div class="choices">${choices.map(
    ({ value, label, hint }) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
        value === chosen && html` checked`
      }><span><b>${label}</b> <span class="hint">${hint}</span></span></label>`,
  )}</div>`

const kind = pageTemplate({
  style: CHECKOUT_STYLE + PAY_STYLE,
  script: PAY_SCRIPT,
  allows: ["img-src 'self' data:"],
})

export const PAY_PAGE_HEADERS = kind.headers

/** A link as a payer fills it in. */
export interface PayForm {
  readonly checkout: Checkout
  /** By which it is known when it is sent again. */
  readonly key: string
  readonly typed: Typed
  readonly wrong: Wrong
  /** Why it did not work, where no field is wrong. */
  readonly alert: string | null
}

const METHODS: Readonly<Record<LinkMethod, { readonly label: string; readonly hint: string }>> = {
  PIX: { label: 'Pix', hint: 'Na hora, pelo app do seu banco' },
  BOLETO: { label: 'Boleto', hint: 'Vence em 3 dias; a confirmação leva até 2 dias úteis' },
  CARD: { label: 'Cartão de crédito', hint: 'Visa ou Mastercard' },
}

const CORRECT = 'O pagamento não foi feito. Corrija o que está indicado abaixo.'

export const payPage = ({ checkout, key, typed, wrong, alert }: PayForm, publicUrl: string, path: string): string => {
  const { account, link, logoUrl } = checkout
  const up = relativeRoot(path)
  const logo = logoUrl && ownAddress(publicUrl, up, logoUrl)
  const said = alert ?? (Object.keys(wrong).length > 0 ? CORRECT : null)
  return kind.page({
    title: `${said === null ? '' : 'Erro: '}${link.title}: pagar a ${account.name}`,
    body: html`${payeeHtml({ account, logo, what: 'Pagamento para' })}
<div class="card open">
<div class="sum">
${askedHtml(checkout)}
</div>
<form method="post">
${said && html`<div class="alert" role="alert"><p>${said}</p></div>`}
${link.isVariableAmount && fieldsHtml([{ ...AMOUNT, hint: boundsOf(checkout) }], typed, wrong)}
${methodHtml(checkout, typed, wrong)}
<fieldset>
<legend>Seus dados</legend>
${fieldsHtml(PAYER, typed, wrong)}
</fieldset>
${link.paymentMethods.includes('CARD') && cardHtml(checkout, typed, wrong)}
<button type="submit"><span class="go">Continuar</span><span class="by-card">Pagar com cartão</span></button>
${link.cancelUrl && html`<p class="cancel"><a href="${link.cancelUrl}" rel="noreferrer">Cancelar e voltar</a></p>`}
<input type="hidden" name="key" value="${key}" autocomplete="off">
</form>
</div>
<footer class="foot"><p>Quem recebe é ${endOfSentence(account.name)}${
      link.paymentMethods.includes('CARD') && html` O número do cartão não fica guardado.`
    }</p></footer>`,
  })
}

const askedHtml = ({ link: { title, description, amountCents } }: Checkout): Html => html`<h2>${title}</h2>
${amountCents !== null && html`<p class="amount">${reais(amountCents)}</p>`}
${description && html`<p class="about">${description}</p>`}`

const boundsOf = ({ link: { minAmountCents, maxAmountCents } }: Checkout): string => {
  const least = reais(Math.max(1, minAmountCents ?? 0))
  return maxAmountCents === null ? `A partir de ${least}` : `De ${least} a ${reais(maxAmountCents)}`
}

/** What is chosen before anybody chooses: the first that is offered. */
const chosenOf = ({ link: { paymentMethods } }: Checkout, typed: Typed): string =>
  paymentMethods.find((method) => method === typed.payment_method) ?? paymentMethods[0] ?? ''

/** What is said of a way to pay: also what it asks, where its payer bears the fee. */
const hintOf = ({ link, payableCents, addsFee }: Checkout, method: LinkMethod): string => {
  const { hint } = METHODS[method]
  const payable = payableCents?.[method] ?? null
  if (!addsFee || payable === link.amountCents) return hint
  return payable === null ? `${hint}. A tarifa é somada ao valor` : `${hint}. Total com a tarifa: ${reais(payable)}`
}

const methodHtml = (checkout: Checkout, typed: Typed, wrong: Wrong): Html => {
  const chosen = chosenOf(checkout, typed)
  const offered = checkout.link.paymentMethods.map((value) => ({
    value,
    label: METHODS[value].label,
    hint: hintOf(checkout, value),
  }))
  const error = wrong.payment_method ?? null
  const [one, ...others] = offered
  if (one && others.length === 0) {
    return html`<p class="only">Pagamento por <b>${one.label}</b>. ${one.hint}.</p>
<input type="hidden" name="payment_method" value="${one.value}">`
  }
  return html`<fieldset>
<legend>Como você quer pagar?</legend>
${error && html`<p class="error">${error}</p>`}
${choiceHtml('payment_method', offered, chosen)}
</fieldset>`
}

const cardHtml = (checkout: Checkout, typed: Typed, wrong: Wrong): Html => html`<div class="by-card">
<fieldset>
<legend>Cartão de crédito</legend>
${fieldsHtml(CARD, typed, wrong)}
${installmentsHtml(checkout, typed, wrong)}
</fieldset>
<fieldset>
<legend>Endereço de cobrança</legend>
${fieldsHtml(ADDRESS, typed, wrong)}
</fieldset>
</div>`

/** What each way of dividing comes to, where the amount is known. */
const installmentsOf = ({ payableCents }: Checkout, count: number): string => {
  if (count === 1) return 'À vista'
  if (payableCents === null) return `${count}x`
  const parts = splitRemainderFirst(payableCents.CARD, count)
  const [first = 0] = parts
  // Short, for a phone: the first has the cents that are left over.
  return `${count}x de ${parts.at(-1) === first ? '' : 'até '}${reais(first)}`
}

const installmentsHtml = (checkout: Checkout, typed: Typed, wrong: Wrong): Html | null => {
  const { installments } = checkout.link
  if (installments === 1) return null
  const counts = Array.from({ length: installments }, (_, index) => `${index + 1}`)
  return html`<div class="field">
<label for="installments">Parcelas</label>
${wrong.installments !== undefined && html`<p class="error" id="installments-error">${wrong.installments}</p>`}
<select id="installments" name="installments">${counts.map(
    (count) =>
      html`<option value="${count}"${typed.installments === count && html` selected`}>${installmentsOf(
        checkout,
        Number(count),
      )}</option>`,
  )}</select>
</div>`
}
