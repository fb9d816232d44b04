import test from 'ava'
import { setClock } from '../../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../../adapters/memory/memory-ports.ts'
import { isLeft } from '../../../../../core/fp.ts'
import { cardOf } from '../../../../../core/payments/cards/card.ts'
import { chargeCard, sendCard } from '../../../../../core/payments/charges/card.ts'
import { charges } from '../../../../../core/payments/charges/charge.ts'
import { payments } from '../../../../../core/payments/payments.ts'
import type { Acquirer } from '../../../../../core/ports/acquirer.ts'
import { byId } from '../../../../../core/ports/store.ts'
import { cheapHasher } from '../../../../simulation/environment/cheap.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const BEFORE_LOST = '2026-11-23T13:06:08.123Z'
const LOST = '2026-11-23T13:06:09.123Z'
const PRINTED = { cardNumber: '4111111111111111', cvv: '737', cardholderName: 'MARIA', expiry: '12/30' }
const ORDER = {
  id: 'kVh2aQ0mZr8TgW5xYc3LdP',
  valueCents: 100,
  installments: 1,
  brand: 'visa',
  last4: '1111',
  payeeName: 'Padaria',
  lostAt: LOST,
} as const

const silent: Acquirer = {
  charge: async () => ({ outcome: 'unknown' }),
  find: async () => ({ outcome: 'done', value: null }),
  void: async () => ({ outcome: 'done', value: null }),
}

test('a card is not sent so late that it could arrive when it counts as lost', async (t) => {
  const sentAt = async (now: string) =>
    (await sendCard({ acquirer: silent, clock: setClock(now) }, cardOf(PRINTED))(ORDER)).outcome
  t.is(await sentAt(NOW), 'unknown')
  t.is(await sentAt('2026-11-23T13:05:39.122Z'), 'unknown')
  t.is(await sentAt('2026-11-23T13:05:39.123Z'), 'unavailable')
  t.is(await sentAt('2026-11-23T14:00:00.000Z'), 'unavailable')
  // A clock that others may believe already.
  const ahead = setClock(NOW)
  ahead.jump(3_600)
  t.is((await sendCard({ acquirer: silent, clock: ahead }, cardOf(PRINTED))(ORDER)).outcome, 'unavailable')
})

/** A charge whose acquirer has said nothing, asked about at one moment and answered at another. */
const askedAbout = async (askedAt: string, heardAt: string) => {
  const clock = setClock(NOW)
  const find: Acquirer['find'] = async () => {
    clock.set(heardAt)
    return { outcome: 'done', value: null }
  }
  const ports = memoryPorts({ clock, hasher: cheapHasher, acquirer: { ...silent, find } })
  const pay = payments(ports)
  const account = await pay.openings.open({ userId: 1 }, { name: 'Loja', email: null, document: '11222333000181' })()
  if (isLeft(account)) throw new Error(account.left.code)
  const { expiry: _, ...plastic } = PRINTED
  const issued = await pay.charges.issue(
    { userId: 1, accountId: account.right.id },
    {
      valueCents: 100,
      paymentMethod: 'CREDIT_CARD',
      dueDate: '2026-11-30',
      payer: { name: 'Fulano', email: 'fulano@example.com', document: '12345678909' },
      address: {
        street: 'Rua A',
        number: '1',
        district: 'Centro',
        city: 'São Paulo',
        state: 'SP',
        zipcode: '01001000',
      },
      card: { ...plastic, expiryMonth: 12, expiryYear: 2030 },
    },
  )()
  if (isLeft(issued)) throw new Error(issued.left.code)
  const { id, code } = issued.right.charge
  clock.set(askedAt)
  await chargeCard(ports).resume(code)()
  return (await ports.store.find(byId(charges, id)))?.status
}

test('what the acquirer did not know while a card could still arrive there is not lost, however late that is heard', async (t) => {
  t.is(await askedAbout(BEFORE_LOST, BEFORE_LOST), 'pending')
  t.is(await askedAbout(BEFORE_LOST, LOST), 'pending')
  t.is(await askedAbout(LOST, LOST), 'failed')
})
