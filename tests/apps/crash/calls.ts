import { chargeBody, type Issued, type Merchant, payOutBody, type WithdrawOrder } from '../payments/given/merchants.ts'
import type { Answer } from '../payments/test-api.ts'
import { isLost, type Paid } from '../processes/money-faults.ts'
import type { Process } from '../processes/processes.ts'

/** The answers of a run: no answered change may be lost. */
export const noAnswers = () => ({
  /** By their keys. */
  issued: new Map<string, Issued & { readonly call: CallOf<'issue'> }>(),
  /** The key of the charge of each title, including the titles of a rest. */
  titles: new Map<string, string>(),
  /** The amount paid of each charge in cents, as last answered. */
  amountsPaid: new Map<number, number>(),
  registered: new Map<string, number>(),
  /** By their end-to-end ids. */
  paid: new Map<string, Paid & { readonly txid: string }>(),
  /** The ids of withdrawals, completed or pending, by key. */
  withdrawn: new Map<string, number>(),
  /** The ids of the refunds of each key; an over-payment may have several. */
  refunded: new Map<string, string>(),
  /** The keys of withdrawals that were answered as completed. */
  completed: new Set<string>(),
  cancelled: new Set<string>(),
  /** The lowest charge of each account in cents, as last answered and as last sent. */
  limits: new Map<number, { readonly answered: number; readonly sent: number }>(),
  /** The balance after each entry in cents, as a statement answered it. */
  balances: new Map<number, number>(),
  /** Calls to repeat. */
  unanswered: [] as Call[],
  /** Calls whose first request was killed: the lease of its key answers a repeat as running. */
  running: [] as Call[],
  /** Withdrawals whose first request was killed before it sent them to the bank: they are not sent again. */
  unsent: [] as Call[],
  /** Withdrawals refused because the PIN is locked: an earlier request may have begun them. */
  locked: [] as Call[],
  /** Answers that contradict an earlier one or that no call expects. */
  faults: [] as string[],
  successes: 0,
  /** Refusals for lack of money. */
  refusals: 0,
})

export type Answers = ReturnType<typeof noAnswers>

const cents = (reais: number): number => Math.round(reais * 100)

type Line = { readonly id: number; readonly value: number; readonly balance: number }

/** Records a statement: it has no gaps, and its entries do not change. */
const recordStatement = ({ balances, faults }: Answers, lines: readonly Line[]): void => {
  for (const [index, { id, value, balance }] of lines.entries()) {
    const before = lines[index + 1]
    if (before && cents(before.balance) + cents(value) !== cents(balance)) faults.push(`entry ${id} does not follow`)
    if ((balances.get(id) ?? cents(balance)) !== cents(balance)) faults.push(`entry ${id} has another balance`)
    balances.set(id, cents(balance))
  }
}

type Recorders = { readonly [K in Kind]: (answers: Answers, call: CallOf<K>, body: Answer['body']) => void }

/** Records the id of a key: a repeat answers the same one. */
const recordOnce = <I>({ faults }: Answers, known: Map<string, I>, key: string, id: I): void => {
  const before = known.get(key) ?? id
  if (before !== id) faults.push(`${key}: answered as ${before} and as ${id}`)
  known.set(key, before)
}

/** Calls that may be refused for lack of money. */
const REFUSABLE: readonly Kind[] = ['withdraw', 'refund']

const recordSuccess: Recorders = {
  issue: (answers, call, { data }) => {
    const { id } = answers.issued.get(call.key) ?? data
    if (id !== data.id) answers.faults.push(`${call.key}: issued as ${id} and as ${data.id}`)
    const { txid } = answers.issued.get(call.key) ?? data.pix
    answers.issued.set(call.key, { id, code: data.code, txid, call })
    answers.titles.set(txid, call.key)
  },
  register: (answers, { key }, { client }) => recordOnce(answers, answers.registered, key, client.id),
  pay: (answers, call, { status }) => {
    if (status === 'confirmed') answers.paid.set(call.endToEndId, call)
    else answers.unanswered.push(call)
  },
  withdraw: (answers, { key }, { data }) => {
    recordOnce(answers, answers.withdrawn, key, data.id)
    if (data.status.value === 'concluido') answers.completed.add(key)
  },
  refund: (answers, { key, endToEndId }, { data }) => {
    const given = data.refunds.filter(({ reason }: { readonly reason: string }) => reason === key)
    const ids = given.map(({ id }: { readonly id: string }) => id).toSorted()
    recordOnce(answers, answers.refunded, key, ids.join())
    const isRight = endToEndId === null ? ids.length > 0 : ids.length === 1
    if (!isRight) answers.faults.push(`${key}: answered as ${ids.length} refunds`)
  },
  show: (answers, { key }, { data }) => {
    const paidCents = cents(data.amount_paid ?? 0)
    const before = answers.amountsPaid.get(data.id) ?? 0
    if (paidCents < before) answers.faults.push(`${key}: ${paidCents} paid after ${before}`)
    answers.amountsPaid.set(data.id, Math.max(before, paidCents))
    const restCents = cents(data.value) - paidCents + cents(data.refunded_value ?? 0)
    const isOpen = data.status.title === 'pending' && data.amount_left !== undefined
    if (isOpen && cents(data.amount_left) !== restCents)
      answers.faults.push(`${key}: ${data.amount_left} left of ${restCents}`)
    answers.titles.set(data.pix.txid, key)
  },
  cancel: (answers, { txid }) => void answers.cancelled.add(txid),
  limit: ({ limits }, { owner: { id }, limitCents }) => {
    limits.set(id, { answered: limitCents, sent: limits.get(id)?.sent ?? limitCents })
  },
  statement: (answers, _call, { data }) => recordStatement(answers, data),
}

const NOT_REPEATED: readonly Kind[] = ['statement', 'show', 'limit']

/** Queues a call for a repeat, except reads and new limits. */
export const repeatLater = ({ unanswered }: Answers, call: Call): void => {
  if (!NOT_REPEATED.includes(call.kind)) unanswered.push(call)
}

/** Records an answer, also one that asks for a repeat. */
export const record = <K extends Kind>(answers: Answers, call: CallOf<K>, { status, headers, body, text }: Answer) => {
  const isRetryable = /^\d+$/.test(headers.get('retry-after') ?? '')
  if (status < 300) {
    answers.successes += 1
    recordSuccess[call.kind as K](answers, call, body)
  } else if (status === 422 && REFUSABLE.includes(call.kind) && body.errors?.value) answers.refusals += 1
  else if (call.kind === 'withdraw' && isLost(body)) answers.unsent.push(call)
  // A try counts before the PIN is compared: five crashes between the two lock it.
  else if (call.kind === 'withdraw' && body.error_code === 'pin.locked') answers.locked.push(call)
  else if (status === 503 && isRetryable) repeatLater(answers, call)
  else if (status === 409 && isRetryable) answers.running.push(call)
  else answers.faults.push(`${call.kind}: ${status} ${text}`)
}

/** A requested share: a percentage or an amount in reais. */
type SplitBody = { readonly account: string; readonly fee_bearer?: 'RECEIVER' } & (
  | { readonly percent: number }
  | { readonly amount: number }
)

/** A request to the app, which is repeated until it has an answer. */
export type Call =
  | {
      readonly kind: 'issue'
      readonly owner: Merchant
      readonly key: string
      readonly webhook?: string
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
      /** The refunded one of several Pix of the charge, or null for all that was paid in excess. */
      readonly endToEndId: string | null
      readonly valueCents: number
    }
  | { readonly kind: 'limit'; readonly owner: Merchant; readonly limitCents: number }
  | { readonly kind: 'statement'; readonly owner: Merchant }
  /** Reads a charge: after a partial payment its title is another one. */
  | { readonly kind: 'show'; readonly owner: Merchant; readonly key: string; readonly chargeId: number }

export type Kind = Call['kind']
export type CallOf<K extends Kind> = Extract<Call, { readonly kind: K }>

type KeyedCall = CallOf<'issue' | 'register' | 'withdraw' | 'refund'>

const keyed = ({ owner, key }: KeyedCall, body: unknown) => ({
  token: owner.token,
  headers: { 'idempotency-key': key },
  body,
})

/** Sends a call. Rejects if the process ends before the answer. */
export const send = (process: Process, call: Call): Promise<Answer> => {
  switch (call.kind) {
    case 'issue': {
      const { key: description, webhook, valueCents, splits } = call
      const over = splits.length === 0 ? {} : { splits }
      const body = chargeBody({ value: valueCents / 100, description, webhook, ...over })
      return process.ask('POST', '/invoices', keyed(call, body))
    }
    case 'register':
      return process.ask('POST', '/v1/clients', keyed(call, { name: call.key, document: call.document }))
    case 'pay': {
      const { txid, valueCents, endToEndId: end_to_end_id } = call
      return process.ask('POST', '/fake-bank/payments', { body: { txid, value: valueCents / 100, end_to_end_id } })
    }
    case 'cancel':
      return process.ask('POST', '/fake-bank/cancellations', { body: { txid: call.txid } })
    case 'withdraw': {
      return process.ask('POST', '/legacypay/pix-out/dataBank', keyed(call, payOutBody(call)))
    }
    case 'refund': {
      const { key: reason, endToEndId } = call
      const of = endToEndId === null ? { overpaid: true } : { value: call.valueCents / 100, end_to_end_id: endToEndId }
      return process.ask('POST', `/invoices/${call.chargeId}/refund`, keyed(call, { reason, ...of }))
    }
    case 'limit': {
      // Below the value of every charge.
      const limits = { charge_min: call.limitCents / 100 }
      return process.ask('PUT', `/fake-bank/accounts/${call.owner.id}`, { body: { limits } })
    }
    case 'statement':
      return process.ask('GET', '/consolidation/transactions?per_page=50', { token: call.owner.token })
    case 'show':
      return process.ask('GET', `/invoices/${call.chargeId}`, { token: call.owner.token })
  }
}

/** Sends a call and records its answer. */
export const ask = async (process: Process, answers: Answers, call: Call): Promise<void> =>
  record(answers, call, await send(process, call))

/** Repeats every call without an answer once; reports whether all have one. */
export const repeatCalls = async (process: Process, answers: Answers): Promise<boolean> => {
  for (const call of [...answers.unanswered.splice(0), ...answers.running.splice(0)]) await ask(process, answers, call)
  return answers.unanswered.length + answers.running.length === 0
}
