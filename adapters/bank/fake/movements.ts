import type { Collection } from '../../../core/kernel/records/collection.ts'
import type { Field, Rec } from '../../../core/kernel/records/record.ts'
import { all, gte, lt } from '../../../core/kernel/records/where.ts'
import { readSlice } from '../../../core/kernel/running/slices.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import {
  MOVEMENT_KINDS,
  type Movement,
  type MovementKind,
  type MovementPage,
  type Movements,
  type MovementsQuery,
} from '../../../core/ports/bank.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { type Payment, type PayOut, payments, payOuts, type Refund, refunds } from './books.ts'
import { readBooks } from './faults.ts'

const PAGE_SIZE = 100

/** Lists payments, refunds and pay-outs of the books as movements. */
export const fakeMovements = ({ store }: Pick<Runtime, 'store'>): Movements => ({
  kinds: MOVEMENT_KINDS,
  list: (query) => readBooks(() => listMovements(store, query)),
  findMovement: ({ kind, id }) =>
    readBooks(async () => {
      const movement = await bookOf(kind).find(store, id)
      return movement?.kind === kind ? movement : null
    }),
})

/** A cursor: the index of a book, and the position in its list. */
type Cursor = readonly [book: number, position: string | null]

const listMovements = async (store: Store, { from, to, cursor }: MovementsQuery): Promise<MovementPage> => {
  const [book, position]: Cursor = cursor === null ? [0, null] : JSON.parse(cursor)
  const { movements, next } = (await BOOKS[book]?.list(store, { from, to }, position)) ?? EMPTY_PAGE
  const following = next === null ? nextBook(book) : [book, next]
  return { movements, next: following && JSON.stringify(following) }
}

const EMPTY_PAGE = { movements: [], next: null } as const

const nextBook = (book: number): Cursor | null => (book + 1 < BOOKS.length ? [book + 1, null] : null)

interface Book {
  list(store: Store, period: Pick<MovementsQuery, 'from' | 'to'>, position: string | null): Promise<MovementPage>
  find(store: Store, id: string): Promise<Movement | null>
}

/** A collection as a book: `sort` is the time of its movements. */
const openBook = <R extends Rec & { readonly id: string }>(
  collection: Collection<R>,
  sort: Field<R>,
  movementOf: (record: R) => Movement,
): Book => ({
  async list(store, { from, to }, position) {
    const where = all<Field<R>>(gte(sort, from), lt(sort, to))
    const { records, next } = await readSlice(store, { from: collection, where, sort, limit: PAGE_SIZE }, position)
    return { movements: records.map(movementOf), next }
  },
  async find(store, id) {
    const known = await store.find(byId(collection, id))
    return known && movementOf(known)
  },
})

const movementOfPayment = (payment: Payment): Movement => ({
  kind: payment.method === 'boleto' ? 'boleto' : 'pix',
  id: payment.endToEndId ?? payment.id,
  endToEndId: payment.endToEndId ?? payment.id,
  txid: payment.txid,
  pixKey: payment.pixKey,
  valueCents: payment.valueCents,
  at: payment.paidAt,
})

const outgoing = (
  kind: 'refund' | 'pay-out',
  { id, endToEndId, valueCents }: Refund | PayOut,
  at: string,
): Movement => ({
  kind,
  id,
  endToEndId,
  txid: null,
  pixKey: null,
  valueCents,
  at,
})

const PAYMENTS = openBook(payments, 'paidAt', movementOfPayment)
const REFUNDS = openBook(refunds, 'createdAt', (refund) => outgoing('refund', refund, refund.createdAt))
const PAY_OUTS = openBook(payOuts, 'paidAt', (payOut) => outgoing('pay-out', payOut, payOut.paidAt))
const BOOKS: readonly Book[] = [PAYMENTS, REFUNDS, PAY_OUTS]

const bookOf = (kind: MovementKind): Book => {
  if (kind === 'refund') return REFUNDS
  return kind === 'pay-out' ? PAY_OUTS : PAYMENTS
}
