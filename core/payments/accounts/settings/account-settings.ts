import { t } from '../../../fp.ts'
import { storedTypes } from '../../../kernel/input/table.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { addressFields, boletoFields, ruleFields, smtpFields } from './settings-fields.ts'

export const address = record(storedTypes(addressFields))
export type Address = t.TypeOf<typeof address>

export const smtp = record({
  ...storedTypes(smtpFields),
  /** Sealed under `DATA_KEY`: it is never shown. */
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

/** The same for each rule. */
export const ofEachRule = <A>(of: (name: RuleName) => A): { readonly [K in RuleName]: A } =>
  Object.fromEntries(RULE_NAMES.map((name) => [name, of(name)])) as { readonly [K in RuleName]: A }

const rule = record(storedTypes(ruleFields))
export const notificationRules = record(ofEachRule(() => orNull(rule)))
export type NotificationRule = t.TypeOf<typeof rule>
export type NotificationRules = t.TypeOf<typeof notificationRules>

/** What an account has that was given its first rule: none of the others. */
export const NO_RULES: NotificationRules = ofEachRule(() => null)

export const boletoConfigs = record(storedTypes(boletoFields))
export type BoletoConfigs = t.TypeOf<typeof boletoConfigs>
