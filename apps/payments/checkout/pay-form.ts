import { type Failure, failure, type Issue, invalid, issue } from '../../../core/failure.ts'
import { isLeft, left, right } from '../../../core/fp.ts'
import { SNAKE_CASE } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { useCaseOf } from '../../../core/kernel/running/use-case.ts'
import { digitsFinder } from '../../../core/kernel/values/card-number.ts'
import { dayOf } from '../../../core/kernel/values/day.ts'
import { encodeBase64 } from '../../../core/kernel/values/encoding.ts'
import { containsCardNumber } from '../../../core/payments/cards/card.ts'
import { linkPayment } from '../../../core/payments/checkout/pay-link.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { postedText } from '../../http/pages/page.ts'
import type { HttpRequest } from '../../http/request.ts'
import { messages } from '../messages.ts'
import { linkKeyOf } from './checkout.ts'
import { reais } from './page-parts.ts'
import type { PayForm, Typed, Wrong } from './pay-page.ts'

/** What the page posts, all of it texts. */
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

/** What was posted, by the names of the form's fields. */
export const typedIn = (sent: Readonly<Record<string, string>>): Typed =>
  Object.fromEntries(Object.entries(sent).map(([name, text]) => [SNAKE_CASE.nameOf(name), text.trim()]))

const CARD_DIGITS = 'card.digits'

/** The fields that contain the digits of the card's number; the number itself is where it belongs. */
const withCardDigits = (typed: Typed): readonly string[] => {
  const isFound = digitsFinder(typed.card_number)
  return Object.keys(typed).filter((name) => name !== 'card_number' && isFound?.(typed[name] ?? ''))
}

/** Returns the errors of fields that contain the number of the card that was typed, with any method. */
export const leakingFields = (typed: Typed): Wrong =>
  wrongFields(withCardDigits(typed).map((name) => issue(name, CARD_DIGITS)))

/** As many digits as a CNPJ or the largest amount has: elsewhere so many may be a card's number. */
const LONG_FIELDS = ['key', 'document', 'amount']
const SECRET_FIELDS = ['card_number', 'cvv']

/** Returns what a form may show again of what was typed: nothing that may be the number of a card. */
export const refillOf = (typed: Typed): Typed => {
  const left = new Set([...SECRET_FIELDS, ...withCardDigits(typed)])
  const mayShow = (name: string, text: string) =>
    !left.has(name) && (LONG_FIELDS.includes(name) || !containsCardNumber(text))
  return Object.fromEntries(Object.entries(typed).filter(([name, text]) => mayShow(name, text)))
}

const IN_REAIS = /^(?:R\$)?\s*(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/
const WITH_A_POINT = /^\d+\.\d{1,2}$/

/** `1.234,56` and `1234.56` in reais; what reads as neither stays a text. */
const reaisIn = (text: string): number | string => {
  if (WITH_A_POINT.test(text)) return Number(text)
  const [, whole, cents = '0'] = IN_REAIS.exec(text) ?? []
  return whole === undefined ? text : Number(`${whole.replaceAll('.', '')}.${cents}`)
}

const pick = (typed: Typed, ...names: readonly string[]): Typed =>
  Object.fromEntries(names.map((name) => [name, typed[name] ?? '']))

const onWire = linkPayment.on(SNAKE_CASE)

/** The payment that the form asks for, or what is wrong with it. */
export const paymentIn = (typed: Typed, today: string) =>
  onWire.decode(
    {
      ...pick(typed, 'payment_method', 'name', 'email', 'document'),
      ...(typed.amount ? { amount: reaisIn(typed.amount) } : {}),
      ...(typed.payment_method === 'CARD' ? cardIn(typed) : {}),
    },
    today,
  )

const cardIn = (typed: Typed) => ({
  ...(typed.installments ? { installments: Number(typed.installments) } : {}),
  card: pick(typed, 'card_number', 'cardholder_name', 'expiry', 'cvv'),
  address: pick(typed, 'zipcode', 'street', 'number', 'district', 'city', 'state'),
})

const money = (limit: string | number | undefined): string => reais(Math.round(Number(limit) * 100))

/** To whoever fills in a form, where the words for programs are none. */
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

/** What is wrong with each field of the form: a field of an object is the form's own. */
export const wrongFields = (issues: readonly Issue[]): Wrong =>
  Object.fromEntries(
    [...issues].reverse().map((found) => [onWire.pathOf(found.path).split('.').at(-1), wordsFor(found)]),
  )

const SENT =
  'Este pagamento já foi enviado e ainda está em andamento. Aguarde um instante e envie de novo os mesmos dados:'

/** What somebody can do about it by another try: the rest is said by a page of its own. */
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

export const alertFor = ({ code }: Failure): string | null => ALERTS[code] ?? null

/** A form as it is shown. */
export interface ShownForm extends PayForm {
  readonly publicUrl: string
  readonly status: number
  /** The seconds to wait before another try, with status 429. */
  readonly retryAfterSeconds?: number
  /** The code of the failure that it shows, if it shows one. */
  readonly fault: string | null
}

/** What came of a form that was sent: a charge, or the form with what is wrong. */
export type Sent = ShownForm | { readonly code: string }

const INACTIVE = failure('forbidden', 'organization.inactive')

const KEY_BYTES = 24
/** How often somebody who sends a form twice at once is looked up what became of the first, and how long apart. */
const LOOKS = 30
const WAIT_MS = 500

/** The form of a link, empty: there is none where its account takes no payments. */
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
      wrong: {},
      alert: null,
      publicUrl,
      status: 200,
      fault: null,
    })
  })

/** Whether there is a form to send. By a link that is over, whoever paid last may send theirs again. */
export const mayBeSent = (core: Payments, request: HttpRequest) =>
  useCaseOf<null>()(async () => {
    const opened = await openForm(core, request)()
    return isLeft(opened) && opened.left.tag !== 'gone' ? opened : right(null)
  })

/** What was typed is a payment by the same use case as that of the API, answered by pages; the same form pays once. */
export const payBy = (core: Payments, request: HttpRequest, typed: Typed) =>
  useCaseOf<Sent>()(async () => {
    const again = async ({ isUsed = false, ...more }: Partial<ShownForm> & { readonly isUsed?: boolean }) => {
      const opened = await openForm(core, request)()
      if (isLeft(opened)) return opened
      // It is one form until it has paid: whoever sends an earlier try of it again pays no second time.
      const refill = refillOf(typed)
      const key = isUsed ? opened.right.key : refill.key || opened.right.key
      return right({ ...opened.right, key, typed: refill, ...more })
    }
    const asked = paymentIn(typed, dayOf(core.ports.clock.steady()))
    const wrong = { ...leakingFields(typed), ...(isLeft(asked) ? wrongFields(asked.left) : {}) }
    if (isLeft(asked) || Object.keys(wrong).length > 0) return again({ wrong, status: 422, fault: 'fields' })
    const paid = await payOnce(core, linkKeyOf(request), asked.right, typed.key ?? '')
    if (!isLeft(paid)) return right({ code: paid.right.charge.code })
    if (paid.left.tag === 'invalid')
      return again({ wrong: wrongFields(paid.left.issues), status: 422, fault: 'fields' })
    const alert = alertFor(paid.left)
    if (alert === null) return paid
    const fault = paid.left.code
    if (paid.left.tag === 'throttled')
      return again({ alert, status: 429, fault, retryAfterSeconds: paid.left.retryAfterSeconds })
    return again({ alert, status: 400, fault, isUsed: fault === 'key.reused' })
  })

type Pay = Payments['checkout']['pay']

/** A form without a key, of no page of ours, pays as often as it is sent. */
const payOnce = async (core: Payments, ...[by, payment, key]: [...Parameters<Pay>, string]) => {
  const pay = core.checkout.pay(by, payment)
  if (key === '') return pay()
  for (let looked = 1; ; looked += 1) {
    const paid = await pay({ key })
    const isRunning = isLeft(paid) && paid.left.code === 'key.running'
    if (!isRunning || looked === LOOKS) return paid
    await core.ports.clock.wait(WAIT_MS)
  }
}
