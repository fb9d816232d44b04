import type { Day, Instant } from '../kernel/values/day.ts'

/** A party on a printed charge: the document with its marks, the address on one line. */
export interface InvoiceParty {
  readonly name: string
  readonly document: string | null
  readonly address: string | null
}

/** A registered boleto, as printed. */
export interface InvoiceBoleto {
  /** The bank's name, and its code with the check digit: `748-X`. */
  readonly bankName: string
  readonly bankCode: string
  readonly agencyAndCode: string
  readonly nossoNumero: string
  readonly portfolio: string
  /** 44 digits. */
  readonly barcode: string
  /** With its dots and spaces. */
  readonly digitableLine: string
}

/** The card that paid, without its number. */
export interface InvoiceCard {
  readonly brand: string
  readonly last4: string
  readonly holder: string
  readonly installments: number
}

export type InvoiceStatus = 'pending' | 'paid' | 'cancelled' | 'expired' | 'failed'

/** The content of a printed charge: ready Portuguese texts of any length and any characters. */
export interface Invoice {
  readonly id: number
  readonly code: string
  readonly method: 'PIX' | 'BOLETO' | 'BOLEPIX' | 'CREDIT_CARD'
  readonly status: InvoiceStatus
  /** `logo` is a PNG or JPEG; any other file is left out. */
  readonly payee: InvoiceParty & { readonly logo: Uint8Array | null }
  readonly payer: InvoiceParty
  readonly description: string | null
  readonly valueCents: number
  readonly dueDate: Day
  readonly documentDay: Day
  /** The day on which the page is drawn, and the amount due on it. */
  readonly day: Day
  readonly dueCents: number
  /** The amount received and its day; null before payment. */
  readonly paid: { readonly cents: number; readonly day: Day } | null
  /** Refunds and the rest of the payment, in Portuguese; null without a refund. */
  readonly refundNote: string | null
  /** The terms that change the amount, and the payee's own instructions. */
  readonly instructions: readonly string[]
  /** Null if there is no boleto to pay. */
  readonly boleto: InvoiceBoleto | null
  /** The copy-and-paste text of the Pix; null if there is none to pay. */
  readonly pixCode: string | null
  readonly card: InvoiceCard | null
}

/** Draws charges as PDF. */
export interface InvoiceRenderer {
  /** A PDF of one A4 page. */
  invoicePdf(invoice: Invoice): Promise<Uint8Array>
}

/** The holder of an account and the account itself; the document has its marks. */
export interface StatementHolder {
  readonly name: string
  readonly document: string
  readonly bank: string
  readonly agency: string
  readonly account: string
}

export interface StatementLine {
  readonly at: Instant
  readonly type: string
  readonly description: string
  /** The other party, if known: name and document on one line. */
  readonly party: string | null
  /** Negative is a debit. */
  readonly valueCents: number
  /** The account's balance after the entry; null for entries outside the balance, such as card sales. */
  readonly balanceCents: number | null
}

/** Opening and closing balance of a period; income and expenses are magnitudes. */
export interface StatementSums {
  readonly openingCents: number
  readonly closingCents: number
  readonly incomeCents: number
  readonly expensesCents: number
}

export interface StatementDay {
  readonly day: Day
  /** Null in a filtered statement, whose lines do not add up to the balance. */
  readonly openingCents: number | null
  readonly closingCents: number | null
  readonly lines: readonly StatementLine[]
}

/** The content of a printed statement: ready Portuguese texts of any length and any characters. */
export interface Statement {
  readonly holder: StatementHolder
  /** First and last day, both included; null without a bound. */
  readonly from: Day | null
  readonly to: Day | null
  readonly issuedAt: Instant
  readonly sums: StatementSums | null
  /** The filters of the list in words; null without filters. */
  readonly filters: string | null
  /** In ascending order. */
  readonly days: readonly StatementDay[]
}

/** A party of a movement, as far as it is known. */
export interface ReceiptParty {
  readonly name: string
  readonly document: string
  /** Bank, branch and account on one line. */
  readonly bankAccount: string | null
}

/** The content of a receipt of one movement. */
export interface Receipt {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly at: Instant
  readonly issuedAt: Instant
  readonly valueCents: number
  readonly description: string
  /** Refunds and the rest of the payment, in Portuguese; null without a refund. */
  readonly refundNote: string | null
  readonly payer: ReceiptParty | null
  readonly receiver: ReceiptParty | null
  readonly endToEndId: string | null
  readonly txid: string | null
  readonly holder: StatementHolder
}

export interface ChargeListLine {
  readonly id: number
  readonly client: string
  /** With its marks; null if unknown. */
  readonly document: string | null
  readonly description: string | null
  readonly method: string
  readonly status: string
  readonly dueDate: Day
  readonly valueCents: number
  /** The amount received and its day; null before payment. */
  readonly paid: { readonly cents: number; readonly day: Day | null } | null
  readonly refundedCents: number | null
}

/** The content of a printed list of charges: ready Portuguese texts of any length and any characters. */
export interface ChargeListPaper {
  readonly holder: StatementHolder
  readonly issuedAt: Instant
  /** The filters of the list in words; null without filters. */
  readonly filters: string | null
  readonly valueCents: number
  readonly paidCents: number
  readonly refundedCents: number
  readonly lines: readonly ChargeListLine[]
}

/** Draws statements, lists of charges and receipts as PDF. A long document must not block the event loop. */
export interface StatementRenderer {
  statementPdf(statement: Statement): Promise<Uint8Array>
  chargeListPdf(list: ChargeListPaper): Promise<Uint8Array>
  /** One A4 page. */
  receiptPdf(receipt: Receipt): Promise<Uint8Array>
}

/** A section of a printed contract: labels and values. */
export interface ContractSection {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
}

/** The content of a printed contract: ready Portuguese texts of any length and any characters. */
export interface PrintedContract {
  readonly id: string
  /** `Contrato de locação`. */
  readonly title: string
  /** The agency; its document has its marks. */
  readonly agency: { readonly name: string; readonly document: string | null }
  readonly sections: readonly ContractSection[]
  /** The signers, each with a role and a name. */
  readonly signers: readonly { readonly role: string; readonly name: string }[]
  /** The instant of the last change, printed instead of the current time: equal contracts give equal bytes. */
  readonly updatedAt: Instant
  /** Printed on each copy: copies with equal fingerprints have equal content. */
  readonly fingerprint: string
}

/** Draws contracts as PDF, on one A4 page. */
export interface ContractRenderer {
  contractPdf(contract: PrintedContract): Promise<Uint8Array>
}

/** A payment of an owner's property. */
export interface OwnerStatementLine {
  readonly day: Day
  /** The property's code. */
  readonly property: string
  readonly description: string
  /** The amount paid. */
  readonly valueCents: number
  /** The owner's part, negative for a debit; null if the payment is listed for information only. */
  readonly effectCents: number | null
}

/** The content of an owner's monthly statement: ready Portuguese texts of any length and any characters. */
export interface OwnerStatementPaper {
  /** The agency's name, if it has one. */
  readonly agency: string | null
  readonly owner: string
  /** `YYYY-MM`. */
  readonly period: string
  readonly issuedAt: Instant
  readonly lines: readonly OwnerStatementLine[]
  readonly incomeCents: number
  readonly administrationCents: number
  readonly expensesCents: number
  readonly netCents: number
}

/** Draws owners' statements as PDF on as many A4 pages as needed. */
export interface OwnerStatementRenderer {
  ownerStatementPdf(statement: OwnerStatementPaper): Promise<Uint8Array>
}

/** Draws QR codes. */
export interface QrRenderer {
  /** A QR code of the text as PNG: byte mode, error correction M, quiet zone of 4 modules. */
  qrPng(text: string): Promise<Uint8Array>
}

/** A section of a printed report on a person's data: records, each with labels and values. */
export interface PersonalDataSection {
  readonly title: string
  readonly records: readonly (readonly (readonly [label: string, value: string])[])[]
  /** Printed if there are no records. */
  readonly empty: string
}

/**
 * The content of a printed report on the stored data of a person: ready Portuguese texts of any length and any
 * characters.
 */
export interface PersonalDataPaper {
  readonly title: string
  /** The controller of the data; the document has its marks. */
  readonly controller: { readonly name: string; readonly document: string | null }
  readonly person: string
  readonly issuedAt: Instant
  readonly sections: readonly PersonalDataSection[]
}

/** Draws reports on stored personal data as PDF, on as many A4 pages as needed. */
export interface PersonalDataRenderer {
  personalDataPdf(paper: PersonalDataPaper): Promise<Uint8Array>
}
