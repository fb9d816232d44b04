import { chargeBody, type Issued, type Merchant, payOutBody, type WithdrawOrder } from '../payments/given/merchants.ts'
import type { Answer } from '../payments/test-api.ts'
import { isLost, type Paid } from '../processes/money-faults.ts'
import type { Process } from '../processes/processes.ts'

/** The answers of all rounds: no answered change may be lost. */
export const nothingHeard = () => ({
  /** By their keys. */
  issued: new Map<string, Issued & { readonly order: OrderOf<'issue'> }>(),
  /** The key of the charge of each title, of its rest included. */
  titles: new Map<string, string>(),
  /** The amount paid of each charge, in cents, as it was last shown. */
  shownPaid: new Map<number, number>(),
  registered: new Map<string, number>(),
  /** By their end-to-end ids. */
  paid: new Map<string, Paid & { readonly txid: string }>(),
  /** The ids of withdrawals, completed or pending, by key. */
  withdrawn: new Map<string, number>(),
  /** The ids of the refunds of a key: of an over-payment there may be several. */
  refunded: new Map<string, string>(),
  /** Keys of withdrawals that were answered as completed. */
  left: new Set<string>(),
  cancelled: new Set<string>(),
  /** The limit of each account, as last acknowledged and as last requested. */
  limits: new Map<number, { readonly known: number; readonly asked: number }>(),
  /** The balance after each entry, as a statement showed it. */
  shown: new Map<number, number>(),
  /** Orders without an answer. */
  doubtful: [] as Order[],
  /** Orders begun by a request that died: a repeat is answered as running. */
  running: [] as Order[],
  /** Pay-outs begun by a request that died before sending them: they are not sent again. */
  lost: [] as Order[],
  /** Orders refused because the PIN is locked: an earlier request may have begun them. */
  locked: [] as Order[],
  odd: [] as string[],
  /** The number of successes. */
  answers: 0,
  /** The number of refusals for lack of money. */
  refusals: 0,
})

export type Heard = ReturnType<typeof nothingHeard>

const cents = (reais: number): number => Math.round(reais * 100)

type Line = { readonly id: number; readonly value: number; readonly balance: number }

/** A statement has no gaps, and its entries do not change. */
const readOn = ({ shown, odd }: Heard, lines: readonly Line[]): void => {
  for (const [index, { id, value, balance }] of lines.entries()) {
    const before = lines[index + 1]
    if (before && cents(before.balance) + cents(value) !== cents(balance)) odd.push(`entry ${id} does not follow`)
    if ((shown.get(id) ?? cents(balance)) !== cents(balance)) odd.push(`entry ${id} has another balance`)
    shown.set(id, cents(balance))
  }
}

type Note = { readonly [K in Kind]: (heard: Heard, order: OrderOf<K>, body: Answer['body']) => void }

/** Notes the record of a key: repeats return the same one. */
const once = <I>({ odd }: Heard, known: Map<string, I>, key: string, id: I): void => {
  const before = known.get(key) ?? id
  if (before !== id) odd.push(`${key}: is there as ${before} and as ${id}`)
  known.set(key, before)
}

/** Orders that may be refused for lack of money. */
const REFUSABLE: readonly Kind[] = ['withdraw', 'refund']

const done: Note = {
  issue: (heard, order, { data }) => {
    const { id } = heard.issued.get(order.key) ?? data
    if (id !== data.id) heard.odd.push(`${order.key}: issued as ${id} and as ${data.id}`)
    const { txid } = heard.issued.get(order.key) ?? data.pix
    heard.issued.set(order.key, { id, code: data.code, txid, order })
    heard.titles.set(txid, order.key)
  },
  register: (heard, { key }, { client }) => once(heard, heard.registered, key, client.id),
  pay: (heard, order, { status }) => {
    if (status === 'confirmed') heard.paid.set(order.endToEndId, order)
    else heard.doubtful.push(order)
  },
  withdraw: (heard, { key }, { data }) => {
    once(heard, heard.withdrawn, key, data.id)
    if (data.status.value === 'concluido') heard.left.add(key)
  },
  refund: (heard, { key, endToEndId }, { data }) => {
    const given = data.refunds.filter(({ reason }: { readonly reason: string }) => reason === key)
    const ids = given.map(({ id }: { readonly id: string }) => id).toSorted()
    once(heard, heard.refunded, key, ids.join())
    const isRight = endToEndId === null ? ids.length > 0 : ids.length === 1
    if (!isRight) heard.odd.push(`${key}: is ${ids.length} refunds`)
  },
  look: (heard, { key }, { data }) => {
    const paidCents = cents(data.amount_paid ?? 0)
    const before = heard.shownPaid.get(data.id) ?? 0
    if (paidCents < before) heard.odd.push(`${key}: ${paidCents} paid after ${before}`)
    heard.shownPaid.set(data.id, Math.max(before, paidCents))
    const leftCents = cents(data.value) - paidCents + cents(data.refunded_value ?? 0)
    const isOpen = data.status.title === 'pending' && data.amount_left !== undefined
    if (isOpen && cents(data.amount_left) !== leftCents)
      heard.odd.push(`${key}: ${data.amount_left} left of ${leftCents}`)
    heard.titles.set(data.pix.txid, key)
  },
  cancel: (heard, { txid }) => void heard.cancelled.add(txid),
  edit: ({ limits }, { owner: { id }, limitCents }) => {
    limits.set(id, { known: limitCents, asked: limits.get(id)?.asked ?? limitCents })
  },
  read: (heard, _order, { data }) => readOn(heard, data),
}

const NOT_REPEATED: readonly Kind[] = ['read', 'look', 'edit']

/** Notes an order to repeat; reads and edits are not repeated. */
export const leftOpen = ({ doubtful }: Heard, order: Order): void => {
  if (!NOT_REPEATED.includes(order.kind)) doubtful.push(order)
}

export const note = <K extends Kind>(heard: Heard, order: OrderOf<K>, { status, headers, body, text }: Answer) => {
  const mayComeAgain = /^\d+$/.test(headers.get('retry-after') ?? '')
  if (status < 300) {
    heard.answers += 1
    done[order.kind as K](heard, order, body)
  } else if (status === 422 && REFUSABLE.includes(order.kind) && body.errors?.value) heard.refusals += 1
  else if (order.kind === 'withdraw' && isLost(body)) heard.lost.push(order)
  // A try is counted before it is compared: five crashes in between lock the PIN.
  else if (order.kind === 'withdraw' && body.error_code === 'pin.locked') heard.locked.push(order)
  else if (status === 503 && mayComeAgain) leftOpen(heard, order)
  else if (status === 409 && mayComeAgain) heard.running.push(order)
  else heard.odd.push(`${order.kind}: ${status} ${text}`)
}

/** A requested share: a percentage or an amount in reais. */
type SplitBody = { readonly account: string; readonly fee_bearer?: 'RECEIVER' } & (
  | { readonly percent: number }
  | { readonly amount: number }
)

/** A request to the app. Without an answer it is repeated. */
export type Order =
  | {
      readonly kind: 'issue'
      readonly owner: Merchant
      readonly key: string
      readonly webhook: string
      readonly valueCents: number
      /** The shares of other accounts, as the body has them. */
      readonly splits: readonly SplitBody[]
    }
  | { readonly kind: 'register'; readonly owner: Merchant; readonly key: string; readonly document: string }
  | { readonly kind: 'pay'; readonly txid: string; readonly endToEndId: string; readonly valueCents: number }
  | { readonly kind: 'cancel'; readonly txid: string }
  | WithdrawOrder
  | {
      readonly kind: 'refund'
      readonly owner: Merchant
      readonly key: string
      readonly chargeId: number
      /** Of the Pix that goes back: a charge may have got several. Null for all that was paid in excess. */
      readonly endToEndId: string | null
      readonly valueCents: number
    }
  | { readonly kind: 'edit'; readonly owner: Merchant; readonly limitCents: number }
  | { readonly kind: 'read'; readonly owner: Merchant }
  /** Reads a charge, whose title is another one after a payment of a part. */
  | { readonly kind: 'look'; readonly owner: Merchant; readonly key: string; readonly chargeId: number }

export type Kind = Order['kind']
export type OrderOf<K extends Kind> = Extract<Order, { readonly kind: K }>

type KeyedOrder = OrderOf<'issue' | 'register' | 'withdraw' | 'refund'>

const keyed = ({ owner, key }: KeyedOrder, body: unknown) => ({
  token: owner.token,
  headers: { 'idempotency-key': key },
  body,
})

/** Sends the order. Rejects if the process ends before the answer. */
export const ask = (process: Process, order: Order): Promise<Answer> => {
  switch (order.kind) {
    case 'issue': {
      const { key: description, webhook, valueCents } = order
      const splits = order.splits.length === 0 ? {} : { splits: order.splits }
      const body = chargeBody({ value: valueCents / 100, description, webhook, ...splits })
      return process.ask('POST', '/invoices', keyed(order, body))
    }
    case 'register':
      return process.ask('POST', '/v1/clients', keyed(order, { name: order.key, document: order.document }))
    case 'pay': {
      const { txid, valueCents, endToEndId: end_to_end_id } = order
      return process.ask('POST', '/fake-bank/payments', { body: { txid, value: valueCents / 100, end_to_end_id } })
    }
    case 'cancel':
      return process.ask('POST', '/fake-bank/cancellations', { body: { txid: order.txid } })
    case 'withdraw': {
      return process.ask('POST', '/legacypay/pix-out/dataBank', keyed(order, payOutBody(order)))
    }
    case 'refund': {
      const { key: reason, endToEndId } = order
      const of = endToEndId === null ? { overpaid: true } : { value: order.valueCents / 100, end_to_end_id: endToEndId }
      return process.ask('POST', `/invoices/${order.chargeId}/refund`, keyed(order, { reason, ...of }))
    }
    case 'edit': {
      // A minimum below every charge.
      const limits = { charge_min: order.limitCents / 100 }
      return process.ask('PUT', `/fake-bank/accounts/${order.owner.id}`, { body: { limits } })
    }
    case 'read':
      return process.ask('GET', '/consolidation/transactions?per_page=50', { token: order.owner.token })
    case 'look':
      return process.ask('GET', `/invoices/${order.chargeId}`, { token: order.owner.token })
  }
}
