import { failure } from '../../../core/failure.ts'
import { isLeft, left, right } from '../../../core/fp.ts'
import { insert, patch, remove } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import {
  decideAndCommit,
  decided,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../../core/kernel/running/use-case.ts'
import { plusSeconds } from '../../../core/kernel/values/day.ts'
import { endToEndId } from '../../../core/payments/pix/end-to-end-id.ts'
import type { BankNotifications } from '../../../core/ports/bank-notifications.ts'
import { byId } from '../../../core/ports/store.ts'
import { type Fault, faults, type Payment, payments, type Title, titles } from './books.ts'
import { fakeBankTeller, type Paid } from './teller.ts'

/** Whom a payment comes from when nobody says: a document whose check digits are right. */
const SOMEBODY = { name: 'Fulano de Tal', document: '12345678909' }
const ISPB = '01181521'
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const FIRST_WAIT_SECONDS = 5

export interface PayOrder {
  readonly txid: string
  /** By default what is due. */
  readonly valueCents?: number | null
  /** The payment's; by default one of its own. The same one again is the same payment. */
  readonly endToEndId?: string | null
  readonly payer?: { readonly name: string; readonly document: string } | null
}

/** What can be done at the console of the fake bank, as tasks: `await console.pay({ txid })()`. Source: decisions.md §8. */
export interface FakeBankConsole {
  /** The payer's bank pays a title; resolves after the platform has heard of it. Fails: `title.unknown`. */
  pay(order: PayOrder): UseCase<Paid, 'title.unknown' | RunnerCode>
  /** Closes an open title at the bank and tells the platform, now or later. Fails: `title.unknown`. */
  cancel(txid: string): UseCase<Title, 'title.unknown' | RunnerCode>
  /** The next calls of an operation fail. */
  fail(fault: Fault): UseCase<null, RunnerCode>
}

export const fakeBankConsole = (runtime: Runtime, notifications: BankNotifications): FakeBankConsole => {
  const { tellPaid, tellCancelled } = fakeBankTeller(runtime, notifications)
  return {
    pay: (order) => async (hooks) => {
      const { txid, valueCents = null } = order
      const due = valueCents === null ? await notifications.amountDue(txid)() : right(valueCents)
      if (isLeft(due)) return due
      const paid = await recordPayment(runtime, order, due.right)
      if (isLeft(paid)) return paid
      return right(await tellPaid(paid.right.payment, hooks))
    },
    cancel: (txid) => async (hooks) => {
      const cancelled = await decideAndCommit(
        runtime,
        (store) => store.find(byId(titles, txid)),
        (title, { now }) =>
          title ? decided(title, cancellation(txid, now)) : left(failure('not-found', 'title.unknown')),
        hooks?.whole,
      )
      if (!isLeft(cancelled)) await tellCancelled(cancelled.right)
      return cancelled
    },
    fail: (fault) => (hooks) =>
      decideAndCommit(
        runtime,
        (store) => store.find(byId(faults, fault.id)),
        (known) => decided(null, ...(known ? [remove(faults, fault.id, always)] : []), insert(faults, fault)),
        hooks?.whole,
      ),
  }
}

const cancellation = (txid: string, now: string) => {
  const set = { status: 'cancelled', dueAt: plusSeconds(now, FIRST_WAIT_SECONDS), attempts: 0 } as const
  return patch(titles, txid, { set, when: always })
}

/** Where a payment is kept that has this id: one of another title, or of another amount, is another payment. */
const placeOf = (endToEndId: string, { txid, valueCents }: PayOrder, holder: Payment | null): string => {
  const isOther = holder !== null && holder.txid !== txid
  const differs = holder !== null && (valueCents ?? holder.valueCents) !== holder.valueCents
  return [endToEndId, ...(isOther ? [txid] : []), ...(differs ? [valueCents] : [])].join('|')
}

const recordPayment = (runtime: Runtime, order: PayOrder, valueCents: number) =>
  decideAndCommit(
    runtime,
    async (store) => {
      const { txid, endToEndId: id = null } = order
      const title = await store.find(byId(titles, txid))
      const holder = id === null ? null : await store.find(byId(payments, id))
      return { title, holder, known: id === null ? null : await store.find(byId(payments, placeOf(id, order, holder))) }
    },
    ({ title, holder, known }, fresh) => {
      if (!title) return left(failure('not-found', 'title.unknown'))
      if (known) return decided({ payment: known })
      const random = fresh.text(ALPHANUMERIC, 11)
      const { name, document } = order.payer ?? SOMEBODY
      const endToEnd = order.endToEndId ?? endToEndId({ ispb: ISPB, instant: fresh.now, random })
      const payment: Payment = {
        id: placeOf(endToEnd, order, holder),
        endToEndId: endToEnd,
        txid: order.txid,
        valueCents,
        payerName: name,
        payerDocument: document,
        paidAt: fresh.now,
        dueAt: plusSeconds(fresh.now, FIRST_WAIT_SECONDS),
        attempts: 0,
        refusal: null,
      }
      return decided({ payment }, insert(payments, payment))
    },
  )
