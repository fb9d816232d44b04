import test from 'ava'
import { failure, isLeft, isRight, left, right } from '../../../core/failure.ts'
import { t as codec, orNull, record, word } from '../../../core/kernel/records/record.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { inboxIn } from '../../../core/office/inbox.ts'
import { ANA, COMPANY, openEstate } from './estate.ts'

const notification = record({
  id: codec.string,
  userId: codec.string,
  companyId: codec.string,
  type: word('ProposalApproved', 'VisitConfirmed'),
  title: codec.string,
  message: codec.string,
  resourceType: word('Proposal', 'Visit'),
  resourceId: codec.string,
  readAt: orNull(codec.string),
  createdAt: codec.string,
  updatedAt: codec.string,
})

const { notifications, notify, useCases } = inboxIn<codec.TypeOf<typeof notification>>('estate', notification)

const BEA = { userId: '6d1f0c3a-8f2b-4c7e-9a55-445566778804' }
const CALLER = { userId: ANA }
const CONTENT = {
  companyId: COMPANY,
  type: 'VisitConfirmed',
  title: 'Visita confirmada',
  message: 'Amanhã às 10h',
  resourceType: 'Visit',
  resourceId: 'v-1',
} as const
const UNKNOWN = left(failure('not-found', 'notification.unknown'))

/** An inbox with notifications of Ana, a second apart, and one of Bea. */
const openInbox = async (times: number) => {
  const here = openEstate([notifications])
  const { ports, clock } = here
  const notifyEach = async (people: readonly (typeof CALLER)[]) => {
    const outcome = await ports.store.commit(notify(freshOf(ports).fresh, people, CONTENT))
    if (!outcome.ok) throw new Error('not committed')
    clock.advance(1)
  }
  for (let time = 0; time < times; time += 1) await notifyEach([CALLER])
  await notifyEach([BEA])
  const own = useCases(ports)
  const list = async (caller: typeof CALLER, unreadOnly = false) => {
    const page = await own.list(caller, { unreadOnly })()
    if (isLeft(page)) throw new Error(page.left.code)
    return page.right
  }
  return { ...here, own, notifyEach, list }
}

test('uses the collection, types and fields of the business', async (t) => {
  const { every, clock } = await openInbox(0)
  t.is(notifications.name, 'estate.notifications')
  const [notification] = await every(notifications)
  t.like(notification, { ...CONTENT, ...BEA, readAt: null })
  t.true((notification?.createdAt ?? '') < clock.now())
  t.regex(notification?.id ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  t.true(isLeft(notifications.codec.decode({ ...notification, type: 'charge.paid' })))
})

test('lists and counts the notifications of the caller, newest first', async (t) => {
  const { own, list } = await openInbox(3)
  const { records, total, unread } = await list(CALLER)
  t.deepEqual([records.length, total, unread], [3, 3, 3])
  const times = records.map(({ createdAt }) => createdAt)
  t.deepEqual(times, times.toSorted().reverse())
  t.deepEqual(await own.countUnread(BEA)(), right(1))
})

test('marks a notification as read once, for its recipient only', async (t) => {
  const { own, list, clock, every } = await openInbox(2)
  const [newest] = (await list(CALLER)).records
  const id = newest?.id ?? ''
  t.deepEqual(await own.markRead(BEA, id)(), UNKNOWN)
  t.deepEqual(await own.read(BEA, id)(), UNKNOWN)
  t.deepEqual(await own.remove(BEA, id)(), UNKNOWN)
  const read = await own.markRead(CALLER, id)()
  t.like(read, { right: { id, readAt: clock.now(), updatedAt: clock.now() } })
  clock.advance(60)
  t.deepEqual(await own.markRead(CALLER, id)(), read)
  t.deepEqual(await own.read(CALLER, id)(), read)
  t.is((await every(notifications)).filter(({ readAt }) => readAt !== null).length, 1)
  t.deepEqual(
    (await list(CALLER, true)).records.map((each) => each.id === id),
    [false],
  )
})

test('marks all unread and removes all read notifications, and returns their number', async (t) => {
  const { own, list, notifyEach } = await openInbox(3)
  const [newest] = (await list(CALLER)).records
  await own.markRead(CALLER, newest?.id ?? '')()
  t.deepEqual(await own.markAllRead(CALLER)(), right(2))
  t.deepEqual(await own.markAllRead(CALLER)(), right(0))
  await notifyEach([CALLER])
  t.deepEqual(await own.removeRead(CALLER)(), right(3))
  t.like(await list(CALLER), { total: 1, unread: 1 })
  t.deepEqual(await own.countUnread(BEA)(), right(1))
  const [left] = (await list(CALLER)).records
  t.true(isRight(await own.remove(CALLER, left?.id ?? '')()))
  t.like(await list(CALLER), { total: 0, unread: 0 })
})
