import test from 'ava'
import { type ClientSession, MongoClient, type ServerSessionId } from 'mongodb'
import { timeoutFor } from '../../../adapters/mongodb/connection.ts'
import { commitDeadline, type Sessions, sessionsOf } from '../../../adapters/mongodb/transactions.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

const SLOTS = 2
/** One more is for what is written beside them. */
const SESSIONS = SLOTS + 1
const HOUR_MS = 3_600_000

/** Sessions need no server until something is asked in them. */
const ofNobody = (): Sessions => {
  const client = new MongoClient('mongodb://127.0.0.1:1')
  return sessionsOf(client, timeoutFor(client), SLOTS)
}

const sessionAt = (sessions: Sessions, slot: number): Promise<ClientSession> =>
  sessions.inSlot(slot, async (session) => session)

test('a slot has one session, whoever comes', async (t) => {
  const sessions = ofNobody()
  const ids = sessions.ids()
  t.is(ids.length, SESSIONS)
  const first = await sessionAt(sessions, 0)
  t.is(await sessionAt(sessions, 0), first)
  t.not(await sessionAt(sessions, 1), first)
  t.not(await sessions.outsideBatches(async (session) => session), first)
  t.is(sessions.ids(), ids)
})

const hexOf = (id: ServerSessionId | undefined): string => `${id?.id.toString('hex')}`

const spent: readonly (readonly [why: string, spend: (session: ClientSession) => unknown])[] = [
  ['its connection broke', ({ serverSession }) => Object.assign(serverSession, { isDirty: true })],
  ['it was not used for long', ({ serverSession }) => Object.assign(serverSession, { lastUse: -HOUR_MS / 2 })],
  ['it was ended', (session) => session.endSession()],
  ['it ended in the middle of a transaction', (session) => session.startTransaction()],
]

for (const [why, spend] of spent)
  test(`a session is replaced where ${why}: both are named`, async (t) => {
    const sessions = ofNobody()
    const before = sessions.ids()
    const first = await sessions.inSlot(0, async (session) => {
      await spend(session)
      return session
    })
    const second = await sessionAt(sessions, 0)
    t.not(second, first)
    t.not(sessions.ids(), before)
    const named = sessions.ids().map(hexOf)
    t.deepEqual(
      [...before, second.id].filter((id) => !named.includes(hexOf(id))),
      [],
    )
  })

test('however many are replaced, few are named: those in use and the last before them', async (t) => {
  const sessions = ofNobody()
  const kept = await sessionAt(sessions, 1)
  for (let times = 0; times < 10; times += 1)
    await sessions.inSlot(0, async ({ serverSession }) => Object.assign(serverSession, { isDirty: true }))
  const last = await sessionAt(sessions, 0)
  t.is(sessions.ids().length, 2 * SESSIONS)
  t.true(sessions.ids().includes(kept.id as never) && sessions.ids().includes(last.id as never))
})

/** A batch that begins at 0, and the time that it has come to. */
const waiting = () => {
  const stopping = new AbortController()
  let now = 0
  const patience = commitDeadline(stopping.signal, () => now)
  const at = (ms: number): boolean => {
    now = ms
    return patience.isOver()
  }
  return { stopping, patience, at }
}

test('a commit waits for 10 s, and for 4 s once its process was told to stop', (t) => {
  const { stopping, at } = waiting()
  t.deepEqual([0, 3_999, 9_999, 10_000].map(at), [false, false, false, true])
  stopping.abort()
  t.deepEqual([0, 3_999, 4_000, 9_999].map(at), [false, false, true, true])
})

test('a write that the server keeps waiting is given up in the same time: nobody knows what becomes of it', async (t) => {
  const { stopping, patience, at } = waiting()
  at(9_000)
  const late = patience.within(new Promise(() => {}))
  stopping.abort()
  await t.throwsAsync(late, { instanceOf: StoreUnavailable, message: /outcome of the commit is unknown/ })
})

test('what comes in time is what came', async (t) => {
  const { patience } = waiting()
  t.is(await patience.within(Promise.resolve('done')), 'done')
  await t.throwsAsync(patience.within(Promise.reject(new RangeError('wrong'))), { instanceOf: RangeError })
})
