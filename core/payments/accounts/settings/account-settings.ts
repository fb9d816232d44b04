import { t } from '../../../fp.ts'
import { orNull, record, word } from '../../../kernel/records/record.ts'
import { RATE_TYPES } from '../../terms/amount-due.ts'

export const address = record({
  street: orNull(t.string),
  number: orNull(t.string),
  city: orNull(t.string),
  /** Two letters. */
  state: orNull(t.string),
  /** Letters and digits, without marks. */
  zipCode: orNull(t.string),
})
export type Address = t.TypeOf<typeof address>

export const ENCRYPTIONS = ['tls', 'ssl'] as const

export const smtp = record({
  host: t.string,
  port: t.number,
  user: t.string,
  /** Sealed under `DATA_KEY`: it is never shown. */
  passwordSealed: t.string,
  /** `ssl` from the first byte, `tls` by STARTTLS, which is then required. */
  encryption: word(...ENCRYPTIONS),
  fromName: t.string,
  fromAddress: t.string,
})
/** The mail server that an account's mails go out through. */
export type Smtp = t.TypeOf<typeof smtp>

export const CHANNELS = ['email', 'whatsapp', 'sms'] as const

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

/** When and how a payer is told of a charge. Source: decisions.md §3, Notification rules. */
const rule = record({
  enabled: t.boolean,
  /** Sent as it is; null for a text of ours. */
  message: orNull(t.string),
  channels: t.array(word(...CHANNELS)),
  /** Of the rules around the due date: how many days before or after it. */
  days: orNull(t.number),
})

const rules = Object.fromEntries(RULE_NAMES.map((name) => [name, orNull(rule)]))
export const notificationRules = record(rules as { readonly [K in RuleName]: ReturnType<typeof orNull<typeof rule>> })
export type NotificationRule = t.TypeOf<typeof rule>
export type NotificationRules = t.TypeOf<typeof notificationRules>

/** What an account has that was given its first rule: none of the others. */
export const NO_RULES: NotificationRules = {
  on_creation: null,
  on_payment: null,
  before_due: null,
  after_due: null,
  on_due: null,
  on_update: null,
  on_delete: null,
}

export const boletoConfigs = record({
  /** Percent a month, or reais a day, in hundredths. */
  rateHundredths: orNull(t.number),
  typeRate: orNull(word(...RATE_TYPES)),
  /** Percent, or reais, in hundredths. */
  discountHundredths: orNull(t.number),
  typeDiscount: orNull(word(...RATE_TYPES)),
})
/** What a charge asks that says nothing itself. Source: decisions.md §3. */
export type BoletoConfigs = t.TypeOf<typeof boletoConfigs>
