import test from 'ava'
import { titles } from '../../../../adapters/bank/fake/books.ts'
import { isLeft } from '../../../../core/failure.ts'
import { bankOperations, type Operation } from '../../../../core/payments/bank/operation.ts'
import { type Charge, charges } from '../../../../core/payments/charges/charge.ts'
import { decideLateReplacement } from '../../../../core/payments/charges/replace-title.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import type { Bank, BankAnswer, Title } from '../../../../core/ports/bank.ts'
import { byId } from '../../../../core/ports/store.ts'
import { aCharge, anOperation, aPix, applyTo, detailOf, freshAt, inserted, unsealed } from '../records.ts'
import { column, NOW, openPayments, right } from '../world.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const UNKNOWN = { outcome: 'unknown' } as const

/**
 * An account whose orders of titles are lost on their way to the bank while `loses` is set, until they are let arrive.
 */
const lossy = async () => {
  const network = { loses: false, arrive: async (): Promise<unknown> => null }
  const instead = ({ bank: reached }: PaymentsPorts): Partial<PaymentsPorts> => {
    const createTitle = async (order: Parameters<Bank['createTitle']>[0]): Promise<BankAnswer<Title>> => {
      if (!network.loses) return reached.createTitle(order)
      network.arrive = () => reached.createTitle(order)
      return UNKNOWN
    }
    return { bank: { ...reached, createTitle } }
  }
  const world = openPayments({ instead })
  const { pay, store, clock, log, drain, charge } = world
  const merchant = await world.merchant()
  return {
    ...{ pay, network, log, member: merchant.member },
    issue: () => charge(merchant, { valueCents: 1_000, dueDate: '2026-12-20' }),
    payBy: async (txid: string) => {
      const notice = { txid, endToEndId: 'E01181521202611231305ABCDEFGHIJK', method: 'pix' } as const
      return right(await pay.bank.paid({ ...notice, valueCents: 1_000, paidAt: NOW, payer: null })())
    },
    after: async (seconds: number, times = 1) => {
      for (let time = 0; time < times; time += 1) {
        clock.advance(seconds)
        await drain()
      }
    },
    titleOf: async (txid: string) => (await store.find(byId(titles, txid)))?.status ?? null,
    chargeOf: (id: number) => store.find(byId(charges, id)),
    operationOf: (id: string) => store.find(byId(bankOperations, id)),
  }
}

test('closes the title of a deleted charge that reaches the bank after the look-ups by the hour', async (t) => {
  const { pay, member, network, issue, after, titleOf, chargeOf, operationOf, log } = await lossy()
  network.loses = true
  const { id, txid } = await issue()
  right(await pay.charges.delete(member, id)())
  await after(60)
  await after(HOUR, 4)
  t.like(await operationOf(txid ?? ''), { state: 'withdrawn' })
  await network.arrive()
  t.is(await titleOf(txid ?? ''), 'open')
  await after(DAY)
  t.is(await titleOf(txid ?? ''), 'cancelled')
  t.like(await chargeOf(id), { status: 'DELETED', operationId: null })
  t.like(await operationOf(txid ?? ''), { state: 'done', dueAt: null })
  t.deepEqual(column(log.warnings, 'facts'), [{ kind: 'create-title', id: txid }])
})

test('closes the new title of a charge that was paid by the former one, and leaves that one as it is', async (t) => {
  const { pay, member, network, issue, payBy, after, titleOf, chargeOf } = await lossy()
  const { id, txid } = await issue()
  network.loses = true
  right(await pay.charges.update(member, id, { valueCents: 2_000 })())
  const renewed = (await chargeOf(id))?.operationId ?? ''
  await payBy(txid ?? '')
  await after(60)
  await after(HOUR, 4)
  t.like(await chargeOf(id), { status: 'paid', operationId: null })
  await network.arrive()
  t.is(await titleOf(renewed), 'open')
  await after(DAY)
  t.deepEqual([await titleOf(renewed), await titleOf(txid ?? '')], ['cancelled', 'open'])
  t.like(await chargeOf(id), { status: 'paid', txid, valueCents: 1_000, operationId: null })
})

test('closes both titles of a charge that was paid by a former one while the bank replaced its title again', async (t) => {
  const { pay, member, network, issue, payBy, after, titleOf, chargeOf } = await lossy()
  const { id, txid: former } = await issue()
  right(await pay.charges.update(member, id, { valueCents: 2_000 })())
  const { txid } = (await chargeOf(id)) ?? {}
  network.loses = true
  right(await pay.charges.update(member, id, { valueCents: 3_000 })())
  const renewed = (await chargeOf(id))?.operationId ?? ''
  await payBy(former ?? '')
  await after(60)
  t.is(await titleOf(txid ?? ''), 'cancelled')
  await network.arrive()
  await after(HOUR)
  t.is(await titleOf(renewed), 'cancelled')
  t.like(await chargeOf(id), { status: 'paid', txid, operationId: null })
})

test('looks a withdrawn order up on three more days, and no longer', async (t) => {
  const { pay, member, network, issue, after, operationOf } = await lossy()
  network.loses = true
  const { id, txid } = await issue()
  right(await pay.charges.delete(member, id)())
  await after(60)
  await after(HOUR, 4)
  const dueAt: (string | null | undefined)[] = []
  for (let day = 1; day <= 3; day += 1) {
    dueAt.push((await operationOf(txid ?? ''))?.dueAt)
    await after(DAY)
  }
  t.deepEqual(dueAt, ['2026-11-24T16:06:09.123Z', '2026-11-25T17:06:09.123Z', '2026-11-26T17:06:09.123Z'])
  t.like(await operationOf(txid ?? ''), { state: 'withdrawn', dueAt: null })
})

const NEW = 'Z9y8X7w6V5u4T3s2R1q0P9o8N'
const late = (over: Partial<Charge>, state: Operation['state'] = 'withdrawn', isCancelled = false) => {
  const made = { pix: { ...aPix, txid: NEW }, boleto: null, isCancelled, mismatch: null }
  const value = { made, formerTxid: aPix.txid, change: {}, refusal: null }
  const operation = anOperation({ id: NEW, kind: 'replace-title', state })
  return decideLateReplacement(unsealed, operation, detailOf(over), { outcome: 'done', value }, freshAt())
}

test('closes a new title whose answer arrives after the end of its operation', (t) => {
  const { value, changes = [] } = late({ status: 'paid' })
  t.false(isLeft(value))
  const [closing] = inserted(changes, bankOperations)
  t.like(closing, { kind: 'cancel-title', order: JSON.stringify({ txid: NEW }) })
  t.like(applyTo(aCharge({ status: 'paid' }), changes), { operationId: closing?.id, txid: aPix.txid })
  t.deepEqual(late({ status: 'paid' }, 'done').changes, undefined)
  t.deepEqual(late({ status: 'paid' }, 'withdrawn', true).changes, undefined)
  t.like(late({ status: 'paid', operationId: 'another' }), { isBusy: true })
})
