import { left, right, throttled } from '../../failure.ts'
import { all, eq, gt } from '../../kernel/records/record.ts'
import { type UseCase, unavailable } from '../../kernel/running/use-case.ts'
import { MAX_PAGE } from '../../limits.ts'
import { byId, listOf, StoreUnavailable } from '../../ports/store.ts'
import { hasAccess } from '../access.ts'
import { ALL_NOTIFICATIONS, type Notification, notificationCounts, notifications } from '../office.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'

/** The interval at which a process looks for new notifications, for all its streams. */
const LOOK_EVERY_MS = 1_000
/** A user who lost access receives no more notifications; their open streams end within this number of looks. */
const ACCESS_EVERY_LOOKS = 10
/** The limit of streams of one user in a process. */
export const MAX_STREAMS_OF_USER = 10
/** The limit of streams of one company in a process. */
const MAX_STREAMS_OF_COMPANY = 250
/** The limit of streams of a process; each holds a connection open. */
const MAX_STREAMS = 1_000
const TRY_AGAIN_SECONDS = 30
const READ_AT_ONCE = 100

/** Notifications in the order in which they are stored. Close it by its iterator's `return`. */
export interface NotificationFeed extends AsyncIterable<Notification> {
  /** The place before the first notification of the feed: a feed opened after this id misses none. */
  readonly startId: string
}

/** The place before a user's first notification. */
const BEFORE_ALL = '0'

interface Stream {
  readonly userId: string
  readonly companyId: string
  readonly verifiedEmail: string | null
  readonly until: string | null
  /** True if there may be notifications that the stream has not sent. */
  hasNews: boolean
  isClosed: boolean
  wake(): void
}

type Ports = Pick<RealEstatePorts, 'store' | 'clock' | 'log'>

/** The streams of a process, served by one periodic look. */
const hubOf = ({ store, clock, log }: Ports) => {
  const streams = new Set<Stream>()
  let head = 0
  let isLooking = false

  const close = (stream: Stream): void => {
    stream.isClosed = true
    streams.delete(stream)
    stream.wake()
  }
  /** Wakes the streams of users with new notifications. */
  const look = async (): Promise<void> => {
    for (let isMore = true; isMore; ) {
      const newer = listOf(notifications, {
        where: gt('seq', head),
        sort: { by: 'seq', dir: 'asc' },
        limit: MAX_PAGE,
      })
      const { records } = await store.list(newer)
      const notifiedIds = new Set(records.map(({ userId }) => userId))
      for (const stream of streams) if (notifiedIds.has(stream.userId)) stream.hasNews = true
      head = records.at(-1)?.seq ?? head
      isMore = records.length === MAX_PAGE
    }
  }
  /** Ends the streams of users who lost access. */
  const endBarred = async (): Promise<void> => {
    for (const stream of [...streams]) if (!(await hasAccess(store, stream))) close(stream)
  }
  const lookOrLog = async (count: number): Promise<void> => {
    try {
      await look()
      if (count % ACCESS_EVERY_LOOKS === 0) await endBarred()
    } catch (error) {
      // The next look repeats the failed one.
      if (!(error instanceof StoreUnavailable)) log.warn('look for notifications failed', { error: `${error}` })
    }
  }
  const run = async (): Promise<void> => {
    isLooking = true
    for (let count = 1; streams.size > 0; count += 1) {
      await clock.wait(LOOK_EVERY_MS)
      if (streams.size > 0) await lookOrLog(count)
      const now = clock.now()
      for (const stream of streams) {
        if (stream.until !== null && stream.until <= now) close(stream)
        else if (stream.hasNews) stream.wake()
      }
    }
    isLooking = false
  }
  return {
    close,
    count: () => streams.size,
    countOf: (of: Partial<Pick<Stream, 'userId' | 'companyId'>>) =>
      [...streams].filter((each) => Object.entries(of).every(([key, value]) => each[key as keyof typeof of] === value))
        .length,
    /** Adds a stream; `last` is the number of the newest notification. */
    add(stream: Stream, last: number): void {
      streams.add(stream)
      if (isLooking) return
      head = last
      void run()
    },
  }
}

const END: IteratorResult<Notification> = { done: true, value: undefined }

interface Place {
  readonly id: string
  readonly seq: number
}

/**
 * Returns the place that an id names among a user's notifications. For an id that names none it is the user's own last
 * notification, not the last of all users: the client receives the place, and must not learn of other notifications.
 */
const placeOf = async ({ store }: Pick<Ports, 'store'>, userId: string, id: string | null): Promise<Place> => {
  if (id === BEFORE_ALL) return { id, seq: 0 }
  const named = id === null ? null : await store.find(byId(notifications, id))
  if (named?.userId === userId) return named
  const last = listOf(notifications, { where: eq('userId', userId), sort: { by: 'seq', dir: 'desc' }, limit: 1 })
  return (await store.list(last)).records[0] ?? { id: BEFORE_ALL, seq: 0 }
}

/** Returns a user's notifications after a place, in the order in which they are stored, until the stream is closed. */
const feedOf = ({ store }: Ports, hub: ReturnType<typeof hubOf>, stream: Stream, start: Place): NotificationFeed => {
  let place = start.seq
  let unsent: Notification[] = []
  const readMore = async (): Promise<void> => {
    stream.hasNews = false
    const own = listOf(notifications, {
      where: all(eq('userId', stream.userId), gt('seq', place)),
      sort: { by: 'seq', dir: 'asc' },
      limit: READ_AT_ONCE,
    })
    try {
      if (!(await hasAccess(store, stream))) return hub.close(stream)
      const { records } = await store.list(own)
      unsent = [...records]
      place = records.at(-1)?.seq ?? place
      if (records.length === READ_AT_ONCE) stream.hasNews = true
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      stream.hasNews = true
      await waitForWake(stream)
    }
  }
  return {
    startId: start.id,
    [Symbol.asyncIterator]: () => ({
      async next() {
        while (!stream.isClosed) {
          const value = unsent.shift()
          if (value) return { done: false, value }
          if (stream.hasNews) await readMore()
          else await waitForWake(stream)
        }
        return END
      },
      async return() {
        hub.close(stream)
        return END
      },
    }),
  }
}

const waitForWake = (stream: Stream): Promise<void> =>
  new Promise((resolve) => {
    stream.wake = resolve
    // A stream that was closed while it read would not be woken again.
    if (stream.isClosed) resolve()
  })

/** The user of a feed, as of its request. */
export type FeedActor = Pick<Actor, 'userId' | 'companyId' | 'verifiedEmail' | 'tokenExpiresAt'>

/**
 * Opens a feed of a user's notifications from now on, or after the place of an id, until the token or the access ends.
 * Fails: `stream.too-many` (of this user), `stream.full` (of the company, or of the process).
 */
export const openFeed = (ports: Ports) => {
  const hub = hubOf(ports)
  return (
    { userId, companyId, verifiedEmail, tokenExpiresAt }: FeedActor,
    after: string | null = null,
  ): UseCase<NotificationFeed, 'stream.too-many' | 'stream.full'> =>
    async () => {
      const [place, count] = await Promise.all([
        placeOf(ports, userId, after),
        ports.store.find(byId(notificationCounts, ALL_NOTIFICATIONS)),
      ])
      if (hub.countOf({ userId }) >= MAX_STREAMS_OF_USER) return left(throttled('stream.too-many', TRY_AGAIN_SECONDS))
      const isFull = hub.count() >= MAX_STREAMS || hub.countOf({ companyId }) >= MAX_STREAMS_OF_COMPANY
      if (isFull) return left(unavailable('stream.full', TRY_AGAIN_SECONDS))
      const until = tokenExpiresAt ?? null
      const stream: Stream = { userId, companyId, verifiedEmail, until, hasNews: true, isClosed: false, wake: () => {} }
      hub.add(stream, count?.last ?? 0)
      return right(feedOf(ports, hub, stream, place))
    }
}
