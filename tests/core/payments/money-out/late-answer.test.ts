import test from 'ava'
import { refundablePix } from '../../../../core/payments/charges/refund-records.ts'
import { payOutSums } from '../../../../core/payments/withdrawals/limits.ts'
import type { BankAnswer } from '../../../../core/ports/bank.ts'
import { deferred, justBefore, until } from '../../kernel/running/tasks.ts'
import { failureOf, inShort, right } from '../world.ts'
import { type TwoAccounts, twoAccounts } from './two-accounts.ts'

const CENTS = 5_000
const BEFORE = 100_000
/** Longer than the request of a key is waited for. */
const LEASE_SECONDS = 121
const REFUSED = { outcome: 'refused', reason: 'Agora não.' } as const

/** Money that leaves under a key. */
const WAYS = {
  'a transfer': ({ send }: TwoAccounts) => send(CENTS),
  'a refund': ({ pay, from, charge }: TwoAccounts) => pay.charges.refund(from.member, charge.id, { valueCents: CENTS }),
  'a withdrawal': ({ pay, from }: TwoAccounts) =>
    pay.withdrawals.payKey(from.member, { key: 'ana@cliente.test', valueCents: CENTS }),
} as const

for (const [name, leave] of Object.entries(WAYS))
  test(`${name} that the bank makes after its key was refused is posted all the same`, async (t) => {
    const gate = deferred()
    let orders = 0
    /** The first order takes long, and is carried out in the end; all others are refused. */
    const slow = async <T>(does: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
      orders += 1
      if (orders > 1) return REFUSED
      await gate.promise
      return does()
    }
    const business = await twoAccounts({
      instead: ({ payOuts, refunds }) => ({
        payOuts: { ...payOuts, payOut: (order) => slow(() => payOuts.payOut(order)) },
        refunds: { ...refunds, refund: (order) => slow(() => refunds.refund(order)) },
      }),
    })
    const { clock, books, drain, every, faults } = business
    const first = leave(business)({ key: 'k1' })
    await until(() => orders > 0)
    clock.advance(LEASE_SECONDS)
    t.is(failureOf(await leave(business)({ key: 'k1' }))?.code, 'bank.refused')
    t.deepEqual((await books())[0], [BEFORE, BEFORE])
    gate.resolve()
    await first
    clock.advance(7_200)
    await drain()
    t.deepEqual((await books())[0], [BEFORE - CENTS, BEFORE - CENTS])
    const left = (await every(refundablePix)).map(({ refundableCents }) => refundableCents)
    t.deepEqual(left, name === 'a refund' ? [BEFORE - CENTS] : [])
    const ofDay = (await every(payOutSums)).filter(({ id }) => id.includes('|day|')).map(({ amount }) => amount)
    t.deepEqual(ofDay, name === 'a refund' ? [] : [CENTS])
    t.deepEqual(await faults(), [])
  })

const SUSPENDED = { tag: 'forbidden', code: 'organization.inactive' }

for (const [name, leave, whose, failure] of [
  ...Object.entries(WAYS).map(([name, leave]) => [name, leave, 'from', SUSPENDED] as const),
  ['a transfer to it', WAYS['a transfer'], 'to', { ...SUSPENDED, code: 'transfer.destination-inactive' }],
] as const)
  test(`${name} does not begin in an account that is suspended while it is decided`, async (t) => {
    const business = await twoAccounts()
    const { store, pay, books } = business
    const meanwhile = justBefore()
    meanwhile.act = async () => right(await pay.organizations.update(business[whose].member, { status: 'SUSPENDED' })())
    Object.assign(pay.ports.store, meanwhile.on({ ...store }))
    t.deepEqual(failureOf(await leave(business)()), failure)
    t.deepEqual((await books())[0], [BEFORE, BEFORE])
  })

for (const [name, leave] of Object.entries(WAYS))
  test(`${name} whose order did not reach the bank stays reserved after another attempt has started`, async (t) => {
    const gate = deferred()
    let orders = 0
    const lost = async () => {
      orders += 1
      await gate.promise
      return { outcome: 'unavailable' } as const
    }
    const silent = async () => ({ outcome: 'unknown' }) as const
    const business = await twoAccounts({
      instead: ({ payOuts, refunds }) => ({
        payOuts: { ...payOuts, payOut: lost, findPayOut: silent },
        refunds: { ...refunds, refund: lost, findRefund: silent },
      }),
    })
    const first = leave(business)()
    await until(() => orders > 0)
    business.clock.advance(LEASE_SECONDS)
    await business.drain()
    gate.resolve()
    t.is(inShort<unknown>(await first), 'done')
    t.deepEqual((await business.books())[0], [BEFORE, BEFORE - CENTS])
    t.deepEqual(await business.faults(), [])
  })
