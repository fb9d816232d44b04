import { list, nullIfAbsent } from '../../kernel/input/field.ts'
import { storedTypes } from '../../kernel/input/input.ts'
import { alphanumeric, email, flag, hundredths, integer, line, oneOf, text } from '../../kernel/input/scalars.ts'
import { orNull, record, t } from '../../kernel/records/record.ts'
import { RATE_TYPES } from '../terms/amount-due.ts'

const MAX_PORT = 65_535
const MAX_MESSAGE = 500
const MAX_DAYS = 365
const MAX_RATE = 100_000

export const addressFields = {
  street: nullIfAbsent(line({ max: 255, about: 'Logradouro' })),
  number: nullIfAbsent(line({ max: 20, about: 'Número' })),
  city: nullIfAbsent(line({ max: 100, about: 'Cidade' })),
  state: nullIfAbsent(
    text({
      max: 2,
      pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' },
      casing: 'upper',
      about: 'Sigla do estado, com 2 letras',
    }),
  ),
  zipCode: nullIfAbsent(alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' })),
}

const ENCRYPTIONS = ['tls', 'ssl'] as const
const HOST = /^(?=.{1,255}$)([A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?\.)*[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?$/

/** The mail server that sends an account's mails. */
export const smtpFields = {
  host: text({ max: 255, pattern: { regex: HOST, code: 'host' }, casing: 'lower', about: 'Servidor' }),
  port: integer({ min: 1, max: MAX_PORT, about: 'Porta' }),
  user: line({ max: 255, about: 'Usuário' }),
  /** `ssl` from the first byte, `tls` by STARTTLS, which is then required. */
  encryption: oneOf(ENCRYPTIONS, { about: 'Criptografia: ssl desde o início, tls por STARTTLS' }),
  fromName: line({ max: 100, about: 'Nome do remetente' }),
  fromAddress: email({ max: 255, about: 'E-mail do remetente' }),
}

export const CHANNELS = ['email', 'whatsapp', 'sms'] as const

/** A notification rule: the time and channel of a notice to the payer of a charge. */
export const ruleFields = {
  enabled: flag({ about: 'Se o aviso é enviado' }),
  /** Sent unchanged; null for the default text. */
  message: nullIfAbsent(text({ max: MAX_MESSAGE, about: 'Texto do aviso; nulo para o texto padrão' })),
  channels: list(oneOf(CHANNELS), { max: CHANNELS.length, about: 'Por onde o aviso é enviado' }),
  /** Days before or after the due date, for the rules around it. */
  days: nullIfAbsent(integer({ min: 0, max: MAX_DAYS, about: 'Quantos dias antes ou depois do vencimento' })),
}

/** The default interest and discount of charges that specify none. */
export const boletoFields = {
  /** Percent a month, or reais a day, in hundredths. */
  rateHundredths: nullIfAbsent(
    hundredths({ min: 0, max: MAX_RATE, wire: 'rate', about: 'Juros: percentual ao mês ou reais ao dia' }),
  ),
  typeRate: nullIfAbsent(oneOf(RATE_TYPES, { about: 'Tipo dos juros' })),
  /** Percent, or reais, in hundredths. */
  discountHundredths: nullIfAbsent(
    hundredths({ min: 0, max: MAX_RATE, wire: 'discount', about: 'Desconto: percentual ou reais' }),
  ),
  typeDiscount: nullIfAbsent(oneOf(RATE_TYPES, { about: 'Tipo do desconto' })),
}

export const address = record(storedTypes(addressFields))
export type Address = t.TypeOf<typeof address>

export const smtp = record({
  ...storedTypes(smtpFields),
  /** Sealed under `DATA_KEY`. */
  passwordSealed: t.string,
})
export type Smtp = t.TypeOf<typeof smtp>

export const RULE_NAMES = [
  'on_creation',
  'on_payment',
  'before_due',
  'after_due',
  'on_due',
  'on_update',
  'on_delete',
] as const
export type RuleName = (typeof RULE_NAMES)[number]

/** Builds an object with one value per rule. */
export const perRule = <A>(of: (name: RuleName) => A): { readonly [K in RuleName]: A } =>
  Object.fromEntries(RULE_NAMES.map((name) => [name, of(name)])) as { readonly [K in RuleName]: A }

const rule = record(storedTypes(ruleFields))
export const notificationRules = record(perRule(() => orNull(rule)))
export type NotificationRule = t.TypeOf<typeof rule>
export type NotificationRules = t.TypeOf<typeof notificationRules>

export const NO_RULES: NotificationRules = perRule(() => null)

export const boletoConfigs = record(storedTypes(boletoFields))
export type BoletoConfigs = t.TypeOf<typeof boletoConfigs>
