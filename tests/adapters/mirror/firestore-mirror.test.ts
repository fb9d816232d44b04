import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import test from 'ava'
import type { MirroredNotification } from '../../../core/ports/messaging.ts'
import { freePort, listening } from '../../listening.ts'
import { emulatorAt, mirrorAt, unreadOf } from './emulator.ts'

const UNREAD: MirroredNotification = {
  type: 'VisitConfirmed',
  title: 'Visita confirmada',
  message: 'A visita foi confirmada.',
  isRead: false,
  readAt: null,
  resourceType: 'Visit',
  resourceId: '3f2b8c1e-5d0a-4f6b-8a3c-000000000070',
  createdAt: '2026-11-25T10:00:00.000Z',
}
const READ = { ...UNREAD, isRead: true, readAt: '2026-11-25T11:00:00.000Z' }

test('a listener sees the unread notifications of its user, newest first', async (t) => {
  const port = await freePort()
  await emulatorAt(t, port)
  const [mirror, ana, bea] = [mirrorAt(t, port), unreadOf(t, port, 'uid-ana'), unreadOf(t, port, 'uid-bea')]
  await mirror.set('uid-ana', 'n1', UNREAD)
  await mirror.set('uid-ana', 'n2', { ...UNREAD, createdAt: '2026-11-25T10:00:01.000Z' })
  const [, first] = await ana.until('n2', 'n1')
  t.deepEqual(first, { id: 'n1', ...UNREAD })
  await mirror.set('uid-ana', 'n2', READ)
  await ana.until('n1')
  t.deepEqual(await ana.get('n2'), READ)
  await bea.until()
})

test('repeated writes change nothing, and a read notification stays read', async (t) => {
  const port = await freePort()
  await emulatorAt(t, port)
  const [mirror, ana] = [mirrorAt(t, port), unreadOf(t, port, 'uid-ana')]
  await mirror.set('uid-ana', 'n1', UNREAD)
  await mirror.set('uid-ana', 'n1', UNREAD)
  await ana.until('n1')
  await mirror.set('uid-ana', 'n1', READ)
  await mirror.set('uid-ana', 'n1', READ)
  await mirror.set('uid-ana', 'n1', UNREAD)
  t.deepEqual(await ana.get('n1'), READ)
})

test('ignores users whose id is no document id', async (t) => {
  const port = await freePort()
  await emulatorAt(t, port)
  const mirror = mirrorAt(t, port)
  for (const uid of ['a/b', '.', '..', '__x__']) await t.notThrowsAsync(mirror.set(uid, 'n1', UNREAD), uid)
})

test('rejects within its time limit if the server is unreachable or silent', async (t) => {
  const { port, close } = await listening(createServer())
  t.teardown(close)
  for (const at of [port, await freePort()]) {
    const mirror = mirrorAt(t, at, 300)
    const from = performance.now()
    await t.throwsAsync(mirror.set('uid-ana', 'n1', UNREAD))
    await mirror.close()
    t.true(performance.now() - from < 5_000)
  }
})

test('ships an index of unread items by time, and rules that allow no writes', (t) => {
  const at = (name: string) => readFileSync(new URL(`../../../adapters/mirror/${name}`, import.meta.url), 'utf8')
  t.deepEqual(JSON.parse(at('firestore.indexes.json')).indexes[0].fields, [
    { fieldPath: 'isRead', order: 'ASCENDING' },
    { fieldPath: 'createdAt', order: 'DESCENDING' },
  ])
  t.regex(at('firestore.rules'), /match \/notifications\/\{uid\}\/items\/\{\w+\}/)
  t.regex(at('firestore.rules'), /allow write: if false;/)
  t.regex(at('firestore.rules'), /Untested: the emulator .* enforces neither/)
})
