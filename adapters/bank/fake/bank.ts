import { failure } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import { eq } from '../../../core/kernel/records/where.ts'
import type { Fresh } from '../../../core/kernel/running/fresh.ts'
import { accept, decideAndCommit, type Runtime } from '../../../core/kernel/running/use-case.ts'
import { readBoleto } from '../../../core/payments/boleto/barcode.ts'
import { sicrediBoleto } from '../../../core/payments/boleto/boleto.ts'
import type { Bank, BankAnswer, OpenedAccount, Title, TitleOrder } from '../../../core/ports/bank.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { numbers, openings, type Payment, payments, titles } from './books.ts'
import { UNAVAILABLE, UNKNOWN, withFaults } from './faults.ts'
import { fakePayOuts, fakeRefunds } from './money-out.ts'
import { fakeMovements } from './movements.ts'
import { noticeOf } from './notifications.ts'

/** COMPE 748, Sicredi. */
export const FAKE_COMPE = '748'

const BRANCH = '0101'
const DIGITS = '0123456789'
const MAX_PAYMENTS = 100

/**
 * The embedded bank: Pix works with no outside system, and its books live in the store. What fails does so because the
 * console asked for it. Source: decisions.md §8.
 */
export const fakeBank = (runtime: Runtime): Bank => ({
  compe: FAKE_COMPE,
  can: ['open-account', 'pix', 'boleto', 'bolepix', 'simulated-payments'],
  txidLength: TXID_LENGTH,
  openAccount: ({ reference }) => openAccount(runtime, reference),
  createTitle: (order) =>
    withFaults(runtime, order.method === 'PIX' ? 'create_pix' : 'create_boleto', () => createTitle(runtime, order)),
  findTitle: (txid) => findTitle(runtime, txid),
  cancelTitle: (txid) => withFaults(runtime, 'cancel_title', () => cancelTitle(runtime, txid)),
  refunds: fakeRefunds(runtime),
  movements: fakeMovements(runtime),
  payOuts: fakePayOuts(runtime),
})

/** What 62-05 of a static code holds. */
const TXID_LENGTH = 25

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

const createTitle = async (runtime: Runtime, order: TitleOrder): Promise<BankAnswer<Title>> => {
  const { txid: id, valueCents } = order
  const pixKey = order.method === 'BOLETO' ? '' : (order.pixKey ?? '')
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(titles, id)),
    (known, fresh) => {
      if (known) return accept(null)
      const { boleto, changes } = order.method === 'PIX' ? NO_BOLETO : newBoleto(order, fresh)
      const opened = { id, pixKey, boleto, valueCents, createdAt: fresh.now, dueAt: null, attempts: 0 }
      return accept({ boleto }, insert(titles, { ...opened, status: 'open' }), ...changes)
    },
  )
  // A commit whose answer was lost may have happened.
  if (isLeft(answer)) return UNKNOWN
  const made = answer.right
  if (made) return { outcome: 'done', value: { txid: id, dynamicCode: null, ...made, cancelled: false, payments: [] } }
  // Whoever orders it again hears what became of it.
  const known = await findTitle(runtime, id)
  return known.outcome === 'done' && known.value ? { outcome: 'done', value: known.value } : UNKNOWN
}

const findTitle = async (runtime: Runtime, txid: string): Promise<BankAnswer<Title | null>> => {
  try {
    return { outcome: 'done', value: await readTitle(runtime, txid) }
  } catch (error) {
    if (error instanceof StoreUnavailable) return UNAVAILABLE
    throw error
  }
}

const readTitle = async (runtime: Runtime, txid: string): Promise<Title | null> => {
  const { title, paid } = await runtime.store.read({
    title: byId(titles, txid),
    paid: listOf(payments, {
      where: eq('txid', txid),
      sort: { by: 'paidAt', dir: 'asc' },
      limit: MAX_PAYMENTS,
    }),
  })
  if (!title) return null
  const told = paid.records.map((payment: Payment) => noticeOf(payment))
  return { txid, dynamicCode: null, boleto: title.boleto, cancelled: title.status === 'cancelled', payments: told }
}

const cancelTitle = async (runtime: Runtime, txid: string): Promise<BankAnswer<null>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(titles, txid)),
    (title) => {
      if (!title) return left(failure('not-found', 'title.unknown'))
      if (title.status === 'cancelled') return accept(null)
      return accept(null, patch(titles, txid, { set: { status: 'cancelled' }, when: eq('status', 'open') }))
    },
  )
  if (!isLeft(answer)) return { outcome: 'done', value: null }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: 'Título desconhecido.' } : UNAVAILABLE
}

const POSTO = '01'
/** The bytes that mark a number of the beneficiary's own making: 2 to 9. */
const FIRST_BYTE = 2
const BYTES = 8
const NUMBERS_PER_BYTE = 100_000
/** Numbers repeat after so many boletos; the lookup by digits covers as many rounds. */
const NUMBERS_PER_ROUND = BYTES * NUMBERS_PER_BYTE
const ROUNDS = 16

const digitsOf = (text: string, length: number): string =>
  text.replace(/\D/g, '').slice(0, length).padStart(length, '0')

/** The next boleto of this bank, numbered as Sicredi does. */
export const newBoleto = (order: TitleOrder, fresh: Fresh) => {
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

/** Returns the txid of the boleto with this bar code or linha digitável, printed marks or not; null if the bank has none. */
export const findBoletoTxid = async (store: Store, text: string): Promise<string | null> => {
  const read = readBoleto(text)
  if (isLeft(read)) return null
  const { barcode, freeField } = read.right
  // The nosso número follows two digits of the portfolio and two of the year.
  const first = (Number(freeField.charAt(4)) - FIRST_BYTE) * NUMBERS_PER_BYTE + Number(freeField.slice(5, 10))
  const ids = Array.from({ length: ROUNDS }, (_, round) => first + round * NUMBERS_PER_ROUND)
  const numbered = await store.read(Object.fromEntries(ids.map((id) => [id, byId(numbers, id)])))
  const txids = Object.values(numbered).flatMap((each) => each?.txid ?? [])
  const found = await store.read(Object.fromEntries(txids.map((txid) => [txid, byId(titles, txid)])))
  return txids.find((txid) => found[txid]?.boleto?.barcode === barcode) ?? null
}
