import test from 'ava'
import { events } from '../../../../apps/http/replies/raw-reply.ts'
import type { HttpRequest } from '../../../../apps/http/request.ts'
import { dialects } from '../../../../apps/real-estate/dialects.ts'
import { output, view } from '../../../../core/kernel/input/view.ts'

interface Said {
  readonly words: string
}

const saidView = view('Said', { words: output.text() }, (of: Said) => of)
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

const encoded = (all: AsyncIterable<Said>, heartbeatMs: number) => {
  const reply = events<Said>({
    event: 'said',
    id: ({ words }) => `${words.length}`,
    startId: () => '0',
    view: saidView,
    heartbeatMs,
  })
  const answer = reply.encode(all, dialects.estate, request)
  if (!('chunks' in answer)) throw new Error('it does not stream')
  return answer
}

test('events are written as the standard says, a line of JSON each', async (t) => {
  const said = async function* (): AsyncGenerator<Said> {
    yield { words: 'Olá' }
    yield { words: 'duas\nlinhas' }
  }
  const answer = encoded(said(), 1_000)
  t.is(answer.type, 'text/event-stream; charset=utf-8')
  const pieces: (string | Uint8Array)[] = []
  for await (const piece of answer.chunks) pieces.push(piece)
  t.deepEqual(pieces, [
    'retry: 3000\nid: 0\n\n',
    'event: said\nid: 3\ndata: {"words":"Olá"}\n\n',
    'event: said\nid: 11\ndata: {"words":"duas\\nlinhas"}\n\n',
  ])
})

test('where nothing comes a comment shows that it is still there, and nothing that comes then is lost', async (t) => {
  let come = (_: IteratorResult<Said>): void => {}
  let isClosed = false
  const silent: AsyncIterable<Said> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          come = resolve
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
  come({ done: false, value: { words: 'enfim' } })
  t.is((await each.next()).value, 'event: said\nid: 5\ndata: {"words":"enfim"}\n\n')
  await each.return?.()
  t.true(isClosed)
})
