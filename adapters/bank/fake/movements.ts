import type { Collection } from '../../../core/kernel/records/collection.ts'
import type { Field, Rec } from '../../../core/kernel/records/record.ts'
import { all, gte, lt } from '../../../core/kernel/records/where.ts'
import { readSlice } from '../../../core/kernel/running/slices.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import {
  type BankAnswer,
  MOVEMENT_KINDS,
  type Movement,
  type MovementKey,
  type MovementPage,
  type Movements,
  type MovementsQuery,
} from '../../../core/ports/bank.ts'
import { byId, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { type Payment, type PayOut, payments, payOuts, type Refund, refunds } from './books.ts'
import { UNAVAILABLE } from './faults.ts'

const PAGE_SIZE = 100

/** What moved in the books of the embedded bank: what came in, went back, and was paid out. */
export const fakeMovements = ({ store }: Pick<Runtime, 'store'>): Movements => ({
  kinds: MOVEMENT_KINDS,
  list: (asked) => unlessDown(() => listMovements(store, asked)),
  findMovement: (key) => unlessDown(() => findMovementByKey(store, key)),
})

const unlessDown = async <T>(look: () => Promise<T>): Promise<BankAnswer<T>> => {
  try {
    return { outcome: 'done', value: await look() }
  } catch (error) {
    if (error instanceof StoreUnavailable) return UNAVAILABLE
    throw error
  }
}

const movementOfPayment = (payment: Payment): Movement => ({
  kind: payment.method === 'boleto' ? 'boleto' : 'pix',
  id: payment.endToEndId ?? payment.id,
  endToEndId: payment.endToEndId ?? payment.id,
  txid: payment.txid,
  pixKey: payment.pixKey,
  valueCents: payment.valueCents,
  at: payment.paidAt,
})

type Outgoing = Pick<Movement, 'id' | 'endToEndId' | 'valueCents'>

const outgoing = (kind: 'refund' | 'pay-out', { id, endToEndId, valueCents }: Outgoing, at: string): Movement => ({
  kind,
  id,
  endToEndId,
  txid: null,
  pixKey: null,
  valueCents,
  at,
})

const movementOfRefund = (refund: Refund): Movement => outgoing('refund', refund, refund.createdAt)
const movementOfPayOut = (payOut: PayOut): Movement => outgoing('pay-out', payOut, payOut.paidAt)

/** Which of the books is gone through, and where in its list. */
type Position = readonly [book: number, place: string | null]

const listMovements = async (store: Store, { from, to, cursor: place }: MovementsQuery): Promise<MovementPage> => {
  const [book, at]: Position = place === null ? [0, null] : JSON.parse(place)
  const read = BOOKS[book]
  const { movements, next } = read ? await read(store, { from, to }, at) : NOTHING
  const goesOn = next === null ? nextBook(book) : [book, next]
  return { movements, next: goesOn && JSON.stringify(goesOn) }
}

const NOTHING = { movements: [], next: null } as const

const nextBook = (book: number): Position | null => (book + 1 < BOOKS.length ? [book + 1, null] : null)

type Period = Pick<MovementsQuery, 'from' | 'to'>
type BookReader = (store: Store, between: Period, at: string | null) => Promise<MovementPage>

/** What a book has between two moments, by the field that says when. */
const readerOf =
  <R extends Rec>(from: Collection<R>, sort: Field<R>, movementIn: (record: R) => Movement): BookReader =>
  async (store, between, at) => {
    const where = all<Field<R>>(gte(sort, between.from), lt(sort, between.to))
    const { records, next } = await readSlice(store, { from, where, sort, limit: PAGE_SIZE }, at)
    return { movements: records.map(movementIn), next }
  }

const BOOKS: readonly BookReader[] = [
  readerOf(payments, 'paidAt', movementOfPayment),
  readerOf(refunds, 'createdAt', movementOfRefund),
  readerOf(payOuts, 'paidAt', movementOfPayOut),
]

const findMovementByKey = async (store: Store, { kind, id }: MovementKey): Promise<Movement | null> => {
  if (kind === 'refund') {
    const known = await store.find(byId(refunds, id))
    return known && movementOfRefund(known)
  }
  if (kind === 'pay-out') {
    const known = await store.find(byId(payOuts, id))
    return known && movementOfPayOut(known)
  }
  const known = await store.find(byId(payments, id))
  const movement = known && movementOfPayment(known)
  return movement?.kind === kind ? movement : null
}
