import { type Failure, type Issue, invalid, isLeft, issue, left, right } from '../../../core/failure.ts'
import { input, SNAKE_CASE } from '../../../core/kernel/input/mod.ts'
import { useCaseOf } from '../../../core/kernel/running/use-case.ts'
import { digitsFinder } from '../../../core/kernel/values/card-number.ts'
import { dayOf } from '../../../core/kernel/values/day.ts'
import { encodeBase64 } from '../../../core/kernel/values/encoding.ts'
import { containsCardNumber } from '../../../core/payments/cards/card.ts'
import { linkPayment } from '../../../core/payments/checkout/pay-link.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { postedText } from '../../http/pages/page.ts'
import type { HttpRequest } from '../../http/request.ts'
import { INACTIVE } from '../api.ts'
import { messages } from '../messages.ts'
import { linkKeyOf } from './checkout.ts'
import { reais } from './page-parts.ts'
import type { FieldErrors, PayForm, TypedFields } from './pay-page.ts'

/** The posted form; every field is a text. */
export const payForm = input('PaymentLinkForm', {
  key: postedText('Identifica o formulário: enviado de novo, não se paga outra vez'),
  paymentMethod: postedText('PIX, BOLETO ou CARD'),
  amount: postedText('Valor, onde quem paga o escolhe, como `1.234,56`'),
  installments: postedText('Parcelas, no cartão'),
  name: postedText('Nome de quem paga'),
  email: postedText('E-mail de quem paga'),
  document: postedText('CPF ou CNPJ de quem paga'),
  cardNumber: postedText('Número do cartão'),
  cardholderName: postedText('Nome impresso no cartão'),
  expiry: postedText('Validade do cartão, MM/AA'),
  cvv: postedText('Código de segurança do cartão'),
  zipcode: postedText('CEP'),
  street: postedText('Rua'),
  number: postedText('Número'),
  district: postedText('Bairro'),
  city: postedText('Cidade'),
  state: postedText('Sigla do estado'),
})

/** Returns the posted texts by the names of the form's fields. */
export const typedFieldsOf = (sent: Readonly<Record<string, string>>): TypedFields =>
  Object.fromEntries(Object.entries(sent).map(([name, text]) => [SNAKE_CASE.nameOf(name), text.trim()]))

const CARD_DIGITS = 'card.digits'

/** Returns the fields other than the card number that contain its digits. */
const fieldsWithCardDigits = (typed: TypedFields): readonly string[] => {
  const isFound = digitsFinder(typed.card_number)
  return Object.keys(typed).filter((name) => name !== 'card_number' && isFound?.(typed[name] ?? ''))
}

/** Returns the errors of other fields that contain the typed card number, with any method. */
const cardNumberErrors = (typed: TypedFields): FieldErrors =>
  fieldErrors(fieldsWithCardDigits(typed).map((name) => issue(name, CARD_DIGITS)))

/** Fields with as many digits as a card number. */
const LONG_FIELDS = ['key', 'document', 'amount']
const SECRET_FIELDS = ['card_number', 'cvv']

/** Returns the typed fields that the form may show again: none that may contain a card number. */
const refillOf = (typed: TypedFields): TypedFields => {
  const secret = new Set([...SECRET_FIELDS, ...fieldsWithCardDigits(typed)])
  const mayShow = (name: string, text: string) =>
    !secret.has(name) && (LONG_FIELDS.includes(name) || !containsCardNumber(text))
  return Object.fromEntries(Object.entries(typed).filter(([name, text]) => mayShow(name, text)))
}

const DECIMAL_COMMA = /^(?:R\$)?\s*(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/
const DECIMAL_POINT = /^\d+\.\d{1,2}$/

/** Parses `1.234,56` or `1234.56` in reais; returns any other text unchanged. */
const parseReais = (text: string): number | string => {
  if (DECIMAL_POINT.test(text)) return Number(text)
  const [, whole, cents = '0'] = DECIMAL_COMMA.exec(text) ?? []
  return whole === undefined ? text : Number(`${whole.replaceAll('.', '')}.${cents}`)
}

const pick = (typed: TypedFields, ...names: readonly string[]): TypedFields =>
  Object.fromEntries(names.map((name) => [name, typed[name] ?? '']))

const onWire = linkPayment.on(SNAKE_CASE)

/** Decodes the payment of the form, as the API decodes its body. */
const decodePayment = (typed: TypedFields, today: string) =>
  onWire.decode(
    {
      ...pick(typed, 'payment_method', 'name', 'email', 'document'),
      ...(typed.amount ? { amount: parseReais(typed.amount) } : {}),
      ...(typed.payment_method === 'CARD' ? cardFieldsOf(typed) : {}),
    },
    today,
  )

const cardFieldsOf = (typed: TypedFields) => ({
  ...(typed.installments ? { installments: Number(typed.installments) } : {}),
  card: pick(typed, 'card_number', 'cardholder_name', 'expiry', 'cvv'),
  address: pick(typed, 'zipcode', 'street', 'number', 'district', 'city', 'state'),
})

const money = (limit: string | number | undefined): string => reais(Math.round(Number(limit) * 100))

/** Messages for payers instead of those of the API, by code. */
const WORDS: Readonly<Record<string, (params: NonNullable<Issue['params']>) => string>> = {
  required: () => 'Preencha este campo.',
  money: () => 'Digite um valor em reais, como 150,00.',
  'money.min': ({ min }) => `O valor mínimo é ${money(min)}.`,
  'money.max': ({ max }) => `O valor máximo é ${money(max)}.`,
  'one-of': () => 'Escolha uma das opções.',
}

const wordsFor = (found: Issue): string =>
  WORDS[found.code]?.(found.params ?? {}) ??
  Object.values(messages.textOf(invalid([found])).errors ?? {})[0]?.[0]?.message ??
  ''

/** Returns the message of each wrong field; nested fields by their own name, as in the form. */
const fieldErrors = (issues: readonly Issue[]): FieldErrors =>
  Object.fromEntries(
    [...issues].reverse().map((found) => [onWire.pathOf(found.path).split('.').at(-1), wordsFor(found)]),
  )

const SENT =
  'Este pagamento já foi enviado e ainda está em andamento. Aguarde um instante e envie de novo os mesmos dados:'

/** Messages of the failures after which the form can be sent again; other failures have a page of their own. */
const ALERTS: Readonly<Record<string, string>> = {
  'key.running': `${SENT} nada é cobrado duas vezes.`,
  'key.reused':
    'Um pagamento já foi enviado por esta página, com outros dados. Para fazer mais um, confira e envie de novo.',
  'link.processing': 'Há outro pagamento em andamento neste link. Aguarde um instante e tente de novo.',
  'link.throttled': 'Já há cobranças demais por este link. Pague uma que já fez, ou tente de novo mais tarde.',
  'card.throttled': 'Já houve cartões recusados demais. Tente de novo mais tarde, ou escolha outro meio.',
  'card.waiting': 'Outros pagamentos com cartão ainda aguardam resposta. Tente de novo em instantes.',
  'bank.refused': 'O banco não aceitou este pagamento, e nada foi cobrado. Confira os dados ou escolha outro meio.',
  'bank.unavailable': 'Não foi possível falar com o banco, e nada foi cobrado. Tente de novo em instantes.',
  'bank.unsupported': 'Este meio de pagamento não está disponível agora. Escolha outro.',
  'card.declined': 'O cartão não foi aprovado, e nada foi cobrado. Confira os dados, tente outro cartão ou outro meio.',
}

const alertFor = ({ code }: Failure): string | null => ALERTS[code] ?? null

/** A form with the status of its reply. */
export interface ShownForm extends PayForm {
  readonly publicUrl: string
  readonly status: number
  /** The seconds to wait before another try, with status 429. */
  readonly retryAfterSeconds?: number
  /** The code of the failure, if any. */
  readonly fault: string | null
}

/** The result of a sent form: the code of the charge, or the form with its errors. */
export type FormResult = ShownForm | { readonly code: string }

const KEY_BYTES = 24
/** The number of attempts, and their interval, while the same form is still being processed. */
const MAX_ATTEMPTS = 30
const RETRY_MS = 500

/** Opens the empty form of a link. Fails with `organization.inactive` if the account takes no payments. */
export const openForm = (core: Payments, request: HttpRequest) =>
  useCaseOf<ShownForm>()(async () => {
    const opened = await core.checkout.open(linkKeyOf(request))()
    if (isLeft(opened)) return opened
    if (!opened.right.takesPayments) return left(INACTIVE)
    const { random, settings } = core.ports
    const key = encodeBase64(random.bytes(KEY_BYTES))
    const { publicUrl } = settings
    return right({
      checkout: opened.right,
      key,
      typed: {},
      errors: {},
      alert: null,
      publicUrl,
      status: 200,
      fault: null,
    })
  })

/** Checks that the form may be sent. The last payer of an ended link may send the form again. */
export const checkSendable = (core: Payments, request: HttpRequest) =>
  useCaseOf<null>()(async () => {
    const opened = await openForm(core, request)()
    return isLeft(opened) && opened.left.tag !== 'gone' ? opened : right(null)
  })

/** Pays a link by its form, with the use case of the API. A form that is sent again pays once. */
export const payByForm = (core: Payments, request: HttpRequest, typed: TypedFields) =>
  useCaseOf<FormResult>()(async () => {
    const showAgain = async ({ isUsed = false, ...more }: Partial<ShownForm> & { readonly isUsed?: boolean }) => {
      const opened = await openForm(core, request)()
      if (isLeft(opened)) return opened
      // The key stays until the form has paid: an earlier attempt that is sent again does not pay a second time.
      const refill = refillOf(typed)
      const key = isUsed ? opened.right.key : refill.key || opened.right.key
      return right({ ...opened.right, key, typed: refill, ...more })
    }
    const payment = decodePayment(typed, dayOf(core.ports.clock.steady()))
    const errors = { ...cardNumberErrors(typed), ...(isLeft(payment) ? fieldErrors(payment.left) : {}) }
    if (isLeft(payment) || Object.keys(errors).length > 0) return showAgain({ errors, status: 422, fault: 'fields' })
    const paid = await payOnce(core, linkKeyOf(request), payment.right, typed.key ?? '')
    if (!isLeft(paid)) return right({ code: paid.right.charge.code })
    if (paid.left.tag === 'invalid')
      return showAgain({ errors: fieldErrors(paid.left.issues), status: 422, fault: 'fields' })
    const alert = alertFor(paid.left)
    if (alert === null) return paid
    const fault = paid.left.code
    if (paid.left.tag === 'throttled')
      return showAgain({ alert, status: 429, fault, retryAfterSeconds: paid.left.retryAfterSeconds })
    return showAgain({ alert, status: 400, fault, isUsed: fault === 'key.reused' })
  })

type Pay = Payments['checkout']['pay']

/** Pays once per key. A form without a key, from another page, pays each time. */
const payOnce = async (core: Payments, ...[link, payment, key]: [...Parameters<Pay>, string]) => {
  const pay = core.checkout.pay(link, payment)
  if (key === '') return pay()
  for (let attempt = 1; ; attempt += 1) {
    const paid = await pay({ key })
    const isRunning = isLeft(paid) && paid.left.code === 'key.running'
    if (!isRunning || attempt === MAX_ATTEMPTS) return paid
    await core.ports.clock.wait(RETRY_MS)
  }
}
