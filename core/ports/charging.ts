import type { Either, Failure } from '../failure.ts'
import type { Day, Instant } from '../kernel/values/day.ts'
import type { BankAnswer } from './bank.ts'

/** The payment methods of a charge. */
export type ChargeMethod = 'Pix' | 'Boleto'

/** Identifies a charge: the API key of the account that receives it, and our own reference. */
export interface ChargeKey {
  readonly apiKey: string
  readonly reference: string
}

/** An order to issue a charge; amounts in cents. */
export interface ChargeOrder extends ChargeKey {
  readonly method: ChargeMethod
  readonly valueCents: number
  readonly dueDate: Day
  /** Shown to the payer. */
  readonly description: string
  /** Interest in percent a month, pro rata by day after the due date; null for none. */
  readonly interestPercentage: number | null
  /** Discount until the due date, less than the value; null for none. */
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
  /** The id of the charge on the payments platform. */
  readonly id: string
  /** `Ended`: unpaid, and it can no longer be paid. */
  readonly status: 'Open' | 'Paid' | 'Ended'
  /** Its current amount in cents and due date, which the account's users may have changed. */
  readonly valueCents: number
  readonly dueDate: Day
  /** The copy-and-paste text of its Pix, if any. */
  readonly pixText: string | null
  /** The digitable line of its boleto, without spaces, if any. */
  readonly digitableLine: string | null
  /** The address of the printable boleto, if any. */
  readonly boletoUrl: string | null
  /** The payer's page. */
  readonly url: string
}

/** The account of an API key. */
export interface ChargingAccount {
  readonly name: string
}

/**
 * Issues charges on payment accounts by their API keys. Its methods never reject: `refused` carries a reason for people; try
 * again after `unavailable` and `unknown`. Payments arrive through `ChargeNotifications`.
 */
export interface Charging {
  /** Returns the account of a key, or null if the key is unknown. */
  account(apiKey: string): Promise<BankAnswer<ChargingAccount | null>>
  /** Issues a charge. A repeated reference returns the first charge in its current state. */
  issue(order: ChargeOrder): Promise<BankAnswer<IssuedCharge>>
  /** Returns the charge of a reference, or null if none was issued. */
  find(key: ChargeKey): Promise<BankAnswer<IssuedCharge | null>>
  /**
   * Ends the charge of a reference, so that it can no longer be paid. `done` too if it had ended or never existed; `refused`
   * if it was paid.
   */
  cancel(key: ChargeKey): Promise<BankAnswer<null>>
}

/** The payment of a charge. */
export interface ChargeNotice {
  /** The reference of the order. */
  readonly reference: string
  /** The amount received, in cents, which may differ from the amount due. */
  readonly valueCents: number
  readonly paidAt: Instant
  /** The method of the payment. */
  readonly method: ChargeMethod
}

/**
 * The agency's entry point for paid charges. Send a notice again only after a failure with the tag `unavailable`.
 */
export interface ChargeNotifications {
  /** Records a payment; resolves after the commit. A duplicate changes nothing. Fails: `fields`, `charge.unknown`. */
  paid(notice: ChargeNotice): () => Promise<Either<Failure, unknown>>
}
