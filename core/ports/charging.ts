import type { Day } from '../kernel/values/day.ts'
import type { BankAnswer } from './bank-answer.ts'

/** By what somebody is asked to pay. */
export type ChargeMethod = 'Pix' | 'Boleto'

/** By what a charge is known: the API key of the account that it pays, and our own reference. */
export interface ChargeKey {
  readonly apiKey: string
  readonly reference: string
}

/** What somebody is asked to pay, and until when; cents. */
export interface ChargeOrder extends ChargeKey {
  readonly method: ChargeMethod
  readonly valueCents: number
  readonly dueDate: Day
  /** What it is for, as its payer reads it. */
  readonly description: string
  /** Percent a month, pro rata by the day once the due date is past, never more than this; null for none. */
  readonly interestPercentage: number | null
  /** What is taken off until the due date, below the value; null for nothing. */
  readonly discountCents: number | null
  readonly payer: {
    readonly name: string
    /** A CPF or CNPJ without marks. */
    readonly taxId: string
    readonly email: string
  }
}

/** A charge that was issued, as it is now. */
export interface IssuedCharge {
  /** By which it is known where it was issued. */
  readonly id: string
  /** `Ended`: nobody can pay it any more, and nobody has. */
  readonly status: 'Open' | 'Paid' | 'Ended'
  /** What it asks for by now, and until when: whoever has its account may have changed it; cents. */
  readonly valueCents: number
  readonly dueDate: Day
  /** The copy-and-paste text of its Pix; null where it has none. */
  readonly pixText: string | null
  /** The digits that are typed to pay its boleto, without spaces; null where it has none. */
  readonly digitableLine: string | null
  /** The boleto as a page to print; null where it has none. */
  readonly boletoUrl: string | null
  /** Where its payer sees and pays it. */
  readonly url: string
}

/** The account that an API key opens. */
export interface ChargingAccount {
  readonly name: string
}

/**
 * Charges on payment accounts of others, by their API keys. Nothing rejects: `refused` says why in words for people; after
 * `unavailable` and `unknown` it is worth asking again. Money that came is told by `ChargeNotifications`.
 */
export interface Charging {
  /** Whose key it is; null where it is nobody's. */
  account(apiKey: string): Promise<BankAnswer<ChargingAccount | null>>
  /** Issues a charge once, however often it is ordered under its reference: the first one is given again, as it is by then. */
  issue(order: ChargeOrder): Promise<BankAnswer<IssuedCharge>>
  /** The charge of a reference; null where none was issued. */
  find(key: ChargeKey): Promise<BankAnswer<IssuedCharge | null>>
  /**
   * Sees to it that nobody can pay the charge of a reference any more; done too where nobody could. One that was paid is
   * refused.
   */
  cancel(key: ChargeKey): Promise<BankAnswer<null>>
}
