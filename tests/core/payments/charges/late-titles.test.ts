import test from 'ava'
import { titles } from '../../../../adapters/bank/fake/books.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { isLeft } from '../../../../core/failure.ts'
import { bankOperations, type Operation } from '../../../../core/payments/bank/operation.ts'
import { decideLateReplacement } from '../../../../core/payments/charges/change.ts'
import { type Charge, charges } from '../../../../core/payments/charges/charge.ts'
import { payments } from '../../../../core/payments/payments.ts'
import type { Bank, BankAnswer, Title } from '../../../../core/ports/bank.ts'
import { byId } from '../../../../core/ports/store.ts'
import { cheapHasher, right } from '../access/test-ports.ts'
import { aCharge, anOperation, aPix, applyTo, detailOf, freshAt, inserted, NOW, unsealed } from './billing-fixtures.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const UNKNOWN = { outcome: 'unknown' } as const
const PAYER = { name: 'Fulano', email: 'fulano@example.com', document: '12345678909' }

/** An account whose orders of titles are lost on their way to the bank while `loses` is set, until they are let arrive. */
const lossy = async () => {
  const clock = setClock(NOW)
  const log = memoryLog()
  const plain = memoryPorts({ clock, log, hasher: cheapHasher().hasher })
  const { createTitle } = plain.bank
  const network = { loses: false, arrive: async (): Promise<unknown> => null }
  const bank: Bank = {
    ...plain.bank,
    createTitle: async (order): Promise<BankAnswer<Title>> => {
      if (!network.loses) return createTitle(order)
      network.arrive = () => createTitle(order)
      return UNKNOWN
    },
  }
  const pay = payments({ ...plain, bank })
  const { drain } = pay.worker()
  const opening = { name: 'Loja', email: null, document: '11222333000181' }
  const { id: accountId } = right(await pay.openings.open({ userId: 1 }, opening)())
  const member = { userId: 1, accountId }
  return {
    ...{ pay, network, member, log },
    issue: async () => {
      const input = { valueCents: 1_000, paymentMethod: 'PIX', dueDate: '2026-12-20', payer: PAYER } as const
      return right(await pay.charges.issue(member, input)()).charge
    },
    after: async (seconds: number, times = 1) => {
      for (let time = 0; time < times; time += 1) {
        clock.advance(seconds)
        await drain()
      }
    },
    titleOf: async (txid: string) => (await plain.store.find(byId(titles, txid)))?.status ?? null,
    chargeOf: (id: number) => plain.store.find(byId(charges, id)),
    operationOf: (id: string) => plain.store.find(byId(bankOperations, id)),
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
  t.deepEqual(
    log.warnings.map(({ facts }) => facts),
    [{ kind: 'create-title', id: txid }],
  )
})

test('closes the new title of a charge that was paid by the former one, and leaves that one as it is', async (t) => {
  const { pay, member, network, issue, after, titleOf, chargeOf } = await lossy()
  const { id, txid } = await issue()
  network.loses = true
  right(await pay.charges.update(member, id, { valueCents: 2_000 })())
  const renewed = (await chargeOf(id))?.operationId ?? ''
  const notice = { txid: txid ?? '', endToEndId: 'E01181521202611231305ABCDEFGHIJK', method: 'pix' } as const
  right(await pay.bank.paid({ ...notice, valueCents: 1_000, paidAt: NOW, payer: null })())
  await after(60)
  await after(HOUR, 4)
  t.like(await chargeOf(id), { status: 'paid', operationId: null })
  await network.arrive()
  t.is(await titleOf(renewed), 'open')
  await after(DAY)
  t.deepEqual([await titleOf(renewed), await titleOf(txid ?? '')], ['cancelled', 'open'])
  t.like(await chargeOf(id), { status: 'paid', txid, valueCents: 1_000, operationId: null })
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
