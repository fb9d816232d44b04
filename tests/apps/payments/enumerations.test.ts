import test from 'ava'
import { openTestApi, pluck, pluckAll, worked } from './test-api.ts'

const lists: Readonly<Record<string, unknown>> = {
  'payment-method': [
    { value: 'pix', name: 'Pix' },
    { value: 'credit_card', name: 'Cartão de crédito' },
    { value: 'boleto', name: 'Boleto' },
    { value: 'bolepix', name: 'Bolepix' },
  ],
  'user-status': [
    { value: 1, name: 'Ativo' },
    { value: 2, name: 'Inativo' },
    { value: 3, name: 'Bloqueado' },
  ],
  'boleto-status': [
    { value: 1, name: 'Emitido' },
    { value: 2, name: 'Pago' },
    { value: 3, name: 'Cancelado' },
    { value: 4, name: 'Recusado' },
    { value: 5, name: 'Rejeitado' },
  ],
  'pix-status': [
    { value: 1, name: 'Pendente' },
    { value: 2, name: 'Pago' },
    { value: 3, name: 'Cancelado' },
  ],
  'webhook-status': [
    { value: 'pending', title: 'Pendente' },
    { value: 'delivered', title: 'Entregue' },
    { value: 'failed', title: 'Falhou' },
  ],
  'status-clients': [
    { id: 1, title: 'ACTIVE' },
    { id: 2, title: 'INACTIVE' },
    { id: 3, title: 'DELETED' },
  ],
  'charge-status': [
    { id: 1, title: 'pending', description: 'Pendente' },
    { id: 2, title: 'paid', description: 'Pago' },
    { id: 3, title: 'cancelled', description: 'Cancelado' },
    { id: 4, title: 'expired', description: 'Expirado' },
    { id: 5, title: 'failed', description: 'Falhou' },
    { id: 6, title: 'DELETED', description: 'Apagado' },
    { id: 7, title: 'paidwithpix', description: 'Pago com Pix' },
  ],
  'status/payment_links': [
    { value: 1, label: 'Ativo' },
    { value: 2, label: 'Pausado' },
    { value: 3, label: 'Expirado' },
  ],
}

const TYPES = [
  ...['charge.created', 'charge.updated', 'charge.paid', 'charge.expired', 'charge.cancelled', 'charge.deleted'],
  ...['charge.failed', 'charge.refunded', 'payment_link.paid', 'withdraw.completed', 'withdraw.failed', 'pix.received'],
  ...['export.ready', 'charge.partially_paid', 'charge.overpaid', 'split.received', 'charge.rest_refused'],
]

test('lists each enumeration without a token', async (t) => {
  const { ask } = await openTestApi(t)
  const get = async (path: string) => worked(await ask('GET', `/enums/${path}`))
  for (const [path, list] of Object.entries(lists)) t.deepEqual(await get(path), list, path)
  const types = await get('webhook-type')
  t.deepEqual(pluck(types, 'value'), TYPES)
  t.true(types.every(({ title }: { readonly title: string }) => title.length > 0))
  const transactions = await get('type-transactions')
  t.is(transactions.length, 14)
  t.deepEqual(transactions.at(-1), { id: 17, slug: 'card-withdrawal', name: 'Saque Cartão' })
  t.deepEqual(pluckAll((await get('status/pix-withdraw')).data, 'value', 'title'), [
    ['pending', 'Pendente'],
    ['completed', 'Pago'],
    ['failed', 'Falhou'],
  ])
})

const SICREDI = 25
const ITAU = 410
const BRASIL = 1
const searches: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['code=748', [SICREDI]],
  ['code=1', [BRASIL]],
  ['code=001', [BRASIL]],
  ['code=999', []],
  ['ispb=01181521', [SICREDI]],
  ['ispb=1181521', [SICREDI]],
  ['ispb=0118152', []],
  ['ispb=0', [BRASIL]],
  ['name=itau%20unibanco%20s.a', [ITAU]],
  ['name=ITA%C3%9A%20UNIBANCO%20S', [ITAU]],
  ['fullName=cooperativo%20sicredi', [SICREDI]],
  ['search=60701190', [ITAU]],
  ['search=sicredi&code=748', [SICREDI]],
  ['search=sicredi&code=341', []],
  ['search=%25', []],
]
test('finds banks by exact ISPB and code, and by names without accents and case', async (t) => {
  const { ask } = await openTestApi(t)
  for (const [query, ids] of searches) {
    const { status, body } = await ask('GET', `/enums/banks?${query}`)
    t.is(status, 200, query)
    t.deepEqual(pluck(body.banks, 'id'), ids, query)
    t.is(body.message, 'Bancos listados com sucesso.')
  }
  const all = await ask('GET', '/api/enums/banks?full_name=x&search=')
  t.is(all.body.banks.length, 469)
  t.deepEqual(all.body.banks[SICREDI - 1], {
    id: SICREDI,
    ispb: '01181521',
    code: '748',
    name: 'BCO COOPERATIVO SICREDI S.A.',
    full_name: 'BANCO COOPERATIVO SICREDI S.A.',
  })
  const some = await ask('GET', '/enums/banks?search=uni')
  t.true(some.body.banks.length > 1 && some.body.banks.length < 200)
})
