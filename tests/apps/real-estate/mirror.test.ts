import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import type { Mirror, MirroredNotification } from '../../../core/ports/messaging.ts'
import { notifications } from '../../../core/real-estate/office.ts'
import { emulatorAt, mirrorAt, unreadOf } from '../../adapters/mirror/emulator.ts'
import { freePort } from '../../listening.ts'
import { openAgency } from './given/basics.ts'
import { type EstateTestApi, type Person, worked } from './test-api.ts'

/** A mirror in memory that can be unavailable. */
const testMirror = () => {
  const items = new Map<string, MirroredNotification>()
  const state = { isAway: false, calls: 0 }
  const mirror: Mirror = {
    async set(uid, id, document) {
      state.calls += 1
      if (state.isAway) throw new Error('away')
      items.set(`notifications/${uid}/items/${id}`, document)
    },
  }
  return { items, state, mirror }
}

/** Founds a company with a broker. `notify` notifies the broker of a paid commission. */
const openBroker = async (...opening: Parameters<typeof openAgency>) => {
  const { api, admin, stored } = await openAgency(...opening)
  const bruno = await api.colleague(admin, 'Broker')
  const broker = await stored.brokerOf({ email: bruno.email })
  const contract = await stored.contractOf()
  const notify = async () => {
    await stored.emit('commission.paid', (await stored.commissionOf(contract, broker.id)).id)
    await api.drain()
  }
  return { api, bruno, notify }
}

const read = async (api: EstateTestApi, { token }: Person, id: string) =>
  worked(await api.ask('PATCH', `/api/notifications/${id}/read`, { token, body: {} }))

test('notifications and reads are mirrored under the provider’s id of the user', async (t) => {
  const { items, state, mirror } = testMirror()
  const { api, bruno, notify } = await openBroker(t, { instead: () => ({ mirror }) })
  await notify()
  await notify()
  const [notification] = await api.every(notifications)
  const at = (id: string) => `notifications/${bruno.uid}/items/${id}`
  t.is(items.size, 2)
  t.deepEqual(items.get(at(notification?.id ?? '')), {
    type: 'CommissionPaid',
    title: 'Comissão paga',
    message: notification?.message ?? '',
    isRead: false,
    readAt: null,
    resourceType: 'Commission',
    resourceId: notification?.resourceId ?? '',
    createdAt: notification?.createdAt ?? '',
  })
  const { readAt } = await read(api, bruno, notification?.id ?? '')
  await api.drain()
  t.like(items.get(at(notification?.id ?? '')), { isRead: true, readAt })
  worked(await api.ask('PATCH', '/api/notifications/read-all', { token: bruno.token, body: {} }))
  await api.drain()
  t.true([...items.values()].every(({ isRead }) => isRead))
  t.is(state.calls, 4)
  await read(api, bruno, notification?.id ?? '')
  await api.drain()
  t.is(state.calls, 4, 'what changes nothing is not mirrored')
})

test('an unavailable mirror fails no request and receives everything later', async (t) => {
  const { items, state, mirror } = testMirror()
  const { api, bruno, notify } = await openBroker(t, { instead: () => ({ mirror }) })
  state.isAway = true
  await notify()
  const [notification] = await api.every(notifications)
  await read(api, bruno, notification?.id ?? '')
  for (let tries = 0; tries < 7; tries += 1) {
    await api.drain()
    api.clock.advance(301)
  }
  t.is(items.size, 0)
  t.true(state.calls >= 7)
  state.isAway = false
  await api.drain()
  t.like([...items.values()], [{ isRead: true }])
  t.like(await api.every(notifications), [{ dueAt: null, attempts: 0 }])
})

test('without a mirror nothing is queued for one', async (t) => {
  const { api, bruno, notify } = await openBroker(t)
  await notify()
  const [notification] = await api.every(notifications)
  await read(api, bruno, notification?.id ?? '')
  t.like(await api.every(notifications), [{ dueAt: null }])
})

test('a client of the provider’s database sees notifications appear, and disappear once read', async (t) => {
  const port = await freePort()
  const mirror = mirrorAt(t, port)
  const { api, bruno, notify } = await openBroker(t, { instead: () => ({ mirror }) })
  await notify()
  const [notification] = await api.every(notifications)
  t.not(notification?.dueAt, null, 'the database is not there yet')
  await emulatorAt(t, port)
  const app = unreadOf(t, port, bruno.uid)
  // The client reconnects after a delay in real time.
  for (let tries = 0; tries < 50 && (await api.every(notifications))[0]?.dueAt !== null; tries += 1) {
    await pause(100)
    api.clock.advance(301)
    await api.drain()
  }
  t.like((await app.until(notification?.id ?? ''))[0], { type: 'CommissionPaid', isRead: false })
  await read(api, bruno, notification?.id ?? '')
  await api.drain()
  await app.until()
  t.like(await app.get(notification?.id ?? ''), { isRead: true })
})
