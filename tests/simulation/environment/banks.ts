import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { openings, payments, payOuts, refunds, titles } from '../../../adapters/bank/fake/books.ts'
import { type FakeBankConsole, fakeBankConsole, type PayOrder } from '../../../adapters/bank/fake/console.ts'
import { fakeBankQueues } from '../../../adapters/bank/fake/notifications.ts'
import { type Either, type Failure, isLeft } from '../../../core/failure.ts'
import { always } from '../../../core/kernel/records/record.ts'
import type { Queue } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import { boletoOf } from '../../../core/payments/boleto.ts'
import type {
  Bank,
  BankNotifications,
  BankRefund,
  OpenedAccount,
  PaymentNotice,
  RefundOrder,
  Refunds,
  Title,
  TitleOrder,
} from '../../../core/ports/bank.ts'
import { listOf } from '../../../core/ports/store.ts'
import type { Ground } from './environment.ts'
import { anyone, ask, tellerOf } from './process.ts'

export interface PaidAtBank {
  readonly endToEndId: string
  readonly txid: string
  readonly valueCents: number
  /** Set once the platform has accepted the notice. */
  readonly told: boolean
}

/** The records of the bank. */
export interface BankBooks {
  readonly titles: readonly { readonly txid: string; readonly cancelled: boolean }[]
  readonly payments: readonly PaidAtBank[]
  /** Pay-outs by the platform's id; empty for a bank without pay-outs. */
  readonly payOuts: readonly { readonly txid: string; readonly endToEndId: string; readonly valueCents: number }[]
  /** Refunds by the platform's id. */
  readonly refunds: readonly { readonly id: string; readonly endToEndId: string; readonly valueCents: number }[]
  /** The platform's references of the accounts opened. */
  readonly accounts: readonly string[]
  /** The number of notices that the platform has not accepted yet. */
  readonly untold: number
}

/** A bank without faults: faults happen in the connection to it. */
export interface BankSide {
  readonly name: string
  bankFor(runtime: Runtime): Bank
  queuesFor(runtime: Runtime, notifications: BankNotifications): readonly Queue[]
  /** Pays a title and notifies the platform later. */
  pay(order: PayOrder): Promise<void>
  cancel(txid: string): Promise<void>
  books(): Promise<BankBooks>
}

const COMPE = '999'
const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const PAYER = { name: 'Fulano de Tal', document: '12345678909', bank: null, branch: null, account: null }

interface Opened {
  readonly txid: string
  readonly dynamicCode: string | null
  readonly boleto: Title['boleto']
  cancelled: boolean
}

/** Makes a boleto; a wrong one has the digits of another value and must not be shown. */
const boletoAt = (place: number, isWrong: boolean, { valueCents, dueDate }: TitleOrder): Title['boleto'] => {
  const number = String(place + 1).padStart(25, '0')
  const value = isWrong ? valueCents + 1 : valueCents
  const boleto = boletoOf({ compe: COMPE, valueCents: value, dueDate, freeField: number, nossoNumero: number })
  return { ...boleto }
}

interface OutsideRefund {
  readonly order: RefundOrder
  /** The instant until which the bank processes it. */
  readonly untilMs: number
  readonly isReturned: boolean
}

/** The refunds of the outside bank: some are processed for a while, and some of these fail. */
const outsideRefunds = ({ agenda, broken, dice }: Ground, paidCents: (endToEndId: string) => number) => {
  const known = new Map<string, OutsideRefund>()
  const stateOf = ({ order, untilMs, isReturned }: OutsideRefund): BankRefund => {
    if (agenda.nowMs() < untilMs) return { status: 'processing', reason: null, returnId: null }
    return { status: isReturned ? 'returned' : 'failed', reason: null, returnId: `D${order.id}` }
  }
  const refunds: Refunds = {
    async refund(order) {
      const own = [...known.values()].filter((each) => each.order.endToEndId === order.endToEndId)
      const lastCents = known.has(order.id) ? 0 : order.valueCents
      const cents = own
        .filter((each) => stateOf(each).status !== 'failed')
        .reduce((sum, each) => sum + each.order.valueCents, lastCents)
      if (cents > paidCents(order.endToEndId)) broken.push(`${order.endToEndId} was to be refunded by ${cents}`)
      const untilMs = agenda.nowMs() + dice.pick([0, 0, SECOND_MS, HOUR_MS])
      const refund = known.get(order.id) ?? {
        order,
        untilMs,
        isReturned: untilMs <= agenda.nowMs() || dice.chance(0.6),
      }
      known.set(order.id, refund)
      return { outcome: 'done', value: stateOf(refund) }
    },
    async findRefund({ id }) {
      const refund = known.get(id)
      return { outcome: 'done', value: refund ? stateOf(refund) : null }
    },
  }
  const returned = () =>
    [...known.values()].filter((each) => stateOf(each).status === 'returned').map(({ order }) => order)
  return { refunds, returned }
}

/** A bank outside of the processes: its notices arrive late, twice and in any order, until they are accepted. */
export const outsideBank = (ground: Ground): BankSide => {
  const { agenda, dice } = ground
  const titles = new Map<string, Opened>()
  const accounts = new Map<string, OpenedAccount>()
  const payments: { readonly notice: PaymentNotice; told: boolean }[] = []
  const { tell, untold } = tellerOf(ground)
  const { refunds, returned } = outsideRefunds(
    ground,
    (id) => payments.find(({ notice }) => notice.endToEndId === id)?.notice.valueCents ?? 0,
  )

  const askDue = async (txid: string): Promise<number | null> => {
    const process = anyone(ground)
    const due = process && (await ask(process, process.pay.bank.amountDue(txid)))
    return due && !isLeft(due) ? due.right : null
  }

  const titleOf = (txid: string) => {
    const title = titles.get(txid)
    const told = payments.filter(({ notice }) => notice.txid === txid).map(({ notice }) => notice)
    return title
      ? { txid, dynamicCode: title.dynamicCode, boleto: title.boleto, cancelled: title.cancelled, payments: told }
      : null
  }

  const bank: Bank = {
    refunds,
    compe: COMPE,
    can: ['open-account', 'pix', 'boleto', 'bolepix'],
    txidLength: 25,
    async openAccount({ reference }) {
      const known = accounts.get(reference)
      const value = known ?? { agency: '0001', account: `${accounts.size + 1}-0`, pixKey: reference }
      accounts.set(reference, value)
      return { outcome: 'done', value }
    },
    async createTitle(order) {
      const { txid, method } = order
      const dynamicCode = dice.chance(0.5) ? `00020126${txid}` : null
      const boleto = method === 'PIX' ? null : boletoAt(titles.size, dice.chance(0.05), order)
      if (!titles.has(txid)) titles.set(txid, { txid, dynamicCode, boleto, cancelled: false })
      const value = titleOf(txid)
      return value ? { outcome: 'done', value } : { outcome: 'unknown' }
    },
    findTitle: async (txid) => ({ outcome: 'done', value: titleOf(txid) }),
    async cancelTitle(txid) {
      const title = titles.get(txid)
      if (!title) return { outcome: 'refused', reason: 'Título desconhecido.' }
      if (!title.cancelled && titleOf(txid)?.payments.length !== 0)
        return { outcome: 'refused', reason: 'Título pago.' }
      title.cancelled = true
      return { outcome: 'done', value: null }
    },
  }

  return {
    name: 'outside',
    bankFor: () => bank,
    queuesFor: () => [],
    async pay({ txid, valueCents, endToEndId }) {
      const due = valueCents ?? (await askDue(txid)) ?? 1
      const boleto = titles.get(txid)?.boleto ?? null
      const ofBoleto = boleto !== null && dice.chance(0.5) ? boleto.nossoNumero : null
      // A boleto is paid once.
      if (ofBoleto !== null && payments.some(({ notice }) => notice.endToEndId === ofBoleto)) return
      const id = ofBoleto ?? endToEndId ?? `E9999${String(payments.length + 1).padStart(27, '0')}`
      const paidAt = new Date(agenda.nowMs()).toISOString()
      const method = ofBoleto === null ? 'pix' : 'boleto'
      const notice: PaymentNotice = { txid, endToEndId: id, method, valueCents: due, paidAt, payer: PAYER }
      const payment = { notice, told: false }
      payments.push(payment)
      const taken = async (): Promise<void> => {
        await tell(`payment ${id}`, (pay) => pay.bank.paid(notice))
        payment.told = true
      }
      await Promise.all(Array.from({ length: dice.pick([1, 1, 2, 3]) }, taken))
    },
    async cancel(txid) {
      const title = titles.get(txid)
      if (!title) return
      title.cancelled = true
      await Promise.all(
        Array.from({ length: dice.pick([1, 2]) }, () => tell(`end of ${txid}`, (pay) => pay.bank.cancelled(txid))),
      )
    },
    books: async () => ({
      payOuts: [],
      refunds: returned(),
      titles: [...titles.values()],
      payments: payments.map(({ notice, told }): PaidAtBank => ({ ...notice, told })),
      accounts: [...accounts.keys()],
      untold: untold(),
    }),
  }
}

const ALL = { where: always, limit: 1_000_000 } as const

/** The embedded bank: its records are in the same store, and its console is reached through a process. */
export const embeddedBank = (ground: Ground): BankSide => {
  const { store } = ground
  const atConsole = async (
    does: (bankConsole: FakeBankConsole) => Promise<Either<Failure, unknown>>,
  ): Promise<void> => {
    const process = anyone(ground)
    if (process) await ask(process, () => does(fakeBankConsole(process.ports, process.pay.bank)))
  }
  return {
    name: 'embedded',
    bankFor: fakeBank,
    queuesFor: fakeBankQueues,
    pay: (order) => atConsole((bankConsole) => bankConsole.pay(order)()),
    cancel: (txid) => atConsole((bankConsole) => bankConsole.cancel(txid)()),
    async books() {
      const { records: held } = await store.list(listOf(titles, ALL))
      const { records: paid } = await store.list(listOf(payments, ALL))
      const { records: opened } = await store.list(listOf(openings, ALL))
      const { records: out } = await store.list(listOf(payOuts, ALL))
      const { records: back } = await store.list(listOf(refunds, ALL))
      return {
        refunds: back,
        payOuts: out.map(({ id, endToEndId, valueCents }) => ({ txid: id, endToEndId, valueCents })),
        titles: held.map(({ id, status }) => ({ txid: id, cancelled: status === 'cancelled' })),
        payments: paid.map(({ id, txid, valueCents, dueAt }) => ({
          endToEndId: id,
          txid,
          valueCents,
          told: dueAt === null,
        })),
        accounts: opened.map(({ id }) => id),
        untold: [...held, ...paid].filter(({ dueAt }) => dueAt !== null).length,
      }
    },
  }
}
