import type { Day } from '../kernel/values/day.ts'

/** A name with its document as it is read (with marks), and where it is, on one line. */
export interface InvoiceParty {
  readonly name: string
  readonly document: string | null
  readonly address: string | null
}

/** A registered boleto as it is printed. */
export interface InvoiceBoleto {
  /** What the bank is called, and its number as it prints it: `748-X`. */
  readonly bankName: string
  readonly bankCode: string
  readonly agencyAndCode: string
  readonly nossoNumero: string
  readonly portfolio: string
  /** 44 digits. */
  readonly barcode: string
  /** With the marks of print. */
  readonly digitableLine: string
}

/** The card that paid, as far as anybody may know it. */
export interface InvoiceCard {
  readonly brand: string
  readonly last4: string
  readonly holder: string
  readonly installments: number
}

export type InvoiceStatus = 'pending' | 'paid' | 'cancelled' | 'expired' | 'failed'

/** A charge as paper tells it: all texts are in Portuguese, whatever they hold; no length is too long. */
export interface Invoice {
  readonly id: number
  readonly code: string
  readonly method: 'PIX' | 'BOLETO' | 'BOLEPIX' | 'CREDIT_CARD'
  readonly status: InvoiceStatus
  /** `logo` is a PNG or JPEG; another type, or one that cannot be read, is left out. */
  readonly payee: InvoiceParty & { readonly logo: Uint8Array | null }
  readonly payer: InvoiceParty
  readonly description: string | null
  readonly valueCents: number
  readonly dueDate: Day
  readonly documentDay: Day
  /** The day of which the page tells, and what is asked on it. */
  readonly day: Day
  readonly dueCents: number
  /** What arrived, and on which day. */
  readonly paid: { readonly cents: number; readonly day: Day } | null
  /** Refunds and the rest of the payment, in Portuguese; null without a refund. */
  readonly returned: string | null
  /** What changes the amount, as amounts and days, and what the payee says. */
  readonly instructions: readonly string[]
  /** Null where there is none to be paid. */
  readonly boleto: InvoiceBoleto | null
  /** The Pix text to copy; null where there is none to be paid. */
  readonly pixCode: string | null
  readonly card: InvoiceCard | null
}

/** Draws the page of a charge that is printed and paid. */
export interface InvoiceRenderer {
  /** A PDF of one A4 page. */
  invoicePdf(invoice: Invoice): Promise<Uint8Array>
}
