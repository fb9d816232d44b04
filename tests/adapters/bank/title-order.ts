import type { TitleOrder } from '../../../core/ports/bank.ts'

/** An order of a plain Pix charge of R$ 100,00 for seven days. */
export const aTitleOrder = (over: Partial<TitleOrder> = {}): TitleOrder => ({
  txid: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
  method: 'PIX',
  pixKey: 'loja@example.com',
  payeeName: 'Loja',
  payeeCity: 'BRASIL',
  payeeDocument: '11222333000181',
  agency: '0101',
  account: '12345-6',
  payer: { name: 'Maria da Silva', document: '123.456.789-09', address: null },
  valueCents: 10_000,
  dueDate: '2026-11-30',
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
  ...over,
})
