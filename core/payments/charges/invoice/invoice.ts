import { dayOf } from '../../../kernel/values/day.ts'
import { formatTaxId } from '../../../kernel/values/tax-id.ts'
import type { Invoice, InvoiceStatus } from '../../../ports/documents.ts'
import type { Account } from '../../accounts/account.ts'
import { printedBoleto } from '../../boleto/boleto.ts'
import type { Client } from '../../customers/client.ts'
import { type Charge, type ChargeStatus, statusAt } from '../charge.ts'
import { dueOn, pixCodeOf, returnedOf, returnedText } from '../charge-view.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { instructionsOf } from './instructions.ts'

/** To whoever is to pay, what was deleted is cancelled. */
const STATUS: { readonly [K in ChargeStatus]: InvoiceStatus } = {
  pending: 'pending',
  paid: 'paid',
  paidwithpix: 'paid',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
  DELETED: 'cancelled',
}

const BRANDS: { readonly [K in NonNullable<Charge['card']>['brand']]: string } = {
  visa: 'Visa',
  mastercard: 'Mastercard',
}

/** What is known of an address, as it is written on one line. */
interface Place {
  readonly street?: unknown
  readonly number?: unknown
  readonly district?: unknown
  readonly city?: unknown
  readonly state?: unknown
  readonly zipCode?: unknown
  readonly zipcode?: unknown
  readonly zip?: unknown
}

const joined = (parts: readonly unknown[], by: string): string =>
  parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '').join(by)

const onOneLine = (place: Place | null): string | null => {
  if (place === null) return null
  const { street, number, district, city, state, zipCode, zipcode, zip } = place
  return joined([street, number, district, joined([city, state], ' - '), zipCode ?? zipcode ?? zip], ', ') || null
}

/** A client's address is JSON of whichever form its generation has. */
const placeOf = (json: string | null): Place | null => {
  const place: unknown = json === null ? null : JSON.parse(json)
  return typeof place === 'object' ? place : null
}

const documentOf = (document: string | null): string | null => (document === null ? null : formatTaxId(document))

const payerOf = ({ address }: Charge, client: Client): Invoice['payer'] => ({
  name: client.name,
  document: documentOf(client.document),
  address: onOneLine(address ?? placeOf(client.address)),
})

/** What can be paid by is told of a charge that waits for it, and of no other: nobody pays twice from paper. */
const payableBy = (charge: Charge, account: Account, day: string): Pick<Invoice, 'boleto' | 'pixCode'> => ({
  boleto: charge.boleto && printedBoleto(charge.boleto, account),
  pixCode: pixCodeOf(charge, day),
})

const paidOf = ({ amountPaidCents, paymentDate }: Charge): Invoice['paid'] =>
  amountPaidCents === null || paymentDate === null ? null : { cents: amountPaidCents, day: paymentDate }

const cardOf = ({ card }: Charge): Invoice['card'] =>
  card && { brand: BRANDS[card.brand], last4: card.last4, holder: card.holder, installments: card.installments }

/**
 * A charge as paper tells it, on the day of its detail; its amounts are those of the API.
 * Source: pix-boleto.md §3.8; decisions.md §3 and §9.
 */
export const invoiceOf = (
  { charge, client, asOf }: Pick<ChargeDetail, 'charge' | 'client' | 'asOf'>,
  account: Account,
  logo: Uint8Array | null,
): Invoice => {
  const day = dayOf(asOf)
  // Of one that was paid before it was deleted its paper says that it was paid.
  const isPaid = charge.status === 'DELETED' && charge.paymentDate !== null
  const status = isPaid ? 'paid' : STATUS[statusAt(charge, asOf)]
  const { name, document, address } = account
  const returned = returnedOf(charge)
  return {
    id: charge.id,
    code: charge.code,
    method: charge.paymentMethod,
    status,
    payee: { name, document: formatTaxId(document), address: onOneLine(address), logo },
    payer: payerOf(charge, client),
    description: charge.description,
    valueCents: charge.valueCents,
    dueDate: charge.dueDate,
    documentDay: charge.createdDay,
    day,
    dueCents: dueOn(charge, day),
    paid: paidOf(charge),
    refundNote: returned && returnedText(returned),
    instructions: status === 'pending' ? instructionsOf(charge) : [],
    ...(status === 'pending' ? payableBy(charge, account, day) : { boleto: null, pixCode: null }),
    card: cardOf(charge),
  }
}
