import { failure } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import { eq, gt } from '../../../core/kernel/records/where.ts'
import { decideAndCommit, decided, type Runtime } from '../../../core/kernel/running/use-case.ts'
import type { Bank, BankAnswer, OpenedAccount, PixOrder, PixTitle } from '../../../core/ports/bank.ts'
import { byId, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { faults, type Operation, openings, type Payment, payments, titles } from './books.ts'
import { noticeOf } from './notice.ts'

/** COMPE 748, Sicredi. */
export const FAKE_COMPE = '748'

const BRANCH = '0101'
const DIGITS = '0123456789'
const MOST_PAYMENTS_SHOWN = 100
const REFUSAL = 'Operação recusada pelo banco.'

/**
 * The embedded bank: Pix works with no outside system, and its books live in the store. What fails does so because the
 * console asked for it. Source: decisions.md §8.
 */
export const fakeBank = (runtime: Runtime): Bank => ({
  compe: FAKE_COMPE,
  openAccount: ({ reference }) => openAccount(runtime, reference),
  createPix: (order) => unlessFaulty(runtime, 'create_pix', () => createPix(runtime, order)),
  findPix: (txid) => findPix(runtime, txid),
  cancelTitle: (txid) => unlessFaulty(runtime, 'cancel_title', () => cancelTitle(runtime, txid)),
})

const down = { outcome: 'unavailable' } as const
const unknown = { outcome: 'unknown' } as const

/** Does the operation, unless the console asked for it to fail: then so, once less often. */
const unlessFaulty = async <T>(
  runtime: Runtime,
  operation: Operation,
  act: () => Promise<BankAnswer<T>>,
): Promise<BankAnswer<T>> => {
  const mode = await nextFault(runtime, operation)
  if (mode === null) return act()
  // After a time-out the bank did what it was asked; after a lost one it did not.
  if (mode === 'timeout') await act()
  if (mode === 'refuse') return { outcome: 'refused', reason: REFUSAL }
  return mode === 'unavailable' ? down : unknown
}

const nextFault = async (runtime: Runtime, operation: Operation) => {
  const taken = await decideAndCommit(
    runtime,
    (store) => store.find(byId(faults, operation)),
    (fault) =>
      fault && fault.times > 0
        ? decided(fault.mode, patch(faults, operation, { add: { times: -1 }, when: gt('times', 0) }))
        : decided(null),
  )
  return isLeft(taken) ? 'unavailable' : taken.right
}

const openAccount = async (runtime: Runtime, reference: string): Promise<BankAnswer<OpenedAccount>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(openings, reference)),
    (known, fresh) => {
      if (known) return decided(known)
      const account = `${fresh.text(DIGITS, 5)}-${fresh.text(DIGITS, 1)}`
      const opened = { id: reference, agency: BRANCH, account, pixKey: fresh.uuid(), createdAt: fresh.now }
      return decided(opened, insert(openings, opened))
    },
  )
  if (isLeft(answer)) return down
  const { agency, account, pixKey } = answer.right
  return { outcome: 'done', value: { agency, account, pixKey } }
}

const createPix = async (runtime: Runtime, order: PixOrder): Promise<BankAnswer<PixTitle>> => {
  const { txid: id, pixKey, valueCents } = order
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(titles, id)),
    (known, { now }) =>
      known
        ? decided(false)
        : decided(
            true,
            insert(titles, { id, pixKey, valueCents, status: 'open', createdAt: now, dueAt: null, attempts: 0 }),
          ),
  )
  // A commit whose answer was lost may have happened.
  if (isLeft(answer)) return unknown
  const isNew = answer.right
  if (isNew) return { outcome: 'done', value: { txid: id, dynamicCode: null, cancelled: false, payments: [] } }
  // Whoever orders it again hears what became of it.
  const known = await findPix(runtime, id)
  return known.outcome === 'done' && known.value ? { outcome: 'done', value: known.value } : unknown
}

const findPix = async (runtime: Runtime, txid: string): Promise<BankAnswer<PixTitle | null>> => {
  try {
    return { outcome: 'done', value: await titleOf(runtime, txid) }
  } catch (error) {
    if (error instanceof StoreUnavailable) return down
    throw error
  }
}

const titleOf = async (runtime: Runtime, txid: string): Promise<PixTitle | null> => {
  const { title, paid } = await runtime.store.read({
    title: byId(titles, txid),
    paid: listOf(payments, {
      where: eq('txid', txid),
      sort: { by: 'paidAt', dir: 'asc' },
      limit: MOST_PAYMENTS_SHOWN,
    }),
  })
  if (!title) return null
  const told = paid.records.map((payment: Payment) => noticeOf(payment))
  return { txid, dynamicCode: null, cancelled: title.status === 'cancelled', payments: told }
}

const cancelTitle = async (runtime: Runtime, txid: string): Promise<BankAnswer<null>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(titles, txid)),
    (title) => {
      if (!title) return left(failure('not-found', 'title.unknown'))
      if (title.status === 'cancelled') return decided(null)
      return decided(null, patch(titles, txid, { set: { status: 'cancelled' }, when: eq('status', 'open') }))
    },
  )
  if (!isLeft(answer)) return { outcome: 'done', value: null }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: 'Título desconhecido.' } : down
}
