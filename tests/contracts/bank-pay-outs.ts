import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import type { Bank, BankAccountHolder, PayOutOrder, PayOuts, PayOutTarget } from '../../core/ports/bank.ts'
import { type Check, LeftOut } from './contract.ts'
import { accountOf, anId, doneBy, isInstant, type OpenedBank } from './opened-bank.ts'

export interface Keys {
  readonly known: string
  readonly unknown: string
}

/** What only a bank that pays out promises. */
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
  ok(name !== '', 'whose it is has a name')
  match(document, /^(\d{11}|[0-9A-Z]{12}\d{2})$/)
  match(ispb, /^[0-9A-Z]{8}$/)
  ok(branch !== '' && account !== '', 'an account has a branch and a number')
}

export const payOutPromises = <O extends OpenedBank>(check: Check<O>, { known, unknown }: Keys): void => {
  check(
    'finds the same holder of a key on every look-up, or none',
    paying(async (payOuts) => {
      const owner = doneBy(await payOuts.findKey(known))
      if (owner === null) throw new Error('the key is nobody’s')
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
      if (holder === null) throw new Error('the key is nobody’s')
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
