import { splitRemainderFirst } from '../../../core/kernel/values/money.ts'
import { endOfSentence } from '../../../core/payments/accounts/views.ts'
import type { Checkout } from '../../../core/payments/checkout/open-link.ts'
import type { LinkMethod } from '../../../core/payments/links/link.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { pageTemplate, relativeRoot } from '../../http/pages/page.ts'
import { FIELD_STYLE } from '../../panels/style.ts'
import SCRIPT from './browser/pay.text.js'
import { CHECKOUT_STYLE, ownAddress, payeeHtml, reais } from './page-parts.ts'
import STYLE from './pay.css'

/** The typed texts, by the names of the form's fields. */
export type TypedFields = Readonly<Record<string, string>>
/** The error messages of fields, by the same names. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * Works without its script, which groups digits and disables the button once pressed. The style hides the card fields,
 * without a script, while another method is chosen.
 */
const template = pageTemplate({
  style: CHECKOUT_STYLE + FIELD_STYLE + STYLE,
  script: SCRIPT,
  allows: ["img-src 'self' data:"],
})

export const PAY_PAGE_HEADERS = template.headers

/** The form of a link. */
export interface PayForm {
  readonly checkout: Checkout
  /** The idempotency key: the form pays once. */
  readonly key: string
  readonly typed: TypedFields
  readonly errors: FieldErrors
  /** The reason why it failed, if no field is wrong. */
  readonly alert: string | null
}

const METHODS: Readonly<Record<LinkMethod, { readonly label: string; readonly hint: string }>> = {
  PIX: { label: 'Pix', hint: 'Na hora, pelo app do seu banco' },
  BOLETO: { label: 'Boleto', hint: 'Vence em 3 dias; a confirmação leva até 2 dias úteis' },
  CARD: { label: 'Cartão de crédito', hint: 'Visa ou Mastercard' },
}

const CORRECT = 'O pagamento não foi feito. Corrija o que está indicado abaixo.'

export const payPage = (
  { checkout, key, typed, errors, alert }: PayForm,
  publicUrl: string,
  path: string,
): Uint8Array => {
  const { account, link, logoUrl } = checkout
  const root = relativeRoot(path)
  const logo = logoUrl && ownAddress(publicUrl, root, logoUrl)
  const alertText = alert ?? (Object.keys(errors).length > 0 ? CORRECT : null)
  return template.page({
    title: `${alertText === null ? '' : 'Erro: '}${link.title}: pagar a ${account.name}`,
    body: html`${payeeHtml({ account, logo, what: 'Pagamento para' })}
<div class="card open">
<div class="sum">
${linkHtml(checkout)}
</div>
<form method="post">
${alertText && html`<div class="alert" role="alert"><p>${alertText}</p></div>`}
${link.isVariableAmount && fieldsHtml([{ ...AMOUNT, hint: amountHint(checkout) }], typed, errors)}
${methodHtml(checkout, typed, errors)}
<fieldset>
<legend>Seus dados</legend>
${fieldsHtml(PAYER, typed, errors)}
</fieldset>
${link.paymentMethods.includes('CARD') && cardHtml(checkout, typed, errors)}
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

const linkHtml = ({ link: { title, description, amountCents } }: Checkout): Html => html`<h2>${title}</h2>
${amountCents !== null && html`<p class="amount">${reais(amountCents)}</p>`}
${description && html`<p class="about">${description}</p>`}`

const amountHint = ({ link: { minAmountCents, maxAmountCents } }: Checkout): string => {
  const least = reais(Math.max(1, minAmountCents ?? 0))
  return maxAmountCents === null ? `A partir de ${least}` : `De ${least} a ${reais(maxAmountCents)}`
}

/** Returns the chosen method; by default the first of the link. */
const chosenOf = ({ link: { paymentMethods } }: Checkout, typed: TypedFields): string =>
  paymentMethods.find((method) => method === typed.payment_method) ?? paymentMethods[0] ?? ''

/** Returns the hint of a method, with the total if the payer pays the fee. */
const hintOf = ({ link, payableCents, addsFee }: Checkout, method: LinkMethod): string => {
  const { hint } = METHODS[method]
  const payable = payableCents?.[method] ?? null
  if (!addsFee || payable === link.amountCents) return hint
  return payable === null ? `${hint}. A tarifa é somada ao valor` : `${hint}. Total com a tarifa: ${reais(payable)}`
}

const methodHtml = (checkout: Checkout, typed: TypedFields, errors: FieldErrors): Html => {
  const chosen = chosenOf(checkout, typed)
  const offered = checkout.link.paymentMethods.map((value) => ({
    value,
    label: METHODS[value].label,
    hint: hintOf(checkout, value),
  }))
  const error = errors.payment_method ?? null
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

const cardHtml = (checkout: Checkout, typed: TypedFields, errors: FieldErrors): Html => html`<div class="by-card">
<fieldset>
<legend>Cartão de crédito</legend>
${fieldsHtml(CARD, typed, errors)}
${installmentsHtml(checkout, typed, errors)}
</fieldset>
<fieldset>
<legend>Endereço de cobrança</legend>
${fieldsHtml(ADDRESS, typed, errors)}
</fieldset>
</div>`

/** Returns the text of a number of installments, with their amount if it is fixed. */
const installmentsText = ({ payableCents }: Checkout, count: number): string => {
  if (count === 1) return 'À vista'
  if (payableCents === null) return `${count}x`
  const parts = splitRemainderFirst(payableCents.CARD, count)
  const [first = 0] = parts
  // The first installment has the remaining cents.
  return `${count}x de ${parts.at(-1) === first ? '' : 'até '}${reais(first)}`
}

const installmentsHtml = (checkout: Checkout, typed: TypedFields, errors: FieldErrors): Html | null => {
  const { installments } = checkout.link
  if (installments === 1) return null
  const counts = Array.from({ length: installments }, (_, index) => `${index + 1}`)
  return html`<div class="field">
<label for="installments">Parcelas</label>
${errors.installments !== undefined && html`<p class="error" id="installments-error">${errors.installments}</p>`}
<select id="installments" name="installments">${counts.map(
    (count) =>
      html`<option value="${count}"${typed.installments === count && html` selected`}>${installmentsText(
        checkout,
        Number(count),
      )}</option>`,
  )}</select>
</div>`
}

interface FormField {
  readonly name: string
  readonly label: string
  /** The value of `autocomplete`. */
  readonly complete: string
  readonly type?: 'text' | 'email'
  /** Shows a numeric keyboard. */
  readonly digits?: boolean
  readonly max?: number
  readonly hint?: string
  /** Takes half a line. */
  readonly short?: boolean
}

const PAYER: readonly FormField[] = [
  { name: 'name', label: 'Nome completo', complete: 'name', max: 255 },
  { name: 'email', label: 'E-mail', complete: 'email', type: 'email', max: 255 },
  { name: 'document', label: 'CPF ou CNPJ', complete: 'off', max: 20 },
]

const CARD: readonly FormField[] = [
  { name: 'card_number', label: 'Número do cartão', complete: 'cc-number', digits: true, max: 40 },
  { name: 'cardholder_name', label: 'Nome impresso no cartão', complete: 'cc-name', max: 100 },
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

const ADDRESS: readonly FormField[] = [
  { name: 'zipcode', label: 'CEP', complete: 'postal-code', digits: true, max: 10, short: true },
  { name: 'state', label: 'Estado', complete: 'address-level1', max: 2, hint: 'Sigla, como SP', short: true },
  { name: 'street', label: 'Rua ou avenida', complete: 'address-line1', max: 255 },
  { name: 'number', label: 'Número', complete: 'off', max: 20, short: true },
  { name: 'district', label: 'Bairro', complete: 'address-line2', max: 100, short: true },
  { name: 'city', label: 'Cidade', complete: 'address-level2', max: 100 },
]

const AMOUNT: FormField = { name: 'amount', label: 'Quanto você quer pagar?', complete: 'off', digits: true }

const IN_ORDER = [AMOUNT, ...PAYER, ...CARD, ...ADDRESS].map(({ name }) => name)

/** Reports whether a field is the first with an error, which gets the focus. */
const isFirstError = (name: string, errors: FieldErrors): boolean =>
  IN_ORDER.find((each) => errors[each] !== undefined) === name

const fieldHtml = (
  { name, label, complete, type = 'text', digits = false, max, hint, short }: FormField,
  typed: TypedFields,
  errors: FieldErrors,
): Html => {
  const error = errors[name] ?? null
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field${short === true && ' short'}">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" value="${
    typed[name] ?? ''
  }"${digits && html` inputmode="decimal"`}${max !== undefined && html` maxlength="${max}"`}${
    describedBy !== '' && html` aria-describedby="${describedBy}"`
  }${error !== null && html` aria-invalid="true"`}${isFirstError(name, errors) && html` autofocus`}>
</div>`
}

const fieldsHtml = (fields: readonly FormField[], typed: TypedFields, errors: FieldErrors): Html =>
  html`<div class="fields">${fields.map((field) => fieldHtml(field, typed, errors))}</div>`

const choiceHtml = (
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
