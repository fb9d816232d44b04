import type { PayOrder } from '../../../adapters/bank/fake/console.ts'
import type { Queue } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import type { Bank, BankNotifications } from '../../../core/ports/bank.ts'

export interface PaidAtBank {
  readonly endToEndId: string
  readonly txid: string
  readonly valueCents: number
  /** Whether the platform has said that it took the notice. */
  readonly told: boolean
}

/** The truth as the bank knows it. */
export interface BankBooks {
  readonly titles: readonly { readonly txid: string; readonly cancelled: boolean }[]
  readonly payments: readonly PaidAtBank[]
  /** What has left by it, by our own id; of a bank that cannot pay out nothing. */
  readonly payOuts: readonly { readonly txid: string; readonly endToEndId: string; readonly valueCents: number }[]
  /** What went back to payers, by our own id. */
  readonly refunds: readonly { readonly id: string; readonly endToEndId: string; readonly valueCents: number }[]
  /** By our own reference. */
  readonly accounts: readonly string[]
  /** Notices that the platform has not taken yet. */
  readonly untold: number
}

/** A bank that makes no mistakes: those happen on the way to it. */
export interface BankSide {
  readonly name: string
  bankFor(runtime: Runtime): Bank
  queuesFor(runtime: Runtime, notifications: BankNotifications): readonly Queue[]
  /** Somebody's bank pays a title, and this one tells the platform in its own time. */
  pay(order: PayOrder): Promise<void>
  cancel(txid: string): Promise<void>
  books(): Promise<BankBooks>
}
