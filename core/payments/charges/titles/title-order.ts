import type { PixOrder } from '../../../ports/bank.ts'
import type { Charge } from '../charge.ts'
import { dueOn } from '../charge-view.ts'

/** The kind of the operations that ask for a title. */
export const CREATE_TITLE = 'create-title'
/** How long the bank may take before the worker asks it again: longer than one call's time-out. */
export const TITLE_LEASE_SECONDS = 60

/** What the bank is ordered for a charge; an account may have no key. */
export interface TitleOrder extends Omit<PixOrder, 'pixKey'> {
  readonly pixKey: string | null
}

/** An account has no address yet, and a Pix code needs a city. */
const PAYEE_CITY = 'BRASIL'

export const titleOrder = (charge: Charge, txid: string, payeeName: string): TitleOrder => ({
  txid,
  pixKey: charge.pixKey,
  payeeName,
  payeeCity: PAYEE_CITY,
  valueCents: dueOn(charge, charge.dueDate),
  dueDate: charge.dueDate,
})
