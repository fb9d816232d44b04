import test from 'ava'
import type { PixApi } from '../../../../adapters/bank/pix-api/client.ts'
import { buildCobOrder, cancelTitle, createTitle, findTitle } from '../../../../adapters/bank/pix-api/titles.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { addDays, nextBusinessDay } from '../../../../core/kernel/values/day.ts'
import { titleOrder } from '../../../../core/payments/charges/titles.ts'
import { dueOn } from '../../../../core/payments/charges/views.ts'
import type { TitleOrder } from '../../../../core/ports/bank.ts'
import { anAccount } from '../../../core/payments/access/test-ports.ts'
import { aCharge, aClient } from '../../../core/payments/charges/billing-fixtures.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }
import { answerFaults, requestFaults } from './pix-api-document.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const KEY = 'loja@example.com'
const MARIA = { name: 'Maria da Silva', document: '123.456.789-09', address: null }
const maria = { cpf: '12345678909', nome: 'Maria da Silva' }
const TXID = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'

const order = (over: Partial<TitleOrder> = {}): TitleOrder => ({
  txid: TXID,
  method: 'PIX',
  pixKey: KEY,
  payeeName: 'Loja',
  payeeCity: 'BRASIL',
  payeeDocument: '11222333000181',
  agency: '0000',
  account: '0',
  payer: MARIA,
  valueCents: 10_000,
  dueDate: '2026-11-30',
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
  ...over,
})
const DISCOUNT = { discountHundredths: 250, typeDiscount: 'PERCENTAGE', daysDiscount: 3 } as const
const INTEREST = { amountRateHundredths: 100, typeRate: 'PERCENTAGE' } as const

const cob = (over: object = {}, expiracao = 654_891) => ({
  path: 'cob',
  body: { calendario: { expiracao }, valor: { original: '100.00', modalidadeAlteracao: 0 }, chave: KEY, ...over },
})
const cobv = (valor: object) => ({
  path: 'cobv',
  body: {
    calendario: { dataDeVencimento: '2026-11-30', validadeAposVencimento: 0 },
    devedor: maria,
    valor: { original: '100.00', ...valor },
    chave: KEY,
  },
})
const desconto = (modalidade: number, valorPerc: string) => ({
  modalidade,
  descontoDataFixa: [{ data: '2026-11-27', valorPerc }],
})

const orders: readonly (readonly [name: string, over: Partial<TitleOrder>, asked: unknown])[] = [
  ['a plain one is a cob until the end of its due day', {}, cob({ devedor: maria })],
  ['one that is due today', { dueDate: '2026-11-23' }, cob({ devedor: maria }, 50_091)],
  ['one whose day is over lives no longer than it must', { dueDate: '2026-11-19' }, cob({ devedor: maria }, 1)],
  [
    'one due on a Saturday is a cob until the end of Monday',
    { dueDate: '2026-12-19' },
    cob({ devedor: maria }, 2_469_291),
  ],
  ['one that is due after all that the API counts', { dueDate: '2199-12-31' }, cob({ devedor: maria }, 2_147_483_647)],
  ['a payer without a document is not named', { payer: { ...MARIA, document: null } }, cob()],
  ['nor one whose document is none', { payer: { ...MARIA, document: 'RG 12.345' } }, cob()],
  ['nobody is not named', { payer: null }, cob()],
  [
    'a company is named by its CNPJ, letters and all',
    { payer: { ...MARIA, document: '12.ABC.345/01DE-35' } },
    cob({ devedor: { cnpj: '12ABC34501DE35', nome: MARIA.name } }),
  ],
  [
    'a long name is cut',
    { payer: { ...MARIA, name: '𝓐'.repeat(300) } },
    cob({ devedor: { ...maria, nome: '𝓐'.repeat(200) } }),
  ],
  ['a discount that ends before is told', DISCOUNT, cobv({ desconto: desconto(2, '2.50') })],
  ['and so is one in reais', { ...DISCOUNT, typeDiscount: 'ABSOLUTE' }, cobv({ desconto: desconto(1, '2.50') })],
  ['one until the due day is in the amount already', { ...DISCOUNT, daysDiscount: 0 }, cob({ devedor: maria })],
  ['one of nothing is none', { ...DISCOUNT, discountHundredths: 0 }, cob({ devedor: maria })],
  ['interest is told by the month', INTEREST, cobv({ juros: { modalidade: 3, valorPerc: '1.00' } })],
  ['or by the day', { ...INTEREST, typeRate: 'ABSOLUTE' }, cobv({ juros: { modalidade: 1, valorPerc: '1.00' } })],
  ['interest of somebody without a document is none while the code lives', { ...INTEREST, payer: null }, cob()],
  [
    'a discount of somebody without a document is refused',
    { ...DISCOUNT, payer: null },
    'O banco só dá desconto a quem paga com CPF ou CNPJ.',
  ],
]
for (const [name, over, asked] of orders)
  test(name, (t) => {
    const made = buildCobOrder(order(over), KEY, NOW)
    t.deepEqual(made, asked as never)
    if (typeof made === 'string') return
    const came = { method: 'PUT', path: `/${made.path}/${TXID}`, query: new URLSearchParams(), body: made.body }
    t.deepEqual(requestFaults(came), [])
  })

interface Valor {
  readonly original: string
  readonly desconto?: {
    readonly modalidade: number
    readonly descontoDataFixa: readonly { data: string; valorPerc: string }[]
  }
}

/** The amount that a payer's bank asks on a day of the code's life, by the manual: of whole numbers alone. */
const askedOn = ({ original, desconto: reduced }: Valor, day: string): number => {
  const cents = BigInt(original.replace('.', ''))
  const fixed = reduced?.descontoDataFixa.find(({ data }) => data >= day)
  if (!reduced || !fixed) return Number(cents)
  const rate = BigInt(fixed.valorPerc.replace('.', ''))
  return Number(cents - (reduced.modalidade === 1 ? rate : (cents * rate) / 10_000n))
}

test('the bank asks on every day of its life what the charge says', (t) => {
  // A Sunday, a Monday and a Wednesday.
  for (const dueDate of ['2026-11-29', '2026-11-30', '2026-12-02'])
    for (const valueCents of [1_003, 12_345, 99_999_999])
      for (const typeDiscount of ['ABSOLUTE', 'PERCENTAGE'] as const)
        for (const daysDiscount of [0, 1, 2, 3, 5, null])
          for (const interest of [INTEREST, { amountRateHundredths: null, typeRate: null }]) {
            const terms = { ...interest, discountHundredths: 333, typeDiscount, daysDiscount }
            const charge = aCharge({ ...terms, dueDate, valueCents, paymentMethod: 'PIX' })
            const ordered = titleOrder(TXID, 'PIX', { charge, account: anAccount(), client: aClient })
            const made = buildCobOrder(ordered, KEY, NOW)
            const valor: Valor = Reflect.get(Reflect.get(Object(made), 'body'), 'valor')
            for (let days = -7; addDays(dueDate, days) <= nextBusinessDay(dueDate); days += 1) {
              const day = addDays(dueDate, days)
              t.is(askedOn(valor, day), dueOn(charge, day), JSON.stringify({ valueCents, dueDate, ...terms, day }))
            }
          }
})

test('what is not as the document of the API says is found, on either side', (t) => {
  const body = { calendario: { expiracao: 1 }, valor: { original: '1.00' }, chave: KEY }
  const came = { method: 'PUT', path: `/cob/${TXID}`, query: new URLSearchParams(), body }
  t.deepEqual(requestFaults(came), [])
  const wrong = [
    { ...came, body: undefined },
    { ...came, body: { ...body, chave: undefined } },
    { ...came, body: { ...body, valor: { original: '1.0' } } },
    { ...came, body: { ...body, valor: { original: 1 } } },
    { ...came, body: { ...body, devedor: { cpf: '123.456.789-09', nome: 'Maria' } } },
    { ...came, path: '/cob/curto' },
    { ...came, path: '/pix' },
    { ...came, method: 'GET', path: '/pix', body: undefined },
    { ...came, query: new URLSearchParams({ outra: '1' }) },
  ]
  for (const each of wrong) t.is(requestFaults(each).length > 0, true, JSON.stringify(each))
  t.not(answerFaults(came, 201, 'application/json', { txid: TXID }).length, 0)
  t.not(answerFaults(came, 400, 'application/problem+json', { detail: 'x' }).length, 0)
  t.not(answerFaults(came, 202, 'application/json', {}).length, 0)
})

const KEY2 = 'loja@example.com'
const orderOf = (txid: string) => ({
  txid,
  method: 'PIX' as const,
  pixKey: KEY2,
  payeeName: 'Loja',
  payeeCity: 'BRASIL',
  payeeDocument: '11222333000181',
  agency: '0000',
  account: '0',
  payer: { name: 'Maria da Silva', document: '12345678909', address: null },
  valueCents: 10_000,
  dueDate: '2026-11-30',
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
})

/** What a bank that cannot be reached was asked about a txid. */
const askedOf = async (txid: string): Promise<readonly string[]> => {
  const paths: string[] = []
  const api: PixApi = {
    pixKey: KEY2,
    async request(_, path) {
      paths.push(path)
      return 'unsent'
    },
    close: async () => {},
  }
  const clock = setClock('2026-11-23T13:05:09.123Z')
  await createTitle(api, { clock }, orderOf(txid))
  await findTitle(api, txid)
  await cancelTitle(api, txid)
  return paths
}

test('of the public txids those go to the bank that are of the form of its API, and no others', async (t) => {
  const { valid, invalid } = vectors.txid.dynamic
  for (const txid of valid) t.deepEqual(await askedOf(txid), Array(3).fill(`/cob/${txid}`))
  for (const txid of invalid) t.deepEqual(await askedOf(txid), [], txid)
})
