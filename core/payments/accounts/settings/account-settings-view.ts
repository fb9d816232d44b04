import { nullable } from '../../../kernel/input/field.ts'
import { output, view } from '../../../kernel/input/view.ts'
import type { ShownAccount } from '../shown-account.ts'
import {
  type Address,
  type BoletoConfigs,
  type NotificationRule,
  type NotificationRules,
  ofEachRule,
  type RuleName,
} from './account-settings.ts'
import { addressFields, boletoFields, ruleFields, smtpFields } from './settings-fields.ts'

export const addressView = view('AccountAddress', addressFields, (address: Address) => address)

/** The password is never shown: that there is one, `user` says. Source: decisions.md §12, Account. */
export const smtpView = view('SmtpServer', smtpFields, (smtp: NonNullable<ShownAccount['smtp']>) => smtp)

/** When each rule speaks. */
export const RULE_ABOUTS: Readonly<Record<RuleName, string>> = {
  on_creation: 'Quando a cobrança é criada',
  on_payment: 'Quando a cobrança é paga',
  before_due: 'Antes do vencimento',
  after_due: 'Depois do vencimento',
  on_due: 'No dia do vencimento',
  on_update: 'Quando a cobrança é alterada',
  on_delete: 'Quando a cobrança é excluída',
}

const ruleView = view('NotificationRule', ruleFields, (rule: NotificationRule) => rule)

/** The rules that were given, null in the place of the others. */
export const rulesView = view(
  'NotificationRules',
  ofEachRule((name) => nullable(output.view(ruleView, { about: RULE_ABOUTS[name] }))),
  (rules: NotificationRules) => rules,
)

export const boletoView = view('BoletoConfigs', boletoFields, (configs: BoletoConfigs) => configs)
