import test from 'ava'
import { type ClientSession, MongoClient, type ServerSessionId } from 'mongodb'
import { timeoutFor } from '../../../adapters/mongodb/connection.ts'
import { commitDeadline, type Sessions, sessionsOf } from '../../../adapters/mongodb/transactions.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

const SLOTS = 2
/** One more is for writes outside of batches. */
const SESSIONS = SLOTS + 1
const HOUR_MS = 3_600_000

/** Sessions need no server before their first request. */
const withoutServer = (): Sessions => {
  const client = new MongoClient('mongodb://127.0.0.1:1')
  return sessionsOf(client, timeoutFor(client), SLOTS)
}

const sessionAt = (sessions: Sessions, slot: number): Promise<ClientSession> =>
  sessions.inSlot(slot, async (session) => session)

test('a slot keeps its session', async (t) => {
  const sessions = withoutServer()
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
  ['its connection is broken', ({ serverSession }) => Object.assign(serverSession, { isDirty: true })],
  ['it was not used for long', ({ serverSession }) => Object.assign(serverSession, { lastUse: -HOUR_MS / 2 })],
  ['it was ended', (session) => session.endSession()],
  ['it ended in the middle of a transaction', (session) => session.startTransaction()],
]

for (const [why, spend] of spent)
  test(`a session is replaced if ${why}, and both ids are listed`, async (t) => {
    const sessions = withoutServer()
    const before = sessions.ids()
    const first = await sessions.inSlot(0, async (session) => {
      await spend(session)
      return session
    })
    const second = await sessionAt(sessions, 0)
    t.not(second, first)
    t.not(sessions.ids(), before)
    const named = sessions.ids().map(hexOf)
    const missing = [...before, second.id].filter((id) => !named.includes(hexOf(id)))
    t.deepEqual(missing, [])
  })

test('the listed ids are those in use and the last replaced ones', async (t) => {
  const sessions = withoutServer()
  const kept = await sessionAt(sessions, 1)
  for (let times = 0; times < 10; times += 1)
    await sessions.inSlot(0, async ({ serverSession }) => Object.assign(serverSession, { isDirty: true }))
  const last = await sessionAt(sessions, 0)
  t.is(sessions.ids().length, 2 * SESSIONS)
  t.true(sessions.ids().includes(kept.id as never) && sessions.ids().includes(last.id as never))
})

const deadlineAt0 = () => {
  const stopping = new AbortController()
  let now = 0
  const deadline = commitDeadline(stopping.signal, () => now)
  const at = (ms: number): boolean => {
    now = ms
    return deadline.isOver()
  }
  return { stopping, deadline, at }
}

test('a commit is retried for 10 s, and for 4 s once its process is stopping', (t) => {
  const { stopping, at } = deadlineAt0()
  t.deepEqual([0, 3_999, 9_999, 10_000].map(at), [false, false, false, true])
  stopping.abort()
  t.deepEqual([0, 3_999, 4_000, 9_999].map(at), [false, false, true, true])
})

test('a write that the server delays is abandoned at the deadline, with an unknown outcome', async (t) => {
  const { stopping, deadline, at } = deadlineAt0()
  at(9_000)
  const late = deadline.within(new Promise(() => {}))
  stopping.abort()
  await t.throwsAsync(late, { instanceOf: StoreUnavailable, message: /outcome of the commit is unknown/ })
})

test('a write before the deadline has its own result', async (t) => {
  const { deadline } = deadlineAt0()
  t.is(await deadline.within(Promise.resolve('done')), 'done')
  await t.throwsAsync(deadline.within(Promise.reject(new RangeError('wrong'))), { instanceOf: RangeError })
})
