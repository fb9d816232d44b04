/** A link as it is shown, for the documentation. */
export const linkExample = {
  id: 'kVh2aQ0mZr8TgW5xYc3LdP',
  title: 'Curso de violão',
  description: 'Quatro aulas em grupo',
  amount: 150.5,
  currency: 'BRL',
  is_variable_amount: false,
  min_amount: null,
  max_amount: null,
  status: { value: 1, label: 'Ativo' },
  payment_methods: ['PIX', 'BOLETO', 'CARD'],
  expires_at: '2030-12-31',
  max_uses: 10,
  uses_count: 0,
  success_url: 'https://loja.example/obrigado',
  cancel_url: 'https://loja.example/carrinho',
  webhook_url: 'https://loja.example/webhooks',
  reference_code: 'VIOLAO-2030',
  installments: 3,
  pass_transaction_fee_to_customer: false,
  send_client_id: true,
  public_url: 'https://pay.example.com/pay/kVh2aQ0mZr8TgW5xYc3LdP?token=Rk9vQmFyQmF6UXV4Q29ycmVjdEhvcnNlQmF0dGVyeQ',
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const {
  id: _,
  status,
  uses_count,
  public_url,
  created_at,
  updated_at,
  currency,
  min_amount,
  max_amount,
  ...sent
} = linkExample

/** What made it. */
export const linkSent = sent
