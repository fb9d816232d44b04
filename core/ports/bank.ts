import type { Day, Instant } from '../kernel/values/day.ts'

/**
 * What came of asking a bank. `refused`: it said no, and why. `unavailable`: it was certainly not asked. `unknown`: a
 * time-out, whatever it did; only asking again by our own id tells.
 */
export type BankAnswer<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'unknown' }

export interface OpenedAccount {
  readonly agency: string
  readonly account: string
  readonly pixKey: string | null
}

export interface PixOrder {
  /** Our own id at the bank, 1 to 25 letters and digits: the same one twice is one title. */
  readonly txid: string
  readonly pixKey: string
  readonly payeeName: string
  readonly payeeCity: string
  readonly valueCents: number
  readonly dueDate: Day
}

export interface PixTitle {
  readonly txid: string
  /**
   * The text of the QR code where the bank alone can make it (a dynamic code is printed unchanged), or null where it
   * is a static code of the account's key, whose amount is what is due on the day it is shown.
   */
  readonly dynamicCode: string | null
  readonly cancelled: boolean
  /** Every payment that reached it, oldest first. */
  readonly payments: readonly PaymentNotice[]
}

/** A payment that reached a title, as the bank tells it, once or more often. */
export interface PaymentNotice {
  readonly txid: string
  readonly endToEndId: string
  readonly method: 'pix' | 'boleto'
  readonly valueCents: number
  readonly paidAt: Instant
  readonly payer: Party | null
}

export interface Party {
  readonly name: string
  readonly document: string
  readonly bank: string | null
  readonly branch: string | null
  readonly account: string | null
}

/**
 * A bank: Pix titles and accounts. Every order carries our own id, so that asking twice does it once: what it took it does
 * not refuse later, and what it refused it does not take.
 * Never rejects. Source: decisions.md §8 and §9.
 */
export interface Bank {
  /** The bank's three digits. */
  readonly compe: string
  /** `reference` is our own id of the account to be. */
  openAccount(order: {
    readonly reference: string
    readonly name: string
    readonly document: string
  }): Promise<BankAnswer<OpenedAccount>>
  /** Asked again, it tells what became of the title. */
  createPix(order: PixOrder): Promise<BankAnswer<PixTitle>>
  /** The title of this txid, or null when the bank never took it. */
  findPix(txid: string): Promise<BankAnswer<PixTitle | null>>
  /** Closes an open title; done also when it was closed before. */
  cancelTitle(txid: string): Promise<BankAnswer<null>>
}
