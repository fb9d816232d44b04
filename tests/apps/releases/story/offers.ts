import { rows } from '../../../../apps/payments/rows.ts'
import * as rooms from '../../../../core/payments/modules.ts'
import { MARIA, type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import { makesPlain } from '../plain.ts'

const MADE: Readonly<Record<string, object>> = {
  '/invoices_groups': { name: 'Mensalidades', slug: 'mensalidades', json: '{"turma":"A"}' },
  '/payment-plans': { description: 'Em doze vezes', interval: 1, interval_type: 'months', installments_count: 12 },
  '/clients': {
    name: 'Bento Lima',
    email: 'bento@example.com',
    document: '111.444.777-35',
    type: 'individual',
    address: { street: 'Rua A', city: 'Recife', state: 'PE' },
    metadata: [{ label: 'turma', value: 'A' }],
    fb_access_token: 'EAAB-segredo',
  },
  '/billing/payment-links': {
    title: 'Curso de violão',
    payment_methods: ['PIX'],
    amount: 150.5,
    expires_at: '2026-12-31',
    max_uses: 10,
    webhook_url: 'https://loja.example/webhooks',
  },
}

/** What an account keeps to charge by: a group, a plan, a client and a link; and charges by that plan, of that group; and whatever else is plain. */
export const offers = async (api: TestApi, { token }: Merchant): Promise<void> => {
  const made = new Map<string, number>()
  for (const [path, body] of Object.entries(MADE))
    made.set(path, worked(await api.ask('POST', path, { token, body })).data.id)
  const ids = { payment_plan_id: made.get('/payment-plans'), charge_group_id: made.get('/invoices_groups') }
  const body = { ...MARIA, value: 1_200, due_date: '2026-12-10', ...ids }
  worked(await api.ask('POST', '/invoices/with-plan', { token, body }))
  await makesPlain(api, token, rooms, rows)
}
