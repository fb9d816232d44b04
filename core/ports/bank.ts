import type { Either, Failure } from '../failure.ts'
import type { Day, Instant } from '../kernel/values/day.ts'

/** The kinds of records that a bank returns. */
export const BANK_RECORDS = ['title', 'pix', 'boleto', 'refund', 'pay-out'] as const

/** A record that a bank returned in a form that cannot be read. */
export interface UnreadableRecord {
  readonly kind: (typeof BANK_RECORDS)[number]
  /** The bank's id of the record or, if that cannot be read either, the id or path of the request. */
  readonly id: string
  /** The txid of its title and the Pix key it was paid to, as far as they can be read. */
  readonly txid: string | null
  readonly pixKey: string | null
}

/**
 * The outcome of a request to a bank. `refused`: the bank rejected it, with its reason. `unavailable`: the request was
 * not sent. `unknown`: the bank may have carried it out (a time-out, or an answer that cannot be read, named in
 * `unreadable`): look it up by our own id.
 */
export type BankAnswer<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'unknown'; readonly unreadable?: UnreadableRecord }

/** An account at the bank. Title orders and pay-outs name these fields. */
export interface OpenedAccount {
  readonly agency: string
  readonly account: string
  readonly pixKey: string | null
}

/**
 * An ability of a bank. A request that needs a missing ability is refused before anything is stored. A bank without
 * `open-account` has one account, which the first organization gets. `simulated-payments`: its money is not real, and
 * payments can be simulated.
 */
export type BankAbility = 'open-account' | 'pix' | 'boleto' | 'bolepix' | 'simulated-payments'

/** The payment method of a title. A bolepix is one title: its boleto and its Pix share one txid. */
export type TitleMethod = 'PIX' | 'BOLETO' | 'BOLEPIX'

/** A postal address, as the payer entered it. */
export interface Address {
  readonly street: string
  readonly number: string
  readonly district: string
  readonly city: string
  /** Two letters. */
  readonly state: string
  readonly zipcode: string
}

/** The payer that a title names. */
export interface Payer {
  readonly name: string
  readonly document: string | null
  readonly address: Address | null
}

/**
 * Interest, late fine and discount of a title. Rates are hundredths of a real (`ABSOLUTE`) or of a percent
 * (`PERCENTAGE`).
 */
export interface TitleTerms {
  readonly amountRateHundredths: number | null
  readonly typeRate: 'ABSOLUTE' | 'PERCENTAGE' | null
  /** The late fine, due once; absent in an order that was stored before fines existed. */
  readonly fineHundredths?: number | null
  readonly typeFine?: 'ABSOLUTE' | 'PERCENTAGE' | null
  readonly discountHundredths: number | null
  readonly typeDiscount: 'ABSOLUTE' | 'PERCENTAGE' | null
  /** Days before the due day on which the discount ends; its last day is a business day or the due day. */
  readonly daysDiscount: number | null
}

/** An order to register a title (a charge) at the bank. */
export interface TitleOrder extends TitleTerms {
  /** Our own id at the bank: `txidLength` letters and digits. Two orders with one txid make one title. */
  readonly txid: string
  readonly method: TitleMethod
  /** The account's Pix key. Null if the account has none: only a boleto can be ordered then. */
  readonly pixKey: string | null
  readonly payeeName: string
  readonly payeeCity: string
  readonly payeeDocument: string
  /** The account to credit, as `openAccount` returned it. */
  readonly agency: string
  readonly account: string
  /** Null in orders of releases up to 0.4.0. */
  readonly payer: Payer | null
  /** The amount on the due day, without interest or discount. */
  readonly valueCents: number
  readonly dueDate: Day
}

/** The numbers of a boleto that a payer reads or types. */
export interface BoletoTitle {
  readonly nossoNumero: string
  /** 44 digits. */
  readonly barcode: string
  /** 47 digits. */
  readonly digitableLine: string
}

/** A title that the bank registered. */
export interface Title {
  readonly txid: string
  /**
   * The text of the dynamic QR code, which is printed unchanged. Null if the code is static: then the core builds it
   * from the account's key and the amount due on the day it is shown.
   */
  readonly dynamicCode: string | null
  /** Null for a Pix. Checked against our own computation before it is shown. */
  readonly boleto: BoletoTitle | null
  readonly cancelled: boolean
  /** All payments of the title, oldest first. */
  readonly payments: readonly PaymentNotice[]
}

/** A payment of a title. The bank may report it more than once. */
export interface PaymentNotice {
  readonly txid: string
  /** The payment's id at the bank: the endToEndId of a Pix, the nosso número of a boleto. */
  readonly endToEndId: string
  readonly method: 'pix' | 'boleto'
  readonly valueCents: number
  readonly paidAt: Instant
  readonly payer: Party | null
}

/** A Pix to an account without a known title: paid by the account's open QR code or by its key alone. */
export interface ReceivedPix {
  readonly endToEndId: string
  /** Null if the Pix has none. */
  readonly txid: string | null
  /** The account's key that was paid. */
  readonly pixKey: string
  readonly valueCents: number
  readonly paidAt: Instant
  readonly payer: Party | null
}

/** The payer of a Pix, as the bank names it. */
export interface Party {
  readonly name: string
  readonly document: string
  readonly bank: string | null
  readonly branch: string | null
  readonly account: string | null
}

/**
 * A bank: accounts and titles. Every order carries our own id, so that sending it twice has one effect: an accepted
 * order is never refused later, and a refused one never accepted. Its methods never reject.
 */
export interface Bank {
  /** The bank's three digits. */
  readonly compe: string
  readonly can: readonly BankAbility[]
  /** The length of a txid: at most 25 for static codes, 26 to 35 in the API Pix (BCB). */
  readonly txidLength: number
  /** Opens an account; `reference` is our own id of it. A bank without `open-account` returns its only account. */
  openAccount(order: {
    readonly reference: string
    readonly name: string
    readonly document: string
  }): Promise<BankAnswer<OpenedAccount>>
  /** Registers a title. Sent again, returns the title as it is now. */
  createTitle(order: TitleOrder): Promise<BankAnswer<Title>>
  /** Returns the title of this txid, or null if the bank never accepted it. */
  findTitle(txid: string): Promise<BankAnswer<Title | null>>
  /** Closes an open title. `done` if it was closed before, `refused` if it was paid. */
  cancelTitle(txid: string): Promise<BankAnswer<null>>
  /** Absent if the bank cannot refund a received Pix. */
  readonly refunds?: Refunds
  /** Absent if the bank lists no movements; reconciliation needs them. */
  readonly movements?: Movements
  /** Absent if the bank cannot pay out. */
  readonly payOuts?: PayOuts
}

/** An order to refund a received Pix. */
export interface RefundOrder {
  /** Our own id at the bank: 32 letters and digits. Two orders with one id refund once. */
  readonly id: string
  /** The received Pix to refund, whole or in part. */
  readonly endToEndId: string
  readonly valueCents: number
  /** Shown to the payer; at most 140 characters. */
  readonly reason: string | null
}

/** A refund as the bank has it. */
export interface BankRefund {
  /** `processing`: accepted, and the outcome follows. `failed`: no money was or will be returned. */
  readonly status: 'processing' | 'returned' | 'failed'
  /** The bank's reason for a failure, if any. */
  readonly reason: string | null
  /** The id of the refund between banks; null until assigned. */
  readonly returnId: string | null
}

/**
 * Refunds received Pix to their payers, whole or in parts (BCB, API Pix, Devolução). Every order carries our own id, so
 * that sending it twice refunds once: an accepted order is never refused later. Its methods never reject.
 */
export interface Refunds {
  /**
   * Sends a refund. Sent again, returns its current state. `refused` if the Pix is unknown, too old, or has less left.
   */
  refund(order: RefundOrder): Promise<BankAnswer<BankRefund>>
  /** Returns the refund of an order, or null if the bank never accepted it. */
  findRefund(order: RefundOrder): Promise<BankAnswer<BankRefund | null>>
}

export const BANK_ACCOUNT_TYPES = ['CORRENTE', 'POUPANCA', 'SALARIO', 'PAGAMENTO'] as const
export type BankAccountType = (typeof BANK_ACCOUNT_TYPES)[number]

/** An account at any bank, with its holder. */
export interface BankAccountHolder {
  readonly name: string
  /** CPF or CNPJ, letters and digits only. */
  readonly document: string
  /** The bank's ISPB: eight characters. */
  readonly ispb: string
  readonly branch: string
  /** With its check digit, after a hyphen if the bank writes one. */
  readonly account: string
  readonly accountType: BankAccountType
}

/** The receiver of a pay-out: a Pix key as the DICT writes it, or an account. */
export type PayOutTarget = { readonly key: string } | { readonly holder: BankAccountHolder }

/** An order to pay out by Pix. */
export interface PayOutOrder {
  /** Our own id at the bank: `txidLength` letters and digits. Two orders with one id pay once. */
  readonly id: string
  /** The account to debit, as `openAccount` returned it. */
  readonly from: {
    readonly name: string
    readonly document: string
    readonly agency: string
    readonly account: string
    readonly pixKey: string | null
  }
  readonly to: PayOutTarget
  readonly valueCents: number
  /** Shown to the receiver; at most 140 characters. */
  readonly message: string | null
}

/** A pay-out that the bank carried out. */
export interface CompletedPayOut {
  /** The id of the Pix at every bank. */
  readonly endToEndId: string
  readonly paidAt: Instant
  /** The receiver, as the bank names it. */
  readonly receiver: BankAccountHolder
}

/**
 * Pays out by Pix. Every order carries our own id, so that sending it twice pays once: an accepted order is never
 * refused later, and a refused one never paid. Its methods never reject.
 */
export interface PayOuts {
  /** Returns the account of a Pix key, or null if the key is not registered. */
  findKey(key: string): Promise<BankAnswer<BankAccountHolder | null>>
  /** Pays. Sent again, returns the payment. */
  payOut(order: PayOutOrder): Promise<BankAnswer<CompletedPayOut>>
  /** Returns the payment of an order id, or null if the bank never accepted it. */
  findPayOut(id: string): Promise<BankAnswer<CompletedPayOut | null>>
}

export const MOVEMENT_KINDS = ['pix', 'boleto', 'refund', 'pay-out'] as const
/** The kinds of movements at a bank: a received Pix, a paid boleto, a refunded Pix, and a pay-out. */
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** A movement of money, as the bank booked it. */
export interface Movement {
  readonly kind: MovementKind
  /** The endToEndId of a Pix, the nosso número of a boleto, our own id of a refund or pay-out. */
  readonly id: string
  /** The endToEndId of the received, refunded or paid-out Pix; of a boleto its nosso número. */
  readonly endToEndId: string
  /** The txid of its title, if any. */
  readonly txid: string | null
  /** The key that was paid; null if the bank does not report it. */
  readonly pixKey: string | null
  readonly valueCents: number
  readonly at: Instant
}

/** Identifies a movement. */
export type MovementKey = Pick<Movement, 'kind' | 'id' | 'endToEndId'>

/** A query for the movements from `from` (inclusive) to `to` (exclusive), one page at a time. */
export interface MovementsQuery {
  readonly from: Instant
  readonly to: Instant
  /** `next` of the page before; null for the first page. */
  readonly cursor: string | null
}

/** A listed movement that cannot be read. */
export interface UnreadableMovement extends UnreadableRecord {
  readonly kind: MovementKind
}

export interface MovementPage {
  /** At most 200, in any order. */
  readonly movements: readonly Movement[]
  /** The movements of the page that cannot be read. Absent means none. */
  readonly unreadable?: readonly UnreadableMovement[]
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
}

/**
 * The movements that the bank booked, which reconciliation compares with the ledger. Pending ones are not listed. Its
 * methods never reject.
 */
export interface Movements {
  /** The kinds that the bank lists. A movement of another kind is not reported as missing. */
  readonly kinds: readonly MovementKind[]
  list(query: MovementsQuery): Promise<BankAnswer<MovementPage>>
  /** Returns a movement of any time, or null if the bank has none. */
  findMovement(key: MovementKey): Promise<BankAnswer<Movement | null>>
}

/**
 * The platform's entry points for notifications of a bank. Each may be sent more than once. Send it again only after a
 * failure with the tag `unavailable`.
 */
export interface BankNotifications {
  /**
   * Posts the payment of a title; resolves after the commit. Fails: `fields`, `title.unknown`, `payment.elsewhere`,
   * `payment.contradictory` (its id was posted before with other data).
   */
  paid(notice: PaymentNotice): Task<unknown>
  /**
   * Credits a Pix without a known title to the account of its key; resolves after the commit.
   * Fails: `fields`, `account.unknown` (no account has the key or the open code), `payment.contradictory`.
   */
  received(pix: ReceivedPix): Task<unknown>
  /** Records that the bank cancelled a title. Fails: `title.unknown`. */
  cancelled(txid: string): Task<unknown>
  /**
   * Reports a record that cannot be read by a log line, a counter and a notification to the ADMINs of its account; a
   * repeated report changes nothing. Fails: `fields`.
   */
  unreadable(found: UnreadableRecord): Task<unknown>
  /** Returns the amount due today, in cents. Fails: `title.unknown`. */
  amountDue(txid: string): Task<number, 'title.unknown' | 'store.unavailable'>
}

/** A task: `await pay.bank.paid(notice)()`. */
type Task<V, C extends string = string> = () => Promise<Either<Failure<C>, V>>
