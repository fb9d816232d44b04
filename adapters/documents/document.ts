import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Invoice, InvoiceParty } from '../../core/ports/documents.ts'

/** What stands for what nobody told. */
const NONE = '—'

/** A party on one line, its document beside its name. */
export const named = ({ name, document }: InvoiceParty): string => (document === null ? name : `${name} - ${document}`)

export const addressOf = ({ address }: InvoiceParty): string => address ?? NONE

/** An amount without its sign of currency, as forms have it beside `R$`. */
export const plainReais = (cents: number): string => formatReais(cents).replace('R$ ', '')

export const METHOD_WORDS: { readonly [K in Invoice['method']]: string } = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  BOLEPIX: 'Boleto com Pix',
  CREDIT_CARD: 'Cartão de crédito',
}

export const STATUS_WORDS: { readonly [K in Invoice['status']]: string } = {
  pending: 'Em aberto',
  paid: 'Paga',
  cancelled: 'Cancelada',
  expired: 'Expirada',
  failed: 'Não emitida',
}

/** What is asked today where interest or a discount changes it. */
export const dueToday = ({ status, day, dueCents, valueCents }: Invoice): string | null =>
  status !== 'pending' || dueCents === valueCents ? null : `Valor em ${formatDay(day)}: ${formatReais(dueCents)}`
