/** An account, for the documentation. */
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
