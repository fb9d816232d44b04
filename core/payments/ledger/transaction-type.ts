/** Source: decisions.md §4. */
export interface TransactionType {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** Which way its lines go on a merchant's book: `in` are credits, `out` debits. */
  readonly goes: 'in' | 'out' | 'both'
}

const type = (id: number, slug: string, name: string, goes: TransactionType['goes']): TransactionType => ({
  id,
  slug,
  name,
  goes,
})

export const PIX_IN = type(1, 'pix-in', 'Pix In', 'in')
export const PIX_IN_FEE = type(3, 'pix-in-fee', 'Tarifa Pix In', 'out')

export const transactionTypes: readonly TransactionType[] = [
  PIX_IN,
  type(2, 'pix-out', 'Pix Out', 'out'),
  PIX_IN_FEE,
  type(4, 'pix-out-fee', 'Tarifa Pix Out', 'out'),
  type(5, 'pix-refund', 'Devolução Pix', 'out'),
  type(6, 'boleto-in', 'Boleto In', 'in'),
  type(7, 'transfer-in', 'Transferência Recebida', 'in'),
  type(8, 'transfer-out', 'Transferência Enviada', 'out'),
  type(9, 'boleto-fee', 'Tarifa Boleto', 'out'),
  type(10, 'adjustment', 'Ajuste', 'both'),
  type(11, 'bolepix-in', 'Bolepix In', 'in'),
  type(12, 'bolepix-fee', 'Tarifa Bolepix', 'out'),
  type(16, 'card-settlement', 'Liquidação Cartão', 'in'),
  // It leaves the card book and comes into the main one.
  type(17, 'card-withdrawal', 'Saque Cartão', 'both'),
]

const byId = new Map(transactionTypes.map((each) => [each.id, each]))
const bySlug = new Map(transactionTypes.map((each) => [each.slug, each]))

export const transactionType = (idOrSlug: number | string): TransactionType | undefined =>
  byId.get(Number(idOrSlug)) ?? bySlug.get(String(idOrSlug))
