import { deepEqual, equal, ok } from 'node:assert/strict'
import type { MovementPage, RefundOrder, TitleOrder } from '../../core/ports/bank.ts'
import { type Check, LeftOut } from './contract.ts'
import { anId, doneBy, type OpenedBank } from './opened-bank.ts'

/** How a title is made that somebody then pays: its order, and what pays it. */
export interface PaidBy<O extends OpenedBank> {
  order(opened: O): Promise<TitleOrder>
  pay(opened: O, payment: { readonly txid: string; readonly valueCents: number }): Promise<unknown>
}

/** Refunds of a Pix that came in, and what the bank lists of both; by a bank that does neither they are left out. */
export const refundPromises = <O extends OpenedBank>(check: Check<O>, { order, pay }: PaidBy<O>): void => {
  const paid = async (opened: O) => {
    const { bank } = opened
    const made = await order(opened)
    const { txid } = doneBy(await bank.createTitle(made))
    await pay(opened, { txid, valueCents: made.valueCents })
    const [payment] = doneBy(await bank.findTitle(txid))?.payments ?? []
    if (!payment) throw new Error('the payment is not told')
    const given = (over: Partial<RefundOrder> = {}): RefundOrder => ({
      id: anId(bank),
      endToEndId: payment.endToEndId,
      valueCents: 1_000,
      reason: 'Desistência',
      ...over,
    })
    return { payment, given }
  }

  check('refunds a received Pix in parts, each once by its id, up to the amount received', async (opened) => {
    const { refunds } = opened.bank
    if (!refunds) return new LeftOut('the bank has no refunds')
    const { payment, given } = await paid(opened)
    const first = given()
    equal(doneBy(await refunds.findRefund(first)), null)
    const [made, ...again] = [await refunds.refund(first), await refunds.refund(first), await refunds.findRefund(first)]
    for (const each of again) deepEqual(each, made)
    ok(['processing', 'returned'].includes(doneBy(await refunds.refund(first))?.status), 'the bank takes it')
    doneBy(await refunds.refund(given({ reason: null, valueCents: payment.valueCents - 1_000 })))
    equal((await refunds.refund(given({ valueCents: 1 }))).outcome, 'refused')
    return null
  })

  check('lists received payments and refunds, and finds each by its id', async (opened) => {
    const { refunds, movements } = opened.bank
    if (!movements) return new LeftOut('the bank has no movements')
    const { payment, given } = await paid(opened)
    const { endToEndId, paidAt } = payment
    const pix = { kind: 'pix', id: endToEndId, endToEndId } as const
    equal(doneBy(await movements.findMovement(pix))?.valueCents, payment.valueCents)
    const order = given()
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
    ok(!none.movements.some(({ id }) => id === endToEndId), 'its end is not in it')
    return null
  })
}
