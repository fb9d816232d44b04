import { bytes } from '../../../apps/http/replies/raw-reply.ts'
import { right } from '../../../core/failure.ts'
import { deferred, turn } from '../../core/kernel/running/tasks.ts'
import { route } from './toy-rows.ts'

const PIECE = new Uint8Array(65_536)

/** A public row with a streamed answer. */
const download = (name: string, path: string, chunks: () => AsyncIterable<Uint8Array>) =>
  route({
    name: `open.${name}`,
    area: 'Público',
    summary: 'Peça por peça',
    methods: ['GET'],
    paths: [path],
    dialect: 'bare',
    auth: 'public',
    input: {},
    run: () => async () => right(null),
    reply: bytes<null>({ type: 'application/octet-stream', chunks }),
    example: { reply: '' },
  })

/** An endless download; `open` counts the running ones. */
export const endless = () => {
  const streams = { started: 0, open: 0 }
  const row = download('endless', '/endless', async function* () {
    streams.started += 1
    streams.open += 1
    try {
      for (;;) {
        yield PIECE
        await turn()
      }
    } finally {
      streams.open -= 1
    }
  })
  return { row, streams }
}

/** Downloads of one piece, held until `end`; `started` counts the started ones. */
export const heldBack = () => {
  const ended = deferred()
  const making = { started: 0, end: () => ended.resolve() }
  const row = download('held-back', '/held-back', async function* () {
    making.started += 1
    await ended.promise
    yield PIECE
  })
  return { row, making }
}
