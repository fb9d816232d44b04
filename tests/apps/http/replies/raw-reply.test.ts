import test from 'ava'
import { events } from '../../../../apps/http/replies/raw-reply.ts'
import type { HttpRequest } from '../../../../apps/http/request.ts'
import { dialects } from '../../../../apps/real-estate/dialects.ts'
import { output, view } from '../../../../core/kernel/input/view.ts'

interface Message {
  readonly text: string
}

const messageView = view('Message', { text: output.text() }, (message: Message) => message)
const request: HttpRequest = {
  id: '1',
  address: '127.0.0.1',
  signal: { aborted: false },
  method: 'GET',
  path: '/',
  params: {},
  query: {},
  header: () => null,
}

const encoded = (all: AsyncIterable<Message>, heartbeatMs: number) => {
  const reply = events<Message>({
    event: 'message',
    id: ({ text }) => `${text.length}`,
    startId: () => '0',
    view: messageView,
    heartbeatMs,
  })
  const answer = reply.encode(all, dialects.estate, request)
  if (!('chunks' in answer)) throw new Error('no stream')
  return answer
}

test('encodes events as the standard requires, with one line of JSON each', async (t) => {
  const messages = async function* (): AsyncGenerator<Message> {
    yield { text: 'Olá' }
    yield { text: 'duas\nlinhas' }
  }
  const answer = encoded(messages(), 1_000)
  t.is(answer.type, 'text/event-stream; charset=utf-8')
  const pieces: (string | Uint8Array)[] = []
  for await (const piece of answer.chunks) pieces.push(piece)
  t.deepEqual(pieces, [
    'retry: 3000\nid: 0\n\n',
    'event: message\nid: 3\ndata: {"text":"Olá"}\n\n',
    'event: message\nid: 11\ndata: {"text":"duas\\nlinhas"}\n\n',
  ])
})

test('sends heartbeats while there is no event, and loses no later event', async (t) => {
  let emit = (_: IteratorResult<Message>): void => {}
  let isClosed = false
  const silent: AsyncIterable<Message> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          emit = resolve
        }),
      return: async () => {
        isClosed = true
        return { done: true, value: undefined }
      },
    }),
  }
  const each = encoded(silent, 5).chunks[Symbol.asyncIterator]()
  await each.next()
  t.is((await each.next()).value, ': still here\n\n')
  t.is((await each.next()).value, ': still here\n\n')
  emit({ done: false, value: { text: 'enfim' } })
  t.is((await each.next()).value, 'event: message\nid: 5\ndata: {"text":"enfim"}\n\n')
  await each.return?.()
  t.true(isClosed)
})
