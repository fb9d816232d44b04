import { daysBetween } from '../../../kernel/values/day.ts'
import type { Payer, TitleMethod, TitleOrder } from '../../../ports/bank.ts'
import type { Account } from '../../accounts/account.ts'
import type { Client } from '../../customers/client.ts'
import { discountLastDay } from '../../terms/amount-due.ts'
import type { Charge } from '../charge.ts'
import { dueOn, termsOf } from '../charge-view.ts'

/** The kind of the operations that ask for a title. */
export const CREATE_TITLE = 'create-title'
/** How long the bank may take before the worker asks it again: longer than one call's time-out. */
export const TITLE_LEASE_SECONDS = 60

/** An account has no address yet, and a Pix code needs a city. */
export const PAYEE_CITY = 'BRASIL'

/** What is to be paid, whom, and by whom. */
export interface Ordered {
  readonly charge: Charge
  readonly account: Account
  readonly client: Client
}

/** What the bank is ordered for a charge that is paid by a title. */
export const titleOrder = (txid: string, method: TitleMethod, { charge, account, client }: Ordered): TitleOrder => ({
  txid,
  method,
  pixKey: charge.pixKey,
  payeeName: account.name,
  payeeCity: PAYEE_CITY,
  payeeDocument: account.document,
  agency: account.agency,
  account: account.account,
  // A Pix code leads its reader to the payer that the bank was given, and the caller of a link may name any client.
  payer: method === 'PIX' && charge.linkId !== null ? null : payerOf(charge, client),
  // What a Pix asks when it is due; a boleto's digits keep the face value, and the bank counts from its terms.
  valueCents: method === 'PIX' ? dueOn(charge, charge.dueDate) : charge.valueCents,
  dueDate: charge.dueDate,
  amountRateHundredths: charge.amountRateHundredths,
  typeRate: charge.typeRate,
  discountHundredths: charge.discountHundredths,
  typeDiscount: charge.typeDiscount,
  daysDiscount: daysOfDiscount(charge),
})

/** To its last day as it was moved, so that no bank has to move it; what holds through the due day is in a Pix's value. */
const daysOfDiscount = (charge: Charge): number | null =>
  charge.daysDiscount === null ? null : Math.max(0, daysBetween(discountLastDay(termsOf(charge)), charge.dueDate))

const payerOf = ({ address }: Charge, { name, document }: Client): Payer => ({ name, document, address })

/** What a release until 0.4.0 has ordered: a Pix, and less was said of it. */
type EarlierOrder = Pick<TitleOrder, 'txid' | 'pixKey' | 'payeeName' | 'payeeCity' | 'valueCents' | 'dueDate'>

const UNSAID = {
  method: 'PIX',
  payeeDocument: '',
  agency: '',
  account: '',
  payer: null,
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
} as const satisfies Omit<TitleOrder, keyof EarlierOrder>

/** An order as it was kept, whichever release kept it. */
export const keptOrder = (order: EarlierOrder | TitleOrder): TitleOrder => ({ ...UNSAID, ...order })
