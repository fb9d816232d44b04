import { type Either, isLeft, left, right } from '../../../core/fp.ts'
import { type Failure, failure } from '../../../core/kernel/failure.ts'
import { insert, patch, remove } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { decideAndCommit, decided, type Runtime } from '../../../core/kernel/running/use-case.ts'
import { plusSeconds } from '../../../core/kernel/values/day.ts'
import { endToEndId } from '../../../core/payments/pix/end-to-end-id.ts'
import type { BankInlet } from '../../../core/ports/bank-inlet.ts'
import { byId } from '../../../core/ports/store.ts'
import { type Fault, faults, type Payment, payments, type Title, titles } from './books.ts'
import { noticeOf } from './notice.ts'

/** Whom a payment comes from when nobody says: a document whose check digits are right. */
const SOMEBODY = { name: 'Fulano de Tal', document: '12345678909' }
const ISPB = '01181521'
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const FIRST_WAIT_SECONDS = 5

export interface PayOrder {
  readonly txid: string
  /** Null: what is due. */
  readonly valueCents: number | null
  readonly endToEndId: string | null
  readonly payer: { readonly name: string; readonly document: string } | null
}

/** What the platform made of a notice: it took it, refused it for good, or could not hear it just now. */
export type Heard = 'taken' | 'refused' | 'not yet'

/** What somebody at the fake bank's desk can do. Source: decisions.md §8. */
export interface FakeBankConsole {
  /** The payer's bank pays a title; resolves after the platform has heard of it. Fails: `title.unknown`. */
  pay(order: PayOrder): Promise<Either<Failure, { readonly endToEndId: string; readonly heard: Heard }>>
  /** Closes an open title at the bank and tells the platform, now or later. Fails: `title.unknown`. */
  cancel(txid: string): Promise<Either<Failure, unknown>>
  /** The next calls of an operation fail. */
  fail(fault: Fault): Promise<Either<Failure, unknown>>
  /** Tells the platform of a payment; where it could not hear, it is told again later. */
  tell(payment: Payment): Promise<Heard>
  /** Tells it that a title was cancelled, likewise. */
  tellCancelled(title: Pick<Title, 'id'>): Promise<boolean>
}

export const fakeBankConsole = (runtime: Runtime, inlet: BankInlet): FakeBankConsole => {
  const tell = async (payment: Payment): Promise<Heard> => {
    const told = await inlet.paid(noticeOf(payment))
    if (isLeft(told) && told.left.tag === 'unavailable') return 'not yet'
    const refusal = isLeft(told) ? told.left.code : null
    const set = { dueAt: null, refusal }
    const { ok } = await runtime.store.commit([patch(payments, payment.id, { set, when: always })])
    if (!ok) return 'not yet'
    return refusal === null ? 'taken' : 'refused'
  }
  const tellCancelled: FakeBankConsole['tellCancelled'] = async ({ id }) => {
    if (isLeft(await inlet.cancelled(id))) return false
    const taken = await runtime.store.commit([patch(titles, id, { set: { dueAt: null }, when: always })])
    return taken.ok
  }
  return {
    tell,
    tellCancelled,
    async pay(order) {
      const dueCents = order.valueCents ?? (await inlet.amountDue(order.txid))
      const paid = await recordPayment(runtime, order, dueCents)
      if (isLeft(paid)) return paid
      const { payment } = paid.right
      return right({ endToEndId: noticeOf(payment).endToEndId, heard: await tell(payment) })
    },
    async cancel(txid) {
      const cancelled = await decideAndCommit(
        runtime,
        (store) => store.find(byId(titles, txid)),
        (title, { now }) =>
          title ? decided(title, cancellation(txid, now)) : left(failure('not-found', 'title.unknown')),
      )
      if (!isLeft(cancelled)) await tellCancelled(cancelled.right)
      return cancelled
    },
    fail: (fault) =>
      decideAndCommit(
        runtime,
        (store) => store.find(byId(faults, fault.id)),
        (known) => decided(null, ...(known ? [remove(faults, fault.id, always)] : []), insert(faults, fault)),
      ),
  }
}

const cancellation = (txid: string, now: string) => {
  const set = { status: 'cancelled', dueAt: plusSeconds(now, FIRST_WAIT_SECONDS), attempts: 0 } as const
  return patch(titles, txid, { set, when: always })
}

/** Where the payment is kept that has this id and title, if there is one; what has the id alone is another's. */
const placeOf = (endToEndId: string, { txid }: PayOrder, holder: Payment | null): string =>
  holder && holder.txid !== txid ? `${endToEndId}|${txid}` : endToEndId

const recordPayment = (runtime: Runtime, order: PayOrder, valueCents: number | null) =>
  decideAndCommit(
    runtime,
    async (store) => {
      const { txid, endToEndId: id } = order
      const title = await store.find(byId(titles, txid))
      const holder = id === null ? null : await store.find(byId(payments, id))
      return { title, holder, known: id === null ? null : await store.find(byId(payments, placeOf(id, order, holder))) }
    },
    ({ title, holder, known }, fresh) => {
      if (!title || valueCents === null) return left(failure('not-found', 'title.unknown'))
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
