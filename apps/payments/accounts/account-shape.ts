import { t } from '../../../core/fp.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { CHANNELS, ENCRYPTIONS } from '../../../core/payments/accounts/settings/account-settings.ts'
import { RATE_TYPES } from '../../../core/payments/terms/amount-due.ts'

const taxesShape = t.type({
  pix_in: out.reais,
  pix_out: out.reais,
  boleto_in: out.reais,
  boleto: out.reais,
  bolepix: out.reais,
  fee: t.number,
})

const limitsShape = t.type({
  pix_out_per_transaction: out.nullable(out.reais),
  pix_out_daily: out.nullable(out.reais),
  pix_out_nightly: out.nullable(out.reais),
  charge_min: out.nullable(out.reais),
  charge_max: out.nullable(out.reais),
})

const addressShape = t.type({
  street: out.nullable(t.string),
  number: out.nullable(t.string),
  city: out.nullable(t.string),
  state: out.nullable(t.string),
  zip_code: out.nullable(t.string),
})

const smtpShape = t.type({
  host: t.string,
  port: out.integer,
  user: t.string,
  encryption: out.oneOf(ENCRYPTIONS),
  from_name: t.string,
  from_address: t.string,
})

const ruleShape = t.type({
  enabled: t.boolean,
  message: out.nullable(t.string),
  channels: t.array(out.oneOf(CHANNELS)),
  days: out.nullable(out.count),
})

const rulesShape = t.type({
  on_creation: out.nullable(ruleShape),
  on_payment: out.nullable(ruleShape),
  before_due: out.nullable(ruleShape),
  after_due: out.nullable(ruleShape),
  on_due: out.nullable(ruleShape),
  on_update: out.nullable(ruleShape),
  on_delete: out.nullable(ruleShape),
})

const boletoShape = t.type({
  rate: out.nullable(t.number),
  type_rate: out.nullable(out.oneOf(RATE_TYPES)),
  discount: out.nullable(t.number),
  type_discount: out.nullable(out.oneOf(RATE_TYPES)),
})

/** An account as `accountView` shows it. */
export const accountShape = t.type({
  id: out.id,
  code_account: t.string,
  client_id: t.null,
  name: t.string,
  email: out.nullable(t.string),
  document: t.string,
  agency: t.string,
  account: t.string,
  token: out.nullable(t.string),
  webhook_secret: out.nullable(t.string),
  status: t.type({ code: out.integer, title: t.string }),
  webhook_url: out.nullable(t.string),
  path_logo: out.nullable(t.string),
  bank: t.string,
  bank_id: out.nullable(out.id),
  address: out.nullable(addressShape),
  smtp: out.nullable(smtpShape),
  notification_rules: out.nullable(rulesShape),
  boleto_configs: out.nullable(boletoShape),
  taxes: taxesShape,
  limits: limitsShape,
  has_pin: t.boolean,
  created_at: out.instant,
  updated_at: out.instant,
})

/** An example of it, for the documentation. */
export const accountExample = {
  id: 1,
  code_account: 'kVh2aQ0mZr8TgW5xYc3LdP',
  client_id: null,
  name: 'Padaria Central',
  email: 'contato@padaria.com.br',
  document: '11222333000181',
  agency: '0001',
  account: '12345-6',
  token: 'q7Yw2Lr9Tn4Kd8Vb3Xc6Zm1Hs5Gj0Pf7Aq2We9Rt',
  webhook_secret: 'whsec_3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  status: { code: 1, title: 'Ativa' },
  webhook_url: null,
  path_logo: null,
  bank: '748',
  bank_id: 25,
  address: null,
  smtp: null,
  notification_rules: null,
  boleto_configs: null,
  taxes: { pix_in: 0, pix_out: 0, boleto_in: 0, boleto: 0, bolepix: 0, fee: 0 },
  limits: {
    pix_out_per_transaction: null,
    pix_out_daily: null,
    pix_out_nightly: null,
    charge_min: null,
    charge_max: null,
  },
  has_pin: false,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const settingsExample = {
  address: { street: 'Rua das Flores', number: '100', city: 'Porto Alegre', state: 'RS', zip_code: '90000000' },
  notification_rules: {
    on_payment: { enabled: true, message: 'Recebemos seu pagamento. Obrigado!', channels: ['email'] },
    before_due: { enabled: true, message: null, channels: ['email', 'whatsapp'], days: 3 },
  },
  boleto_configs: { rate: 1, type_rate: 'PERCENTAGE', discount: 5, type_discount: 'PERCENTAGE' },
}

const smtpExample = {
  host: 'smtp.padaria.example',
  port: 587,
  user: 'contato',
  encryption: 'tls',
  from_name: 'Padaria Central',
  from_address: 'contato@padaria.example',
}

/** What is asked for, in an example of a change. */
export const accountChangeExample = {
  pin: '135790',
  name: 'Padaria Central',
  webhook_url: 'https://padaria.example/webhooks',
  ...settingsExample,
  smtp: { ...smtpExample, password: 'segredo do servidor' },
}

const { on_payment, before_due } = settingsExample.notification_rules

/** And what became of it. */
export const changedAccountExample = {
  ...accountExample,
  webhook_url: 'https://padaria.example/webhooks',
  ...settingsExample,
  notification_rules: {
    on_creation: null,
    on_payment: { ...on_payment, days: null },
    before_due,
    after_due: null,
    on_due: null,
    on_update: null,
    on_delete: null,
  },
  smtp: smtpExample,
  has_pin: true,
}
