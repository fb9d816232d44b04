import { failure, invalid, isLeft, issue, left, right } from '../../../core/failure.ts'
import { always, insert, patch, remove } from '../../../core/kernel/records/record.ts'
import {
  accept,
  decideAndCommit,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { readPixCode } from '../../../core/payments/pix/br-code.ts'
import { endToEndId, uuidOfOpenTxid } from '../../../core/payments/pix/pix-id.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { findBoletoTxid } from './bank.ts'
import { type Fault, faults, openings, type Payment, type PayOut, payments, type Title, titles } from './books.ts'
import { FAKE_ISPB, listPayOuts } from './money-out.ts'
import { type FakeBankNotifications, type NotifiedPayment, notifierOf } from './notifications.ts'

/** The payer of an order without one. The check digits of the CPF are valid. */
const DEFAULT_PAYER = { name: 'Fulano de Tal', document: '12345678909' }
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const FIRST_WAIT_SECONDS = 5

export interface PayOrder {
  /** The txid, or a text that a payer copies: the Pix code, the boleto's linha digitável or its bar code. */
  readonly txid: string
  /** For a bolepix: by default `boleto` if the order names it by the digits of its boleto, else `pix`. */
  readonly method?: 'pix' | 'boleto' | null
  /** By default the amount due; required for an open code. */
  readonly valueCents?: number | null
  /** Identifies the payment: sent again, it pays once. By default a new one. */
  readonly endToEndId?: string | null
  readonly payer?: { readonly name: string; readonly document: string } | null
}

/** The console of the embedded bank: `await console.pay({ txid })()`. */
export interface FakeBankConsole {
  /**
   * Pays a title, or an account by its open code. Resolves after the notification of the platform.
   * Fails: `title.unknown`, `fields` (an open code without a value).
   */
  pay(order: PayOrder): UseCase<NotifiedPayment, 'title.unknown' | 'fields' | RunnerCode, 'required'>
  /** Cancels a title, named as in `pay`, and notifies the platform, at once or later. Fails: `title.unknown`. */
  cancel(txid: string): UseCase<Title, 'title.unknown' | RunnerCode>
  /** Makes the next calls of an operation fail. */
  fail(fault: Fault): UseCase<null, RunnerCode>
  /** Lists pay-outs, newest first and at most 500, or only the one with the platform's id. */
  payOuts(txid?: string | null): UseCase<readonly PayOut[], never>
}

export const fakeBankConsole = (runtime: Runtime, notifications: FakeBankNotifications): FakeBankConsole => {
  const { notifyPaid, notifyCancelled } = notifierOf(runtime, notifications)
  return {
    pay: (input) => async (hooks) => {
      const { txid, method } = await parseTxid(runtime.store, input.txid)
      const order = { ...input, txid, method: input.method ?? method } as const
      const { valueCents = null } = order
      const due = valueCents === null ? await notifications.amountDue(txid)() : right(valueCents)
      if (isLeft(due) && due.left.tag !== 'not-found') return due
      const paid = await recordPayment(runtime, order, isLeft(due) ? null : due.right)
      if (isLeft(paid)) return paid
      return right(await notifyPaid(paid.right, hooks))
    },
    cancel: (input) => async (hooks) => {
      const { txid } = await parseTxid(runtime.store, input)
      const cancelled = await decideAndCommit(
        runtime,
        (store) => store.find(byId(titles, txid)),
        (title, { steady }) =>
          title ? accept(title, cancelTitle(txid, steady)) : left(failure('not-found', 'title.unknown')),
        hooks?.completed,
      )
      if (!isLeft(cancelled)) await notifyCancelled(cancelled.right)
      return cancelled
    },
    fail: (fault) => (hooks) =>
      decideAndCommit(
        runtime,
        (store) => store.find(byId(faults, fault.id)),
        (known) => accept(null, ...(known ? [remove(faults, fault.id, always)] : []), insert(faults, fault)),
        hooks?.completed,
      ),
    payOuts: (txid = null) => listPayOuts(runtime.store, txid),
  }
}

/** Reads the txid in a Pix code, or finds it by the digits of a boleto. Any other text is a txid. */
const parseTxid = async (store: Store, input: string): Promise<Required<Pick<PayOrder, 'txid' | 'method'>>> => {
  const text = input.replace(/[\r\n]/g, '').trim()
  const code = readPixCode(text)
  if (!isLeft(code)) return { txid: code.right.txid ?? text, method: 'pix' }
  const txid = await findBoletoTxid(store, text)
  return txid === null ? { txid: text, method: 'pix' } : { txid, method: 'boleto' }
}

const cancelTitle = (txid: string, steady: string) => {
  const set = { status: 'cancelled', dueAt: addSeconds(steady, FIRST_WAIT_SECONDS), attempts: 0 } as const
  return patch(titles, txid, { set, when: always })
}

/** The record id of a payment. A payment of another title or amount under the same end-to-end id is another payment. */
const paymentIdOf = (endToEndId: string, { txid, valueCents }: PayOrder, holder: Payment | null): string => {
  const isOther = holder !== null && holder.txid !== txid
  const differs = holder !== null && (valueCents ?? holder.valueCents) !== holder.valueCents
  return [endToEndId, ...(isOther ? [txid] : []), ...(differs ? [valueCents] : [])].join('|')
}

/** A title, or an account by its open code. */
interface Payable extends Pick<Title, 'boleto' | 'pixKey'> {
  readonly isOpen: boolean
}

const findPayable = async (store: Store, txid: string): Promise<Payable | null> => {
  const title = await store.find(byId(titles, txid))
  if (title) return { ...title, isOpen: false }
  // The txid of an open code is derived from the platform's id of the account.
  const uuid = uuidOfOpenTxid(txid)
  const opened = uuid === null ? null : await store.find(byId(openings, uuid))
  return opened && { boleto: null, pixKey: opened.pixKey, isOpen: true }
}

/** Only a bolepix is paid by the ordered method. */
const methodOf = ({ boleto, pixKey }: Payable, { method }: PayOrder): 'pix' | 'boleto' => {
  if (boleto === null) return 'pix'
  return pixKey === '' ? 'boleto' : (method ?? 'pix')
}

const recordPayment = (runtime: Runtime, order: PayOrder, valueCents: number | null) =>
  decideAndCommit(
    runtime,
    async (store) => {
      const title = await findPayable(store, order.txid)
      if (!title) return null
      const pixKey = title.isOpen ? title.pixKey : null
      const method = methodOf(title, order)
      // A boleto is paid once, under its own number.
      const id = method === 'boleto' ? (title.boleto?.nossoNumero ?? null) : (order.endToEndId ?? null)
      const holder = id === null ? null : await store.find(byId(payments, id))
      if (id === null || method === 'boleto') return { pixKey, method, id, holder, known: holder }
      const known = await store.find(byId(payments, paymentIdOf(id, order, holder)))
      return { pixKey, method, id, holder, known }
    },
    (facts, fresh) => {
      if (!facts) return left(failure('not-found', 'title.unknown'))
      const { pixKey, method, id, holder, known } = facts
      if (valueCents === null) {
        // The platform knows the amount due of every title.
        return left(
          pixKey === null ? failure('not-found', 'title.unknown') : invalid([issue('valueCents', 'required')]),
        )
      }
      if (known) return accept(known)
      const random = fresh.text(ALPHANUMERIC, 11)
      const { name, document } = order.payer ?? DEFAULT_PAYER
      const endToEnd = id ?? endToEndId({ ispb: FAKE_ISPB, instant: fresh.now, random })
      const payment: Payment = {
        id: paymentIdOf(endToEnd, order, holder),
        endToEndId: endToEnd,
        txid: order.txid,
        pixKey,
        method,
        valueCents,
        payerName: name,
        payerDocument: document,
        paidAt: fresh.steady,
        dueAt: addSeconds(fresh.steady, FIRST_WAIT_SECONDS),
        attempts: 0,
        refundedCents: null,
        refusal: null,
      }
      return accept(payment, insert(payments, payment))
    },
  )
