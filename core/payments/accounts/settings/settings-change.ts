import { issue } from '../../../failure.ts'
import { clearable, nullIfAbsent, optional } from '../../../kernel/input/field.ts'
import { IMAGE_TYPES, image } from '../../../kernel/input/image.ts'
import { allOptional, type DecodedOf, type InputOf, input, object } from '../../../kernel/input/input.ts'
import { rule } from '../../../kernel/input/rules.ts'
import { pick } from '../../../kernel/input/table.ts'
import { email, line, secret } from '../../../kernel/input/texts.ts'
import { accountFields, pinFields } from '../account-fields.ts'
import { isWeakPin } from '../pin/weak-pin.ts'
import { RULE_ABOUTS } from './account-settings-view.ts'
import { addressFields, boletoFields, ruleFields, smtpFields } from './settings-fields.ts'

/** A mail server; without a password the one that is kept serves on, for the same server and user. */
const smtpChange = input(
  null,
  allOptional({
    ...pick(smtpFields, 'host', 'port', 'user'),
    password: secret({ max: 255, about: 'Senha; nunca é mostrada' }),
    ...pick(smtpFields, 'encryption', 'fromName', 'fromAddress'),
  }),
)

const eventRuleFields = {
  ...pick(ruleFields, 'enabled', 'message'),
  /** By e-mail where nobody says how. */
  channels: nullIfAbsent(ruleFields.channels),
}

/** A rule that is on reaches the payer somewhere. */
const somewhere = rule(['enabled', 'channels'], (sent: { enabled: boolean; channels: readonly unknown[] | null }) =>
  sent.enabled && sent.channels?.length === 0 ? [issue('channels', 'required')] : [],
)

const eventRule = input(null, eventRuleFields, somewhere)
const dueRule = input(null, { ...eventRuleFields, ...pick(ruleFields, 'days') }, somewhere)

const rulesChange = input(null, {
  on_creation: clearable(object(eventRule, { about: RULE_ABOUTS.on_creation })),
  on_payment: clearable(object(eventRule, { about: RULE_ABOUTS.on_payment })),
  before_due: clearable(object(dueRule, { about: RULE_ABOUTS.before_due })),
  after_due: clearable(object(dueRule, { about: RULE_ABOUTS.after_due })),
  on_due: clearable(object(dueRule, { about: RULE_ABOUTS.on_due })),
  on_update: clearable(object(eventRule, { about: RULE_ABOUTS.on_update })),
  on_delete: clearable(object(eventRule, { about: RULE_ABOUTS.on_delete })),
})

export const logo = image({ types: IMAGE_TYPES, about: 'Logotipo' })

/** What of an account is to change: what is left out stays, null clears. */
export const accountChangeFields = {
  newPin: optional(pinFields.newPin),
  name: optional(line({ max: 100, about: 'Nome' })),
  email: optional(email({ max: 100, about: 'E-mail' })),
  ...allOptional(pick(accountFields, 'document', 'webhookUrl')),
  address: clearable(object(input(null, allOptional(addressFields)), { about: 'Endereço' })),
  smtp: clearable(object(smtpChange, { about: 'Servidor de e-mail' })),
  /** A rule that is given takes the place of that one alone. */
  notificationRules: clearable(object(rulesChange, { about: 'Avisos ao pagador' })),
  boletoConfigs: clearable(object(input(null, allOptional(boletoFields)), { about: 'Juros e desconto das cobranças' })),
  logo: clearable(logo),
}

/** Fails: `pin.weak`. */
export const strongPin = rule(['newPin'], ({ newPin }: { readonly newPin?: string }) =>
  newPin !== undefined && isWeakPin(newPin) ? [issue('newPin', 'pin.weak')] : [],
)

export const accountChange = input('AccountChange', accountChangeFields, strongPin)

/** A change as a program gives it, and as it was checked. */
export type AccountChange = InputOf<typeof accountChange>
export type CheckedChange = DecodedOf<typeof accountChange>
