import test from 'ava'
import type { PixApi } from '../../../../adapters/bank/pix-api/client.ts'
import { cancelTitle, createTitle, findTitle } from '../../../../adapters/bank/pix-api/titles.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

const KEY = 'loja@example.com'
const order = (txid: string) => ({
  txid,
  method: 'PIX' as const,
  pixKey: KEY,
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
    pixKey: KEY,
    async request(_, path) {
      paths.push(path)
      return 'unsent'
    },
    close: async () => {},
  }
  const clock = setClock('2026-11-23T13:05:09.123Z')
  await createTitle(api, { clock }, order(txid))
  await findTitle(api, txid)
  await cancelTitle(api, txid)
  return paths
}

test('of the public txids those go to the bank that are of the form of its API, and no others', async (t) => {
  const { valid, invalid } = vectors.txid.dynamic
  for (const txid of valid) t.deepEqual(await askedOf(txid), Array(3).fill(`/cob/${txid}`))
  for (const txid of invalid) t.deepEqual(await askedOf(txid), [], txid)
})
