import { failure, isLeft, left } from '../../../core/failure.ts'
import {
  all,
  type Collection,
  eq,
  type Field,
  gte,
  insert,
  lt,
  patch,
  type Rec,
} from '../../../core/kernel/records/record.ts'
import { readSlice } from '../../../core/kernel/running/slices.ts'
import { accept, decideAndCommit, type Fresh, type Runtime } from '../../../core/kernel/running/use-case.ts'
import { readBoleto, sicrediBoleto } from '../../../core/payments/boleto.ts'
import {
  type Bank,
  type BankAnswer,
  MOVEMENT_KINDS,
  type Movement,
  type MovementKind,
  type MovementPage,
  type Movements,
  type MovementsQuery,
  type OpenedAccount,
  type Title,
  type TitleOrder,
} from '../../../core/ports/bank.ts'
import { byId, listOf, type Store } from '../../../core/ports/store.ts'
import {
  numbers,
  openings,
  type Payment,
  type PayOut,
  payments,
  payOuts,
  type Refund,
  refunds,
  type Title as StoredTitle,
  titles,
} from './books.ts'
import { readBooks, UNAVAILABLE, UNKNOWN, withFaults } from './faults.ts'
import { fakePayOuts, fakeRefunds } from './money-out.ts'
import { noticeOf } from './notifications.ts'

/** The COMPE code of Sicredi, which numbers boletos as this bank does. */
const FAKE_COMPE = '748'

const BRANCH = '0101'
const DIGITS = '0123456789'
const MAX_PAYMENTS = 100
/** The longest txid of a static Pix code (field 62-05 of the BR Code). */
const TXID_LENGTH = 25

/** The embedded bank. Its books are records of the store. Its operations fail only by faults that the console sets. */
export const fakeBank = (runtime: Runtime): Bank => ({
  compe: FAKE_COMPE,
  can: ['open-account', 'pix', 'boleto', 'bolepix', 'simulated-payments'],
  txidLength: TXID_LENGTH,
  openAccount: ({ reference }) => openAccount(runtime, reference),
  createTitle: (order) =>
    withFaults(
      runtime,
      order.method === 'PIX' ? 'create_pix' : 'create_boleto',
      { known: byId(titles, order.txid) },
      (facts) => createTitle(runtime, facts, order),
    ),
  findTitle: (txid) => findTitle(runtime, txid),
  cancelTitle: (txid) =>
    withFaults(runtime, 'cancel_title', { known: byId(titles, txid) }, (facts) => cancelTitle(runtime, facts, txid)),
  refunds: fakeRefunds(runtime),
  movements: fakeMovements(runtime),
  payOuts: fakePayOuts(runtime),
})

const openAccount = async (runtime: Runtime, reference: string): Promise<BankAnswer<OpenedAccount>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(openings, reference)),
    (known, fresh) => {
      if (known) return accept(known)
      const account = `${fresh.text(DIGITS, 5)}-${fresh.text(DIGITS, 1)}`
      const opened = { id: reference, agency: BRANCH, account, pixKey: fresh.uuid(), createdAt: fresh.now }
      return accept(opened, insert(openings, opened))
    },
  )
  if (isLeft(answer)) return UNAVAILABLE
  const { agency, account, pixKey } = answer.right
  return { outcome: 'done', value: { agency, account, pixKey } }
}

const NO_BOLETO = { boleto: null, changes: [] } as const

/** Reads the title of an order, if the bank has it. */
type ReadTitle = (store: Store) => Promise<{ readonly known: StoredTitle | null }>

const createTitle = async (runtime: Runtime, facts: ReadTitle, order: TitleOrder): Promise<BankAnswer<Title>> => {
  const { txid: id, valueCents } = order
  const pixKey = order.method === 'BOLETO' ? '' : (order.pixKey ?? '')
  const answer = await decideAndCommit(runtime, facts, ({ known }, fresh) => {
    if (known) return accept(null)
    const { boleto, changes } = order.method === 'PIX' ? NO_BOLETO : newBoleto(order, fresh)
    const opened = { id, pixKey, boleto, valueCents, status: 'open', createdAt: fresh.now } as const
    return accept({ boleto }, insert(titles, { dueAt: null, attempts: 0, ...opened }), ...changes)
  })
  if (isLeft(answer)) return UNKNOWN
  const created = answer.right
  if (created)
    return { outcome: 'done', value: { txid: id, dynamicCode: null, ...created, cancelled: false, payments: [] } }
  // A repeated order returns the current state.
  const known = await findTitle(runtime, id)
  return known.outcome === 'done' && known.value ? { outcome: 'done', value: known.value } : UNKNOWN
}

const findTitle = (runtime: Runtime, txid: string): Promise<BankAnswer<Title | null>> =>
  readBooks(() => readTitle(runtime, txid))

const readTitle = async (runtime: Runtime, txid: string): Promise<Title | null> => {
  const { title, paid } = await runtime.store.read({
    title: byId(titles, txid),
    paid: listOf(payments, { where: eq('txid', txid), sort: { by: 'paidAt', dir: 'asc' }, limit: MAX_PAYMENTS }),
  })
  if (!title) return null
  const { boleto, status } = title
  return { txid, dynamicCode: null, boleto, cancelled: status === 'cancelled', payments: paid.records.map(noticeOf) }
}

const cancelTitle = async (runtime: Runtime, facts: ReadTitle, txid: string): Promise<BankAnswer<null>> => {
  const answer = await decideAndCommit(runtime, facts, ({ known: title }) => {
    if (!title) return left(failure('not-found', 'title.unknown'))
    if (title.status === 'cancelled') return accept(null)
    return accept(null, patch(titles, txid, { set: { status: 'cancelled' }, when: eq('status', 'open') }))
  })
  if (!isLeft(answer)) return { outcome: 'done', value: null }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: 'Título desconhecido.' } : UNAVAILABLE
}

const POSTO = '01'
/** A nosso número of the beneficiary's own has a byte of 2 to 9. */
const FIRST_BYTE = 2
const BYTES = 8
const NUMBERS_PER_BYTE = 100_000
/** Numbers repeat after this many boletos. A lookup by digits covers `ROUNDS` of them. */
const NUMBERS_PER_ROUND = BYTES * NUMBERS_PER_BYTE
const ROUNDS = 16

const digitsOf = (text: string, length: number): string =>
  text.replace(/\D/g, '').slice(0, length).padStart(length, '0')

/** Builds the next boleto, numbered as Sicredi does. */
const newBoleto = (order: TitleOrder, fresh: Fresh) => {
  const id = fresh.id(numbers)
  const { nossoNumero, barcode, digitableLine } = sicrediBoleto({
    agency: digitsOf(order.agency, 4),
    posto: POSTO,
    beneficiary: digitsOf(order.account, 5),
    year: fresh.today.slice(2, 4),
    byte: `${FIRST_BYTE + (Math.floor(id / NUMBERS_PER_BYTE) % BYTES)}`,
    sequence: id % NUMBERS_PER_BYTE,
    valueCents: order.valueCents,
    dueDate: order.dueDate,
  })
  return { boleto: { nossoNumero, barcode, digitableLine }, changes: [insert(numbers, { id, txid: order.txid })] }
}

/** Finds the txid of a boleto by its bar code or linha digitável, with or without punctuation; null if unknown. */
export const findBoletoTxid = async (store: Store, text: string): Promise<string | null> => {
  const read = readBoleto(text)
  if (isLeft(read)) return null
  const { barcode, freeField } = read.right
  // The nosso número follows two digits of the portfolio and two of the year.
  const first = (Number(freeField.charAt(4)) - FIRST_BYTE) * NUMBERS_PER_BYTE + Number(freeField.slice(5, 10))
  const ids = Array.from({ length: ROUNDS }, (_, round) => first + round * NUMBERS_PER_ROUND)
  const numbered = await store.read(Object.fromEntries(ids.map((id) => [id, byId(numbers, id)])))
  const txids = Object.values(numbered).flatMap((number) => number?.txid ?? [])
  const found = await store.read(Object.fromEntries(txids.map((txid) => [txid, byId(titles, txid)])))
  return txids.find((txid) => found[txid]?.boleto?.barcode === barcode) ?? null
}

const PAGE_SIZE = 100

const fakeMovements = ({ store }: Pick<Runtime, 'store'>): Movements => ({
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
): Movement => ({ kind, id, endToEndId, txid: null, pixKey: null, valueCents, at })

const PAYMENTS = openBook(payments, 'paidAt', movementOfPayment)
const REFUNDS = openBook(refunds, 'createdAt', (refund) => outgoing('refund', refund, refund.createdAt))
const PAY_OUTS = openBook(payOuts, 'paidAt', (payOut) => outgoing('pay-out', payOut, payOut.paidAt))
const BOOKS: readonly Book[] = [PAYMENTS, REFUNDS, PAY_OUTS]

const bookOf = (kind: MovementKind): Book => {
  if (kind === 'refund') return REFUNDS
  return kind === 'pay-out' ? PAY_OUTS : PAYMENTS
}
