/** Source: decisions.md §4. */
export interface TransactionType {
  readonly id: number
  readonly slug: string
  readonly name: string
}

const type = (id: number, slug: string, name: string): TransactionType => ({ id, slug, name })

export const PIX_IN = type(1, 'pix-in', 'Pix In')
export const PIX_IN_FEE = type(3, 'pix-in-fee', 'Tarifa Pix In')

export const transactionTypes: readonly TransactionType[] = [
  PIX_IN,
  type(2, 'pix-out', 'Pix Out'),
  PIX_IN_FEE,
  type(4, 'pix-out-fee', 'Tarifa Pix Out'),
  type(5, 'pix-refund', 'Devolução Pix'),
  type(6, 'boleto-in', 'Boleto In'),
  type(7, 'transfer-in', 'Transferência Recebida'),
  type(8, 'transfer-out', 'Transferência Enviada'),
  type(9, 'boleto-fee', 'Tarifa Boleto'),
  type(10, 'adjustment', 'Ajuste'),
  type(11, 'bolepix-in', 'Bolepix In'),
  type(12, 'bolepix-fee', 'Tarifa Bolepix'),
  type(16, 'card-settlement', 'Liquidação Cartão'),
  type(17, 'card-withdrawal', 'Saque Cartão'),
]

const byId = new Map(transactionTypes.map((each) => [each.id, each]))
const bySlug = new Map(transactionTypes.map((each) => [each.slug, each]))

export const transactionType = (idOrSlug: number | string): TransactionType | undefined =>
  byId.get(Number(idOrSlug)) ?? bySlug.get(String(idOrSlug))
