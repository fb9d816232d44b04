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
  /** `Ended`: not paid in full, and it can no longer be paid. */
  readonly status: 'Open' | 'Paid' | 'Ended'
  /** Its current amount in cents and due date, which the account's users may have changed. */
  readonly valueCents: number
  readonly dueDate: Day
  /** Its payments less their refunds, in cents; less than the amount due if it was paid in part. */
  readonly receivedCents: number
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
 * Issues charges on payment accounts by their API keys. Its methods never reject: `refused` carries a reason for
 * people; try again after `unavailable` and `unknown`. Payments arrive through `ChargeNotifications`.
 */
export interface Charging {
  /** Returns the account of a key, or null if the key is unknown. */
  account(apiKey: string): Promise<BankAnswer<ChargingAccount | null>>
  /** Issues a charge. A repeated reference returns the first charge in its current state. */
  issue(order: ChargeOrder): Promise<BankAnswer<IssuedCharge>>
  /** Returns the charge of a reference, or null if none was issued. */
  find(key: ChargeKey): Promise<BankAnswer<IssuedCharge | null>>
  /**
   * Ends the charge of a reference, so that it can no longer be paid, and returns the part that was paid, which stays.
   * `done` too if it had ended or never existed; `refused` if it was paid in full.
   */
  cancel(key: ChargeKey): Promise<BankAnswer<EndedCharge>>
}

/** A charge that can no longer be paid. */
export interface EndedCharge {
  /** The partial payments less their refunds, in cents; 0 without any. */
  readonly receivedCents: number
}

/** The payment of a charge in full. */
export interface ChargeNotice {
  /** The reference of the order. */
  readonly reference: string
  /** All payments of the charge less their refunds, in cents; may differ from the amount due. */
  readonly valueCents: number
  readonly paidAt: Instant
  /** The method of the payment. */
  readonly method: ChargeMethod
}

/** The money of a charge, after a partial payment, a refund, or a payment of a closed or paid charge. */
export interface ChargeBalance {
  /** The reference of the order. */
  readonly reference: string
  /** All payments of the charge less their refunds, in cents. */
  readonly receivedCents: number
  /** The payment in full that was notified before; null without one. */
  readonly paid: Pick<ChargeNotice, 'paidAt' | 'method'> | null
}

/**
 * The agency's entry point for the money of charges. Send a notice again only after a failure with the tag
 * `unavailable`.
 */
export interface ChargeNotifications {
  /** Records a payment; resolves after the commit. A duplicate changes nothing. Fails: `fields`, `charge.unknown`. */
  paid(notice: ChargeNotice): () => Promise<Either<Failure, unknown>>
  /**
   * Records the money of a charge that is not paid in full or no longer; resolves after the commit. A duplicate changes
   * nothing. Fails: `fields`, `charge.unknown`.
   */
  changed(balance: ChargeBalance): () => Promise<Either<Failure, unknown>>
}
