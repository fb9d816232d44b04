import { issue } from '../../../core/failure.ts'
import { body, type Decoded, object } from '../../../core/kernel/input/body.ts'
import { list, nullIfAbsent, optional, orNull } from '../../../core/kernel/input/codec.ts'
import { flag, oneOf } from '../../../core/kernel/input/fields/choices.ts'
import { hundredths, integer } from '../../../core/kernel/input/fields/numbers.ts'
import { digits, email, line, secret, taxId, text, unmarked, url } from '../../../core/kernel/input/fields/texts.ts'
import { rule } from '../../../core/kernel/input/rules.ts'
import { isWeakPin } from '../../../core/payments/accounts/pin/weak-pin.ts'
import { CHANNELS, ENCRYPTIONS } from '../../../core/payments/accounts/settings/account-settings.ts'
import type { AccountChange } from '../../../core/payments/accounts/settings/update-account.ts'
import { RATE_TYPES } from '../../../core/payments/terms/amount-due.ts'
import { imageFileOrUri } from '../../http/fields/image.ts'

const MAX_NAME = 100
const MAX_PORT = 65_535
const MAX_MESSAGE = 500
const MAX_DAYS = 365
const MAX_RATE = 100_000

const address = body({
  street: orNull(line({ max: 255 })),
  number: orNull(line({ max: 20 })),
  city: orNull(line({ max: 100 })),
  state: orNull(text({ max: 2, pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' } })),
  zip_code: orNull(unmarked({ max: 20 })),
})

const HOST = /^(?=.{1,255}$)([A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?\.)*[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?$/

const smtp = body({
  host: optional(text({ max: 255, pattern: { regex: HOST, code: 'host' } })),
  port: optional(integer({ min: 1, max: MAX_PORT })),
  user: optional(line({ max: 255 })),
  password: optional(secret({ max: 255 })),
  encryption: optional(oneOf(ENCRYPTIONS)),
  from_name: optional(line({ max: 100 })),
  from_address: optional(email({ max: 255 })),
})

const channels = nullIfAbsent(list(oneOf(CHANNELS), { max: CHANNELS.length }))
const ruleFields = { enabled: flag(), message: nullIfAbsent(text({ max: MAX_MESSAGE })), channels }
const dueFields = { ...ruleFields, days: nullIfAbsent(integer({ min: 0, max: MAX_DAYS })) }

/** A rule that is on reaches the payer somewhere. */
const somewhere = rule(['enabled', 'channels'], (sent: { enabled: boolean; channels: readonly unknown[] | null }) =>
  sent.enabled && sent.channels?.length === 0 ? [issue('channels', 'required')] : [],
)
/** Where nobody says how. */
const USUAL_CHANNELS = ['email'] as const

const eventRule = orNull(object(body(ruleFields, somewhere)))
const dueRule = orNull(object(body(dueFields, somewhere)))

const rules = body({
  on_creation: eventRule,
  on_payment: eventRule,
  before_due: dueRule,
  after_due: dueRule,
  on_due: dueRule,
  on_update: eventRule,
  on_delete: eventRule,
})

const boleto = body({
  rate: orNull(hundredths({ min: 0, max: MAX_RATE })),
  type_rate: orNull(oneOf(RATE_TYPES)),
  discount: orNull(hundredths({ min: 0, max: MAX_RATE })),
  type_discount: orNull(oneOf(RATE_TYPES)),
})

const fields = {
  new_pin: optional(digits({ length: 6 })),
  name: optional(line({ max: MAX_NAME })),
  email: optional(email({ max: 100 })),
  document: optional(taxId()),
  webhook_url: orNull(url()),
  address: orNull(object(address)),
  smtp: orNull(object(smtp)),
  notification_rules: orNull(object(rules)),
  boleto_configs: orNull(object(boleto)),
  logo: orNull(imageFileOrUri('image/png', 'image/jpeg', 'image/webp')),
}

/** Everything of it but the PIN, which is asked before. Source: 01-access.md, PUT /access/account. */
export const accountBody = body(
  fields,
  rule(['new_pin'], ({ new_pin: pin }) => (pin !== undefined && isWeakPin(pin) ? [issue('new_pin', 'pin.weak')] : [])),
)

type Sent = Decoded<typeof fields>
type SentRules = NonNullable<Sent['notification_rules']>
type SentRule = NonNullable<SentRules['before_due'] | SentRules['on_payment']>

const ruleOf = (sent: SentRule) => ({
  enabled: sent.enabled,
  message: sent.message,
  channels: [...new Set(sent.channels ?? USUAL_CHANNELS)],
  days: 'days' in sent ? (sent.days ?? null) : null,
})

const rulesOf = (sent: SentRules): AccountChange['notificationRules'] =>
  Object.fromEntries(Object.entries(sent).map(([name, each]) => [name, each && ruleOf(each)]))

/** What was sent, in the core's words; what was not stays undefined, and null stays null. */
export const accountChangeOf = (sent: Sent): AccountChange => ({
  name: sent.name,
  email: sent.email,
  document: sent.document,
  webhookUrl: sent.webhook_url,
  address: sent.address && {
    street: sent.address.street,
    number: sent.address.number,
    city: sent.address.city,
    state: sent.address.state?.toUpperCase() ?? sent.address.state,
    zipCode: sent.address.zip_code,
  },
  smtp: sent.smtp && {
    host: sent.smtp.host?.toLowerCase(),
    port: sent.smtp.port,
    user: sent.smtp.user,
    password: sent.smtp.password,
    encryption: sent.smtp.encryption,
    fromName: sent.smtp.from_name,
    fromAddress: sent.smtp.from_address,
  },
  notificationRules: sent.notification_rules && rulesOf(sent.notification_rules),
  boletoConfigs: sent.boleto_configs && {
    rateHundredths: sent.boleto_configs.rate,
    typeRate: sent.boleto_configs.type_rate,
    discountHundredths: sent.boleto_configs.discount,
    typeDiscount: sent.boleto_configs.type_discount,
  },
  logo: sent.logo,
  newPin: sent.new_pin,
})
