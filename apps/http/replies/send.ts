import { Readable } from 'node:stream'
import type { Context } from '../request/http-request.ts'
import type { Encoded, Streamed } from './answer.ts'

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

/** All pieces again. Whoever hangs up early, even before the first of them, lets go of what they are made from. */
const startingWith = <A>(first: IteratorResult<A>, rest: AsyncIterator<A>): AsyncIterable<A> => {
  let next: () => Promise<IteratorResult<A>> = async () => {
    next = () => rest.next()
    return first
  }
  const end: IteratorResult<A> = { done: true, value: undefined }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => next(),
      return: async () => {
        await rest.return?.()
        return end
      },
    }),
  }
}
