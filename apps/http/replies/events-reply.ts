import type { AnyView } from '../../../core/kernel/input/view.ts'
import type { Flowing } from './answer.ts'
import { bareDoc } from './raw-reply.ts'

/** Half of what proxies and our own sockets take for silence. */
const HEARTBEAT_MS = 20_000

/**
 * The first bytes, sent at once. They have the id of the place at which the stream begins: a client that is cut off before the
 * first event sends it in `Last-Event-ID` and misses nothing. A client tries again after 3 s.
 */
const beginningAt = (id: string): string => `retry: 3000\nid: ${id}\n\n`
const HEARTBEAT = ': still here\n\n'

interface Events<E, A> {
  /** What each is called: `notification`. */
  readonly event: string
  /** By what a client says where it was cut off, in `Last-Event-ID`. */
  readonly id: (each: E) => string
  /** The id of the place before the first event. */
  readonly startId: (all: A) => string
  /** Its data, as JSON. */
  readonly view: AnyView<E>
  readonly heartbeatMs?: number
}

/** Server-sent events as they come, until there are no more or the client hangs up. Source: the HTML standard, 9.2. */
export const events = <E, A extends AsyncIterable<E> = AsyncIterable<E>>({
  event,
  id,
  startId,
  view,
  heartbeatMs = HEARTBEAT_MS,
}: Events<E, A>): Flowing<A> => ({
  streams: true,
  doc: bareDoc('text', 200, 'text/event-stream'),
  encode: (all, { side }) => ({
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    // Some proxies keep what they are sent until there is enough of it.
    headers: { 'X-Accel-Buffering': 'no' },
    file: null,
    isLive: true,
    chunks: textOf(
      all,
      beginningAt(startId(all)),
      (each) => `event: ${event}\nid: ${id(each)}\ndata: ${JSON.stringify(view.on(side).encode(each))}\n\n`,
      heartbeatMs,
    ),
  }),
})

const END: IteratorResult<string> = { done: true, value: undefined }

/** Written out, since a generator that waits for the next event cannot be told that nobody waits for it any more. */
const textOf = <E>(
  all: AsyncIterable<E>,
  beginning: string,
  wordsOf: (each: E) => string,
  heartbeatMs: number,
): AsyncIterable<string> => ({
  [Symbol.asyncIterator]() {
    const each = all[Symbol.asyncIterator]()
    let isBegun = false
    let coming: Promise<IteratorResult<E>> | null = null
    return {
      async next() {
        if (!isBegun) {
          isBegun = true
          return { done: false, value: beginning }
        }
        coming ??= each.next()
        const came = await within(coming, heartbeatMs)
        if (came === null) return { done: false, value: HEARTBEAT }
        coming = null
        return came.done ? END : { done: false, value: wordsOf(came.value) }
      },
      async return() {
        await each.return?.()
        return END
      },
    }
  },
})

/** What is waited for, or null where it takes longer. */
const within = async <A>(waited: Promise<A>, milliseconds: number): Promise<A | null> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null)
  })
  try {
    return await Promise.race([waited, late])
  } finally {
    clearTimeout(timer)
  }
}
