import { type Failure, type Issue, invalid, issue } from '../../../../core/failure.ts'
import { SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { digitsFinder } from '../../../../core/kernel/values/card-number.ts'
import { containsCardNumber } from '../../../../core/payments/cards/card.ts'
import { linkPayment } from '../../../../core/payments/checkout/pay-link.ts'
import { posted } from '../../../http/pages/page.ts'
import { messages } from '../../messages.ts'
import type { Typed, Wrong } from './pay-fields.ts'
import { reais } from './payee.ts'

/** What the page posts, all of it texts. */
export const payForm = input('PaymentLinkForm', {
  key: posted('Identifica o formulário: enviado de novo, não se paga outra vez'),
  paymentMethod: posted('PIX, BOLETO ou CARD'),
  amount: posted('Valor, onde quem paga o escolhe, como `1.234,56`'),
  installments: posted('Parcelas, no cartão'),
  name: posted('Nome de quem paga'),
  email: posted('E-mail de quem paga'),
  document: posted('CPF ou CNPJ de quem paga'),
  cardNumber: posted('Número do cartão'),
  cardholderName: posted('Nome impresso no cartão'),
  expiry: posted('Validade do cartão, MM/AA'),
  cvv: posted('Código de segurança do cartão'),
  zipcode: posted('CEP'),
  street: posted('Rua'),
  number: posted('Número'),
  district: posted('Bairro'),
  city: posted('Cidade'),
  state: posted('Sigla do estado'),
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
  Object.values(messages.say(invalid([found])).errors ?? {})[0]?.[0]?.message ??
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
