import type { Address, BoletoConfigs, NotificationRules, Smtp } from './account-settings.ts'

export const addressView = (address: Address | null) =>
  address && {
    street: address.street,
    number: address.number,
    city: address.city,
    state: address.state,
    zip_code: address.zipCode,
  }

/** The password is never shown: that there is one, `user` says. Source: decisions.md §12, Account. */
export const smtpView = (smtp: Smtp | null) =>
  smtp && {
    host: smtp.host,
    port: smtp.port,
    user: smtp.user,
    encryption: smtp.encryption,
    from_name: smtp.fromName,
    from_address: smtp.fromAddress,
  }

/** The rules that were given, null in the place of the others. */
export const rulesView = (rules: NotificationRules | null) =>
  rules && {
    on_creation: rules.on_creation,
    on_payment: rules.on_payment,
    before_due: rules.before_due,
    after_due: rules.after_due,
    on_due: rules.on_due,
    on_update: rules.on_update,
    on_delete: rules.on_delete,
  }

const fromHundredths = (hundredths: number | null): number | null => (hundredths === null ? null : hundredths / 100)

export const boletoView = (configs: BoletoConfigs | null) =>
  configs && {
    rate: fromHundredths(configs.rateHundredths),
    type_rate: configs.typeRate,
    discount: fromHundredths(configs.discountHundredths),
    type_discount: configs.typeDiscount,
  }
