import { type Html, html } from '../../../http/pages/page.ts'

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
