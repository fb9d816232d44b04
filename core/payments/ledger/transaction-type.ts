/** A type of entry. */
export interface TransactionType {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** The direction of its entries: `in` are credits, `out` debits. */
  readonly direction: 'in' | 'out' | 'both'
}

const type = (id: number, slug: string, name: string, goes: TransactionType['direction']): TransactionType => ({
  id,
  slug,
  name,
  direction: goes,
})

export const PIX_IN = type(1, 'pix-in', 'Pix In', 'in')
export const PIX_OUT = type(2, 'pix-out', 'Pix Out', 'out')
export const PIX_IN_FEE = type(3, 'pix-in-fee', 'Tarifa Pix In', 'out')
export const PIX_OUT_FEE = type(4, 'pix-out-fee', 'Tarifa Pix Out', 'out')
export const PIX_REFUND = type(5, 'pix-refund', 'Devolução Pix', 'out')
export const BOLETO_IN = type(6, 'boleto-in', 'Boleto In', 'in')
export const TRANSFER_IN = type(7, 'transfer-in', 'Transferência Recebida', 'in')
export const TRANSFER_OUT = type(8, 'transfer-out', 'Transferência Enviada', 'out')
export const BOLETO_FEE = type(9, 'boleto-fee', 'Tarifa Boleto', 'out')
export const BOLEPIX_IN = type(11, 'bolepix-in', 'Bolepix In', 'in')
export const BOLEPIX_FEE = type(12, 'bolepix-fee', 'Tarifa Bolepix', 'out')
export const CARD_SETTLEMENT = type(16, 'card-settlement', 'Liquidação Cartão', 'in')
/** Moves money from the card book to the main book. */
export const CARD_WITHDRAWAL = type(17, 'card-withdrawal', 'Saque Cartão', 'both')

export const transactionTypes: readonly TransactionType[] = [
  PIX_IN,
  PIX_OUT,
  PIX_IN_FEE,
  PIX_OUT_FEE,
  PIX_REFUND,
  BOLETO_IN,
  TRANSFER_IN,
  TRANSFER_OUT,
  BOLETO_FEE,
  type(10, 'adjustment', 'Ajuste', 'both'),
  BOLEPIX_IN,
  BOLEPIX_FEE,
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
]

const FEE_IDS = [PIX_IN_FEE, PIX_OUT_FEE, BOLETO_FEE, BOLEPIX_FEE].map(({ id }) => id)

/** Reports whether entries of a type are fees. */
export const isFee = (typeId: number): boolean => FEE_IDS.includes(typeId)

const byId = new Map(transactionTypes.map((each) => [each.id, each]))
const bySlug = new Map(transactionTypes.map((each) => [each.slug, each]))

export const transactionType = (idOrSlug: number | string): TransactionType | undefined =>
  byId.get(Number(idOrSlug)) ?? bySlug.get(String(idOrSlug))
