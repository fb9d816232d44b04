import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type {
  Bank,
  BankAccountHolder,
  BankAnswer,
  MovementPage,
  PayOutOrder,
  PayOuts,
  PayOutTarget,
  RefundOrder,
  TitleOrder,
} from '../../core/ports/bank.ts'
import { type Check, LeftOut } from './contract.ts'

/** A bank or its sandbox. */
export interface OpenedBank {
  readonly bank: Bank
  close(): Promise<void>
}

/** Returns a random id of the length that the bank requires. */
export const anId = ({ txidLength }: Pick<Bank, 'txidLength'>): string =>
  `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, txidLength)

export const doneBy = <T>(answer: BankAnswer<T>): T => {
  if (answer.outcome !== 'done') throw new Error(`the bank answered ${JSON.stringify(answer)}`)
  return answer.value
}

export const accountOf = async (bank: Bank, reference = anId(bank)) =>
  doneBy(await bank.openAccount({ reference, name: 'Açaí & Cia', document: '11222333000181' }))

export const isInstant = (text: string): boolean => new Date(text).toISOString() === text

interface Keys {
  readonly known: string
  readonly unknown: string
}

const paying =
  <O extends OpenedBank>(body: (payOuts: PayOuts, opened: O) => Promise<unknown>) =>
  async (opened: O): Promise<unknown> =>
    opened.bank.payOuts ? body(opened.bank.payOuts, opened) : new LeftOut('the bank cannot pay out')

const orderTo = async (bank: Bank, to: PayOutTarget, valueCents = 1_234): Promise<PayOutOrder> => ({
  id: anId(bank),
  from: { name: 'Açaí & Cia', document: '11222333000181', ...(await accountOf(bank)) },
  to,
  valueCents,
  message: null,
})

const assertHolder = ({ name, document, ispb, branch, account }: BankAccountHolder): void => {
  ok(name !== '', 'the holder has a name')
  match(document, /^(\d{11}|[0-9A-Z]{12}\d{2})$/)
  match(ispb, /^[0-9A-Z]{8}$/)
  ok(branch !== '' && account !== '', 'an account has a branch and a number')
}

export const payOutRules = <O extends OpenedBank>(check: Check<O>, { known, unknown }: Keys): void => {
  check(
    'finds the same holder of a key on every look-up, or none',
    paying(async (payOuts) => {
      const owner = doneBy(await payOuts.findKey(known))
      if (owner === null) throw new Error('the key has no holder')
      assertHolder(owner)
      deepEqual(doneBy(await payOuts.findKey(known)), owner)
      equal(doneBy(await payOuts.findKey(unknown)), null)
    }),
  )

  check(
    'pays out to a key once for an id, however often the request is repeated, and finds the pay-out by it',
    paying(async (payOuts, { bank }) => {
      const order = await orderTo(bank, { key: known })
      const [first, ...again] = (await Promise.all([1, 2, 3].map(() => payOuts.payOut(order)))).map(doneBy)
      if (!first) throw new Error('nothing was paid')
      match(first.endToEndId, /^E[0-9A-Za-z]{31}$/)
      ok(isInstant(first.paidAt), `${first.paidAt} is no instant in UTC with milliseconds`)
      assertHolder(first.receiver)
      const later = [doneBy(await payOuts.payOut(order)), doneBy(await payOuts.findPayOut(order.id))]
      for (const each of [...again, ...later]) deepEqual(each, first)
    }),
  )

  check(
    'pays out to an account, and returns that account',
    paying(async (payOuts, { bank }) => {
      const holder = doneBy(await payOuts.findKey(known))
      if (holder === null) throw new Error('the key has no holder')
      const order = await orderTo(bank, { holder })
      const paid = doneBy(await payOuts.payOut(order))
      deepEqual(paid.receiver, holder)
      deepEqual(doneBy(await payOuts.findPayOut(order.id)), paid)
    }),
  )

  check(
    'pays two orders of one value to one key as two pay-outs',
    paying(async (payOuts, { bank }) => {
      const paid = []
      for (const order of [await orderTo(bank, { key: known }), await orderTo(bank, { key: known })])
        paid.push(doneBy(await payOuts.payOut(order)).endToEndId)
      notEqual(paid[0], paid[1])
    }),
  )

  check(
    'pays nothing that was never ordered or is refused',
    paying(async (payOuts, { bank }) => {
      equal(doneBy(await payOuts.findPayOut(anId(bank))), null)
      const order = await orderTo(bank, { key: unknown })
      equal((await payOuts.payOut(order)).outcome, 'refused')
      equal(doneBy(await payOuts.findPayOut(order.id)), null)
    }),
  )
}

export const payOutOutages = <O extends OpenedBank>(
  check: Check<O>,
  { known }: Keys,
  cutOff: (opened: O) => unknown,
): void => {
  check(
    'answers unavailable or unknown to a pay-out while the bank cannot be reached, and never rejects',
    paying(async (payOuts, opened) => {
      const order = await orderTo(opened.bank, { key: known })
      await cutOff(opened)
      const outcomes = [(await payOuts.payOut(order)).outcome, (await payOuts.findPayOut(order.id)).outcome]
      for (const outcome of outcomes) ok(outcome === 'unavailable' || outcome === 'unknown', outcome)
    }),
  )
}

/** Creates orders of titles and pays them. */
interface PaidBy<O extends OpenedBank> {
  order(opened: O): Promise<TitleOrder>
  pay(opened: O, payment: { readonly txid: string; readonly valueCents: number }): Promise<unknown>
}

/** The rules of refunds and movements, left out if the bank has none. */
export const refundRules = <O extends OpenedBank>(check: Check<O>, { order, pay }: PaidBy<O>): void => {
  const paid = async (opened: O) => {
    const { bank } = opened
    const made = await order(opened)
    const { txid } = doneBy(await bank.createTitle(made))
    await pay(opened, { txid, valueCents: made.valueCents })
    const [payment] = doneBy(await bank.findTitle(txid))?.payments ?? []
    if (!payment) throw new Error('the title has no payment')
    const orderOf = (over: Partial<RefundOrder> = {}): RefundOrder => ({
      id: anId(bank),
      endToEndId: payment.endToEndId,
      valueCents: 1_000,
      reason: 'Desistência',
      ...over,
    })
    return { payment, orderOf }
  }

  check('refunds a received Pix in parts, each once by its id, up to the amount received', async (opened) => {
    const { refunds } = opened.bank
    if (!refunds) return new LeftOut('the bank has no refunds')
    const { payment, orderOf } = await paid(opened)
    const first = orderOf()
    equal(doneBy(await refunds.findRefund(first)), null)
    const [made, ...again] = [await refunds.refund(first), await refunds.refund(first), await refunds.findRefund(first)]
    for (const each of again) deepEqual(each, made)
    ok(['processing', 'returned'].includes(doneBy(await refunds.refund(first))?.status), 'the bank accepts the refund')
    doneBy(await refunds.refund(orderOf({ reason: null, valueCents: payment.valueCents - 1_000 })))
    equal((await refunds.refund(orderOf({ valueCents: 1 }))).outcome, 'refused')
    return null
  })

  check('lists received payments and refunds, and finds each by its id', async (opened) => {
    const { refunds, movements } = opened.bank
    if (!movements) return new LeftOut('the bank has no movements')
    const { payment, orderOf } = await paid(opened)
    const { endToEndId, paidAt } = payment
    const pix = { kind: 'pix', id: endToEndId, endToEndId } as const
    equal(doneBy(await movements.findMovement(pix))?.valueCents, payment.valueCents)
    const order = orderOf()
    const back = { kind: 'refund', id: order.id, endToEndId } as const
    if (refunds && movements.kinds.includes('refund')) {
      equal(doneBy(await movements.findMovement(back)), null)
      const { status } = doneBy(await refunds.refund(order))
      if (status === 'returned') equal(doneBy(await movements.findMovement(back))?.valueCents, order.valueCents)
    }
    const at = Date.parse(paidAt)
    const ids: string[] = []
    const [from, to] = [new Date(at).toISOString(), new Date(at + 1).toISOString()]
    for (let place: string | null = null; ; ) {
      const page: MovementPage = doneBy(await movements.list({ from, to, cursor: place }))
      ok(page.movements.length <= 200, 'a page has at most 200')
      ids.push(...page.movements.filter(({ kind }) => kind === 'pix').map(({ id }) => id))
      place = page.next
      if (place === null) break
    }
    equal(ids.filter((id) => id === endToEndId).length, 1)
    const none = doneBy(await movements.list({ from: new Date(at - 2_000_000).toISOString(), to: from, cursor: null }))
    ok(!none.movements.some(({ id }) => id === endToEndId), 'the end of the period is excluded')
    return null
  })
}
