import { type ClientRequest, request } from 'node:http'
import type { ExecutionContext } from 'ava'
import type { EstateTestApi } from '../test-api.ts'

/** What came by a stream. */
export interface StreamEvent {
  readonly id: string
  readonly data: { readonly id: string; readonly resourceId: string; readonly isRead: boolean }
}

/** Somebody who listens. */
export interface Listener {
  readonly status: number
  readonly type: string | undefined
  /** All that came so far, comments too. */
  text(): string
  events(): readonly StreamEvent[]
  /** Resolves when so many events are there; rejects after 30 s. */
  until(count: number): Promise<readonly StreamEvent[]>
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
  /** Whether it was ended by the server, not cut off. */
  isWhole(): boolean
  hangUp(): void
}

const PATIENCE_MS = 30_000
const LOOK_MS = 20

const eventsIn = (text: string): readonly StreamEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: notification\n'))
    .map((block) => {
      const [, id = '', data = ''] = block.split('\n').map((line) => line.replace(/^\w+: /, ''))
      return { id, data: JSON.parse(data) }
    })

/** Listens to a stream as a browser does; resolves when its headers are there. */
export const listen = (
  t: Pick<ExecutionContext, 'teardown'>,
  { url }: Pick<EstateTestApi, 'url'>,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Listener> =>
  new Promise((resolve, reject) => {
    const asked: ClientRequest = request(`${url}/api/notifications/stream`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    t.teardown(() => asked.destroy())
    asked.on('error', reject)
    asked.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      answer.on('error', () => {})
      resolve({
        status: answer.statusCode ?? 0,
        type: answer.headers['content-type'],
        text: () => text,
        events: () => eventsIn(text),
        async until(count) {
          for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
            if (eventsIn(text).length >= count) return eventsIn(text)
            await new Promise((done) => setTimeout(done, LOOK_MS))
          }
          throw new Error(`only ${eventsIn(text).length} events came: ${text}`)
        },
        ended: new Promise((done) => answer.on('close', () => done())),
        isWhole: () => answer.complete,
        hangUp: () => asked.destroy(),
      })
    })
    asked.end()
  })

/** Listens as soon as there is room; rejects after 30 s. */
export const opened = async (...[t, api, token]: Parameters<typeof listen>): Promise<Listener> => {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const listener = await listen(t, api, token)
    if (listener.status === 200) return listener
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  throw new Error('there was never room for one more stream')
}
