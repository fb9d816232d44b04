import { Readable } from 'node:stream'
import type { Encoded, Streamed } from './answer.ts'
import type { Context } from './asked.ts'

/** Writes an answer to its connection. A stream's first piece is made before anything is said, so that it may fail. */
export const send = (ctx: Context, answer: Encoded | Streamed): void | Promise<void> => {
  if ('chunks' in answer) return sendStream(ctx, answer)
  ctx.status = answer.status
  setAll(ctx, answer.headers)
  if (answer.type === null) return
  ctx.set('Content-Type', answer.type)
  ctx.body = answer.body
}

const setAll = (ctx: Context, headers: Readonly<Record<string, string>>) => {
  for (const name in headers) ctx.set(name, headers[name] ?? '')
}

const sendStream = async (ctx: Context, answer: Streamed): Promise<void> => {
  const pieces = answer.chunks[Symbol.asyncIterator]()
  const first = await pieces.next()
  ctx.status = answer.status
  setAll(ctx, answer.headers)
  if (answer.file) ctx.attachment(answer.file.name, { type: answer.file.disposition })
  ctx.set('Content-Type', answer.type)
  ctx.body = Readable.from(startingWith(first, pieces), { objectMode: false })
}

async function* startingWith<A>(first: IteratorResult<A>, rest: AsyncIterator<A>): AsyncGenerator<A> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value
  } finally {
    // Whoever hangs up early lets go of what the pieces are made from.
    await rest.return?.()
  }
}
