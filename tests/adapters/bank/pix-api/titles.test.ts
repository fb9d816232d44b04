import test from 'ava'
import { buildCobOrder, cancelTitle, createTitle, findTitle } from '../../../../adapters/bank/pix-api/bank.ts'
import type { PixApi } from '../../../../adapters/bank/pix-api/client.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { addDays, nextBusinessDay } from '../../../../core/kernel/values/day.ts'
import { dueOn } from '../../../../core/payments/charges/detail.ts'
import { titleOrder } from '../../../../core/payments/charges/titles.ts'
import type { TitleOrder } from '../../../../core/ports/bank.ts'
import { aCharge, aClient, anAccount } from '../../../core/payments/records.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }
import { aTitleOrder } from '../title-order.ts'
import { answerFaults, requestFaults } from './pix-api-document.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const KEY = 'loja@example.com'
const MARIA = { name: 'Maria da Silva', document: '123.456.789-09', address: null }
const maria = { cpf: '12345678909', nome: 'Maria da Silva' }
const TXID = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'

const DISCOUNT = { discountHundredths: 250, typeDiscount: 'PERCENTAGE', daysDiscount: 3 } as const
const FINE = { fineHundredths: 200, typeFine: 'PERCENTAGE' } as const
const INTEREST = { amountRateHundredths: 100, typeRate: 'PERCENTAGE' } as const

const cob = (over: object = {}, expiracao = 654_891) => ({
  path: 'cob',
  body: { calendario: { expiracao }, valor: { original: '100.00', modalidadeAlteracao: 0 }, chave: KEY, ...over },
})
const cobOfMaria = (expiracao?: number) => cob({ devedor: maria }, expiracao)
const cobv = (valor: object) => ({
  path: 'cobv',
  body: {
    calendario: { dataDeVencimento: '2026-11-30', validadeAposVencimento: 0 },
    devedor: maria,
    valor: { original: '100.00', ...valor },
    chave: KEY,
  },
})
const percent = (modalidade: number, valorPerc: string) => ({ modalidade, valorPerc })
const until27 = (modalidade: number) => ({
  modalidade,
  descontoDataFixa: [{ data: '2026-11-27', valorPerc: '2.50' }],
})

const orders: readonly (readonly [name: string, over: Partial<TitleOrder>, request: unknown])[] = [
  ['sends a plain order as a cob until the end of the due day', {}, cobOfMaria()],
  ['sends an order due today', { dueDate: '2026-11-23' }, cobOfMaria(50_091)],
  ['sends an overdue order for one second', { dueDate: '2026-11-19' }, cobOfMaria(1)],
  ['sends an order due on a Saturday until the end of Monday', { dueDate: '2026-12-19' }, cobOfMaria(2_469_291)],
  ['limits the seconds to those of the API', { dueDate: '2199-12-31' }, cobOfMaria(2_147_483_647)],
  ['omits a payer without a document', { payer: { ...MARIA, document: null } }, cob()],
  ['omits a payer with an invalid document', { payer: { ...MARIA, document: 'RG 12.345' } }, cob()],
  ['sends an order without a payer', { payer: null }, cob()],
  [
    'sends an alphanumeric CNPJ',
    { payer: { ...MARIA, document: '12.ABC.345/01DE-35' } },
    cob({ devedor: { cnpj: '12ABC34501DE35', nome: MARIA.name } }),
  ],
  [
    'cuts a long name',
    { payer: { ...MARIA, name: '𝓐'.repeat(300) } },
    cob({ devedor: { ...maria, nome: '𝓐'.repeat(200) } }),
  ],
  ['sends a discount that ends before the due day', DISCOUNT, cobv({ desconto: until27(2) })],
  ['sends a discount in reais', { ...DISCOUNT, typeDiscount: 'ABSOLUTE' }, cobv({ desconto: until27(1) })],
  ['omits a discount until the due day: the amount includes it', { ...DISCOUNT, daysDiscount: 0 }, cobOfMaria()],
  ['omits a discount of zero', { ...DISCOUNT, discountHundredths: 0 }, cobOfMaria()],
  ['sends interest per month', INTEREST, cobv({ juros: percent(3, '1.00') })],
  ['sends interest per day', { ...INTEREST, typeRate: 'ABSOLUTE' }, cobv({ juros: percent(1, '1.00') })],
  ['sends a fine in percent', FINE, cobv({ multa: percent(2, '2.00') })],
  ['sends a fine in reais', { ...FINE, typeFine: 'ABSOLUTE' }, cobv({ multa: percent(1, '2.00') })],
  [
    'sends fine, interest and discount together',
    { ...FINE, ...INTEREST, ...DISCOUNT },
    cobv({ multa: percent(2, '2.00'), juros: percent(3, '1.00'), desconto: until27(2) }),
  ],
  ['omits a fine of zero', { ...FINE, fineHundredths: 0 }, cobOfMaria()],
  ['omits a fine for a payer without a document', { ...FINE, payer: null }, cob()],
  ['omits interest for a payer without a document', { ...INTEREST, payer: null }, cob()],
  [
    'refuses a discount for a payer without a document',
    { ...DISCOUNT, payer: null },
    'O banco só dá desconto a quem paga com CPF ou CNPJ.',
  ],
]
for (const [name, over, request] of orders)
  test(name, (t) => {
    const made = buildCobOrder(aTitleOrder(over), KEY, NOW)
    t.deepEqual(made, request as never)
    if (typeof made === 'string') return
    const received = { method: 'PUT', path: `/${made.path}/${TXID}`, query: new URLSearchParams(), body: made.body }
    t.deepEqual(requestFaults(received), [])
  })

interface Valor {
  readonly original: string
  readonly desconto?: {
    readonly modalidade: number
    readonly descontoDataFixa: readonly { data: string; valorPerc: string }[]
  }
}

/** The amount due on a day, as a payer's bank computes it by the manual, in whole numbers. */
const dueByBank = ({ original, desconto: reduced }: Valor, day: string): number => {
  const cents = BigInt(original.replace('.', ''))
  const fixed = reduced?.descontoDataFixa.find(({ data }) => data >= day)
  if (!reduced || !fixed) return Number(cents)
  const rate = BigInt(fixed.valorPerc.replace('.', ''))
  return Number(cents - (reduced.modalidade === 1 ? rate : (cents * rate) / 10_000n))
}

test('the amount due equals that of the charge on every day until the code expires', (t) => {
  // A Sunday, a Monday and a Wednesday.
  for (const dueDate of ['2026-11-29', '2026-11-30', '2026-12-02'])
    for (const valueCents of [1_003, 12_345, 99_999_999])
      for (const typeDiscount of ['ABSOLUTE', 'PERCENTAGE'] as const)
        for (const daysDiscount of [0, 1, 2, 3, 5, null])
          for (const interest of [INTEREST, { amountRateHundredths: null, typeRate: null }]) {
            const terms = { ...interest, discountHundredths: 333, typeDiscount, daysDiscount }
            const charge = aCharge({ ...terms, dueDate, valueCents, paymentMethod: 'PIX' })
            const order = titleOrder(TXID, 'PIX', { charge, account: anAccount(), client: aClient })
            const made = buildCobOrder(order, KEY, NOW)
            const valor: Valor = Reflect.get(Reflect.get(Object(made), 'body'), 'valor')
            for (let days = -7; addDays(dueDate, days) <= nextBusinessDay(dueDate); days += 1) {
              const day = addDays(dueDate, days)
              t.is(dueByBank(valor, day), dueOn(charge, day), JSON.stringify({ valueCents, dueDate, ...terms, day }))
            }
          }
})

test('the test server finds requests and answers that violate the document of the API', (t) => {
  const body = { calendario: { expiracao: 1 }, valor: { original: '1.00' }, chave: KEY }
  const request = { method: 'PUT', path: `/cob/${TXID}`, query: new URLSearchParams(), body }
  t.deepEqual(requestFaults(request), [])
  const wrong = [
    { ...request, body: undefined },
    { ...request, body: { ...body, chave: undefined } },
    { ...request, body: { ...body, valor: { original: '1.0' } } },
    { ...request, body: { ...body, valor: { original: 1 } } },
    { ...request, body: { ...body, devedor: { cpf: '123.456.789-09', nome: 'Maria' } } },
    { ...request, path: '/cob/curto' },
    { ...request, path: '/pix' },
    { ...request, method: 'GET', path: '/pix', body: undefined },
    { ...request, query: new URLSearchParams({ outra: '1' }) },
  ]
  for (const other of wrong) t.is(requestFaults(other).length > 0, true, JSON.stringify(other))
  t.not(answerFaults(request, 201, 'application/json', { txid: TXID }).length, 0)
  t.not(answerFaults(request, 400, 'application/problem+json', { detail: 'x' }).length, 0)
  t.not(answerFaults(request, 202, 'application/json', {}).length, 0)
})

/** The paths of the requests about a txid to an unavailable bank. */
const pathsOf = async (txid: string): Promise<readonly string[]> => {
  const paths: string[] = []
  const api: PixApi = {
    pixKey: KEY,
    async request(_, path) {
      paths.push(path)
      return 'unsent'
    },
    close: async () => {},
  }
  const clock = setClock('2026-11-23T13:05:09.123Z')
  await createTitle(api, { clock }, aTitleOrder({ txid }))
  await findTitle(api, txid)
  await cancelTitle(api, txid)
  return paths
}

test('only txids in the form of the API are sent to the bank', async (t) => {
  const { valid, invalid } = vectors.txid.dynamic
  for (const txid of valid) t.deepEqual(await pathsOf(txid), Array(3).fill(`/cob/${txid}`))
  for (const txid of invalid) t.deepEqual(await pathsOf(txid), [], txid)
})
