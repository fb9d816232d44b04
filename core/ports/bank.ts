import type { Day, Instant } from '../kernel/values/day.ts'
import type { BankAnswer } from './bank-answer.ts'
import type { Movements } from './movements.ts'
import type { PayOuts } from './pay-outs.ts'
import type { Refunds } from './refunds.ts'

export type { BankAnswer } from './bank-answer.ts'

export interface OpenedAccount {
  readonly agency: string
  readonly account: string
  readonly pixKey: string | null
}

/**
 * What a bank can do: what it cannot is refused before anything is kept of it. One that opens no accounts has one, which is the
 * first organization's. `simulated-payments`: no money of its is real, so that a payment may be played beside the others.
 */
export type BankAbility = 'open-account' | 'pix' | 'boleto' | 'bolepix' | 'simulated-payments'

/** By what a title can be paid: a bolepix is one title, whose boleto and Pix have one txid. */
export type TitleMethod = 'PIX' | 'BOLETO' | 'BOLEPIX'

/** Where somebody lives, as they said it. */
export interface Address {
  readonly street: string
  readonly number: string
  readonly district: string
  readonly city: string
  /** Two letters. */
  readonly state: string
  readonly zipcode: string
}

/** Who is asked to pay. */
export interface Payer {
  readonly name: string
  readonly document: string | null
  readonly address: Address | null
}

/** What changes what a title asks around its due day; rates are hundredths of what their type names. */
export interface TitleTerms {
  readonly amountRateHundredths: number | null
  readonly typeRate: 'ABSOLUTE' | 'PERCENTAGE' | null
  readonly discountHundredths: number | null
  readonly typeDiscount: 'ABSOLUTE' | 'PERCENTAGE' | null
  /** Through how many days before the due day the discount holds: its last day is a business day, or the due day. */
  readonly daysDiscount: number | null
}

export interface TitleOrder extends TitleTerms {
  /** Our own id at the bank, letters and digits, as many as `txidLength`: the same one twice is one title. */
  readonly txid: string
  readonly method: TitleMethod
  /** The account's key; null where it has none, which only a boleto can do without. */
  readonly pixKey: string | null
  readonly payeeName: string
  readonly payeeCity: string
  readonly payeeDocument: string
  /** The account that is credited, as `openAccount` gave it. */
  readonly agency: string
  readonly account: string
  /** Null in what a release until 0.4.0 has ordered. */
  readonly payer: Payer | null
  /** What is asked on the due day without interest or discount. */
  readonly valueCents: number
  readonly dueDate: Day
}

/** What a payer reads or types of a boleto. */
export interface BoletoTitle {
  readonly nossoNumero: string
  /** 44 digits. */
  readonly barcode: string
  /** 47 digits. */
  readonly digitableLine: string
}

export interface Title {
  readonly txid: string
  /**
   * The text of the QR code where the bank alone can make it (a dynamic code is printed unchanged), or null where it
   * is a static code of the account's key, whose amount is what is due on the day it is shown.
   */
  readonly dynamicCode: string | null
  /** Null for a Pix. What it says is checked against our own computation before anybody sees it. */
  readonly boleto: BoletoTitle | null
  readonly cancelled: boolean
  /** Every payment that reached it, oldest first. */
  readonly payments: readonly PaymentNotice[]
}

/** A payment that reached a title, as the bank tells it, once or more often. */
export interface PaymentNotice {
  readonly txid: string
  /** The payment's id at the bank: of a Pix its endToEndId, of a boleto its nosso número. */
  readonly endToEndId: string
  readonly method: 'pix' | 'boleto'
  readonly valueCents: number
  readonly paidAt: Instant
  readonly payer: Party | null
}

/** A Pix that reached an account and no title of it that we know: by its open code, or by its key alone. */
export interface ReceivedPix {
  readonly endToEndId: string
  /** Null where it has none. */
  readonly txid: string | null
  /** The account's key that it was paid to. */
  readonly pixKey: string
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
 * A bank: titles and accounts. Every order carries our own id, so that asking twice does it once: what it took it does
 * not refuse later, and what it refused it does not take.
 * Never rejects. Source: decisions.md §8 and §9.
 */
export interface Bank {
  /** The bank's three digits. */
  readonly compe: string
  readonly can: readonly BankAbility[]
  /** How many letters and digits a txid has: at most 25 where codes are static, 26 to 35 by the API Pix. */
  readonly txidLength: number
  /** `reference` is our own id of the account to be; without `open-account` it is the bank's one, and nobody else asks. */
  openAccount(order: {
    readonly reference: string
    readonly name: string
    readonly document: string
  }): Promise<BankAnswer<OpenedAccount>>
  /** Asked again, it tells what became of the title. */
  createTitle(order: TitleOrder): Promise<BankAnswer<Title>>
  /** The title of this txid, or null when the bank never took it. */
  findTitle(txid: string): Promise<BankAnswer<Title | null>>
  /** Closes an open title; done also when it was closed before. Refused where it was paid. */
  cancelTitle(txid: string): Promise<BankAnswer<null>>
  /** How a received Pix is given back; a bank that cannot do it has none. */
  readonly refunds?: Refunds
  /** What moved, for whoever compares; a bank that lists nothing has none. */
  readonly movements?: Movements
  /** How money leaves; a bank that cannot pay out has none. */
  readonly payOuts?: PayOuts
}
