import type { Instant } from '../kernel/values/day.ts'
import type { BankAnswer } from './bank-answer.ts'

export const BANK_ACCOUNT_TYPES = ['CORRENTE', 'POUPANCA', 'SALARIO', 'PAGAMENTO'] as const
export type BankAccountType = (typeof BANK_ACCOUNT_TYPES)[number]

/** An account at any bank, and whose it is. */
export interface BankAccountHolder {
  readonly name: string
  /** CPF or CNPJ, letters and digits alone. */
  readonly document: string
  /** The bank's ISPB, of eight. */
  readonly ispb: string
  readonly branch: string
  /** With its check digit, behind a hyphen where the bank writes one. */
  readonly account: string
  readonly accountType: BankAccountType
}

/** Whom money is paid out to: a Pix key in the form of the DICT, or an account by its data. */
export type PayOutTarget = { readonly key: string } | { readonly holder: BankAccountHolder }

export interface PayOutOrder {
  /** Our own id at the bank, letters and digits, as many as `txidLength`: what is asked twice by it is paid once. */
  readonly id: string
  /** Which account it is taken from, as `openAccount` gave it. */
  readonly from: {
    readonly name: string
    readonly document: string
    readonly agency: string
    readonly account: string
    readonly pixKey: string | null
  }
  readonly to: PayOutTarget
  readonly valueCents: number
  /** What the receiver reads; at most 140 characters. */
  readonly message: string | null
}

/** A Pix that has left. */
export interface PaidOut {
  /** The id by which every bank knows it. */
  readonly endToEndId: string
  readonly paidAt: Instant
  /** Who got it, as the bank says it. */
  readonly receiver: BankAccountHolder
}

/**
 * Money that leaves by Pix. Every order carries our own id, so that asking twice pays once: what the bank took it does not
 * refuse later, and what it refused it does not pay. Never rejects. Source: decisions.md §5, §8 and §11.
 */
export interface PayOuts {
  /** Whose a key is, or null where nobody has it. */
  findKey(key: string): Promise<BankAnswer<BankAccountHolder | null>>
  /** Asked again, it tells what was paid. */
  payOut(order: PayOutOrder): Promise<BankAnswer<PaidOut>>
  /** What was paid by this id, or null where the bank never took it. */
  findPayOut(id: string): Promise<BankAnswer<PaidOut | null>>
}
