import { failure, isLeft, left, right } from '../../../failure.ts'
import { type UseCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import { addDays, dayOf, formatDay, nextBusinessDay } from '../../../kernel/values/day.ts'
import { formatReais } from '../../../kernel/values/money.ts'
import { formatTaxId } from '../../../kernel/values/tax-id.ts'
import type { Invoice, InvoiceBoleto, InvoiceStatus } from '../../../ports/documents.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accounts, UNKNOWN_ACCOUNT } from '../../accounts/account.ts'
import { bankByCode } from '../../banks.ts'
import {
  type Boleto,
  dueDayOf,
  formatDigitableLine,
  formatNossoNumero,
  printedBeneficiary,
  readBoleto,
  SICREDI,
} from '../../boleto.ts'
import type { Client } from '../../customers/client.ts'
import { images } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { amountDue } from '../../terms.ts'
import { type Charge, type ChargeStatus, lastPayableDay, statusAt } from '../charge.ts'
import {
  type ChargeDetail,
  discountUntil,
  dueOn,
  findCharge,
  isPayerVeiled,
  isTitleOutdated,
  pixCodeOf,
  receivedCents,
  returnedOf,
  returnedText,
  termsOf,
} from '../detail.ts'

/** The PDF of a charge, and its id. */
export interface InvoicePdf {
  readonly id: number
  readonly pdf: Uint8Array
}

const logoOf = async (ports: PaymentsPorts, { logoFileId }: Account): Promise<Uint8Array | null> => {
  const logo = logoFileId === null ? null : await images.open(ports, 'logo', logoFileId)
  if (!logo) return null
  const bytes = new Uint8Array(logo.sizeBytes)
  let at = 0
  for await (const chunk of logo.chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const pdfOf = async (ports: PaymentsPorts, detail: ChargeDetail, account: Account): Promise<InvoicePdf> => ({
  id: detail.charge.id,
  pdf: await ports.invoiceRenderer.invoicePdf(invoiceOf(detail, account, await logoOf(ports, account))),
})

export const readInvoice =
  (ports: PaymentsPorts) =>
  (detail: ChargeDetail): UseCase<InvoicePdf, 'account.unknown'> =>
  async () => {
    const account = await ports.store.find(byId(accounts, detail.charge.accountId))
    return account ? right(await pdfOf(ports, detail, account)) : left(UNKNOWN_ACCOUNT)
  }

/** Stands for the payer on a boleto if the caller of a payment link named them. */
const HIDDEN = 'Não exibido: o beneficiário sabe quem paga.'

const hidePayer = (detail: ChargeDetail): ChargeDetail => {
  const { charge, client } = detail
  return {
    ...detail,
    charge: { ...charge, address: null },
    client: { ...client, name: HIDDEN, document: null, address: null },
  }
}

const TXID = /^[a-zA-Z0-9]+$/

export const readBoletoInvoice = (ports: PaymentsPorts) => (txid: string) =>
  useCaseOf<InvoicePdf>()(async () => {
    if (!TXID.test(txid)) return left(failure('refused', 'boleto.name'))
    const detail = await findCharge(ports, { txid })
    const account = detail?.charge.boleto && (await ports.store.find(byId(accounts, detail.charge.accountId)))
    const isThere = account && account.removedAt === null && detail?.charge.status !== 'DELETED'
    if (!detail || !isThere) return left(failure('not-found', 'boleto.unknown'))
    return right(await pdfOf(ports, isPayerVeiled(detail) ? hidePayer(detail) : detail, account))
  })

/** The status for the payer, who sees a deleted charge as cancelled. */
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

/** The known parts of an address, in the names of either generation. */
type Place = {
  readonly [K in 'street' | 'number' | 'district' | 'city' | 'state' | 'zipCode' | 'zipcode' | 'zip']?: unknown
}

const joined = (parts: readonly unknown[], by: string): string =>
  parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '').join(by)

const onOneLine = (place: Place | null): string | null => {
  if (place === null) return null
  const { street, number, district, city, state, zipCode, zipcode, zip } = place
  return joined([street, number, district, joined([city, state], ' - '), zipCode ?? zipcode ?? zip], ', ') || null
}

/** Parses the address of a client, JSON in the form of either generation. */
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

const paidOf = ({ amountPaidCents, paymentDate }: Charge): Invoice['paid'] =>
  amountPaidCents === null || paymentDate === null ? null : { cents: amountPaidCents, day: paymentDate }

const cardOf = ({ card }: Charge): Invoice['card'] =>
  card && { brand: BRANDS[card.brand], last4: card.last4, holder: card.holder, installments: card.installments }

/** Builds the printed form of a charge, as of the day of its detail, with the amounts of the API. */
export const invoiceOf = (
  { charge, client, asOf }: Pick<ChargeDetail, 'charge' | 'client' | 'asOf'>,
  account: Account,
  logo: Uint8Array | null,
): Invoice => {
  const day = dayOf(asOf)
  // A charge that was paid before its deletion is shown as paid.
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
    ...printedTitle(charge, status),
    documentDay: charge.createdDay,
    day,
    dueCents: dueOn(charge, day),
    paid: paidOf(charge),
    refundNote: returned && returnedText(returned),
    instructions: status === 'pending' ? instructionsOf(charge) : [],
    // Only for a pending charge, so that a paid one is not paid again.
    boleto:
      status === 'pending' && !isTitleOutdated(charge) ? charge.boleto && printedBoleto(charge.boleto, account) : null,
    pixCode: status === 'pending' ? pixCodeOf(charge, day) : null,
    card: cardOf(charge),
  }
}

/**
 * Returns the value and the due day of the document: those of the bar code, if a boleto for the rest of the charge is
 * printed, and those of the charge on a receipt.
 */
const printedTitle = (
  { boleto, titlePaidCents, valueCents, dueDate }: Charge,
  status: Invoice['status'],
): Pick<Invoice, 'valueCents' | 'dueDate'> => {
  const isOfRest = status === 'pending' && (titlePaidCents ?? 0) > 0
  const read = boleto && isOfRest ? readBoleto(boleto.barcode) : null
  if (read === null || isLeft(read)) return { valueCents, dueDate }
  return { valueCents: read.right.valueCents, dueDate: dueDayOf(read.right.factor, dueDate) ?? dueDate }
}

const DAYS_A_MONTH = 30

const discountOf = (charge: Charge): readonly string[] => {
  const lastDay = discountUntil(charge)
  const { discountCents } = amountDue(termsOf(charge), lastDay)
  return discountCents > 0 ? [`DESCONTO DE ${formatReais(discountCents)} ATÉ ${formatDay(lastDay)}`] : []
}

/** Reports whether a charge accepts a payment after the day from which it is late. */
const canBeLate = (charge: Charge): boolean => {
  const lastDay = lastPayableDay(charge)
  return lastDay === null || lastDay > nextBusinessDay(charge.dueDate)
}

const fineOf = (charge: Charge): readonly string[] => {
  const from = nextBusinessDay(charge.dueDate)
  const { fineCents } = amountDue(termsOf(charge), addDays(from, 1))
  return fineCents > 0 && canBeLate(charge) ? [`APÓS ${formatDay(from)}, MULTA DE ${formatReais(fineCents)}`] : []
}

/**
 * Returns the lines with the interest of one day and of thirty: the amount of each day is truncated. A charge that
 * accepts no payment after the day from which interest counts bears none.
 */
const interestOf = (charge: Charge): readonly string[] => {
  const from = nextBusinessDay(charge.dueDate)
  if (!canBeLate(charge)) return []
  // After a partial payment, interest accrues on the rest.
  const paidOn = charge.received?.at(-1)?.day ?? from
  const start = paidOn > from ? paidOn : from
  const interestAt = (days: number) => amountDue(termsOf(charge), addDays(start, days)).interestCents
  const after = (days: number) => interestAt(days) - interestAt(0)
  const [aDay, aMonth] = [after(1), after(DAYS_A_MONTH)]
  if (aMonth === 0) return []
  const [daily, monthly] = [formatReais(aDay), formatReais(aMonth)]
  const rate = aDay === 0 ? `${monthly} A CADA 30 DIAS DE ATRASO` : `${daily} POR DIA DE ATRASO`
  const perMonth = aDay === 0 || aMonth === aDay * DAYS_A_MONTH ? '' : ` (${monthly} EM 30 DIAS)`
  return [`APÓS ${formatDay(from)}, JUROS DE ${rate}${perMonth}`]
}

/** A boleto always states its last day, a Pix only if it differs from the due day. */
const lastDayOf = (charge: Charge): readonly string[] => {
  const lastDay = lastPayableDay(charge)
  if (lastDay === null) return []
  if (charge.boleto) return [`NÃO RECEBER APÓS ${formatDay(lastDay)}`]
  return lastDay > charge.dueDate ? [`PAGÁVEL ATÉ ${formatDay(lastDay)}`] : []
}

const partOf = (charge: Charge): readonly string[] => {
  const paidCents = receivedCents(charge)
  return paidCents > 0 ? [`JÁ PAGO: ${formatReais(paidCents)} DE ${formatReais(charge.valueCents)}`] : []
}

/**
 * The instructions of a printed charge: its paid part, discount, fine, interest and last day, then the issuer's text.
 */
export const instructionsOf = (charge: Charge): readonly string[] => [
  ...partOf(charge),
  ...discountOf(charge),
  ...fineOf(charge),
  ...interestOf(charge),
  ...lastDayOf(charge),
  ...(charge.instructions === null ? [] : [charge.instructions]),
]

/** The printed names and codes of common banks. */
const PRINTED: { readonly [compe: string]: { readonly name: string; readonly code: string } } = {
  '001': { name: 'Banco do Brasil', code: '001-9' },
  '033': { name: 'Santander', code: '033-7' },
  '104': { name: 'Caixa', code: '104-0' },
  '237': { name: 'Bradesco', code: '237-2' },
  '341': { name: 'Itaú', code: '341-7' },
  '748': { name: 'Sicredi', code: '748-X' },
  '756': { name: 'Sicoob', code: '756-0' },
}

const bankOf = (compe: string) => PRINTED[compe] ?? { name: bankByCode(compe)?.name ?? compe, code: compe }

/** Formats a registered boleto for print. Only Sicredi's numbers are formatted; others are printed with the account. */
const printedBoleto = (
  { nossoNumero, barcode, digitableLine }: Boleto,
  account: { readonly agency: string; readonly account: string },
): InvoiceBoleto => {
  const compe = barcode.slice(0, 3)
  const { name, code } = bankOf(compe)
  const isSicredi = compe === SICREDI
  const plain = { agencyAndCode: `${account.agency} / ${account.account}`, portfolio: '' }
  return {
    bankName: name,
    bankCode: code,
    ...(isSicredi ? printedBeneficiary(barcode.slice(19)) : plain),
    nossoNumero: isSicredi ? formatNossoNumero(nossoNumero) : nossoNumero,
    barcode,
    digitableLine: formatDigitableLine(digitableLine),
  }
}
