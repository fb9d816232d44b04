import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from '../request.ts'
import type { StreamAnswer, TextAnswer } from './reply.ts'

/** Writes an answer to its connection. A stream's first piece is made before anything is said, so that it may fail. */
export const send = (ctx: Context, answer: TextAnswer | StreamAnswer): void | Promise<void> => {
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

const sendStream = async (ctx: Context, answer: StreamAnswer): Promise<void> => {
  const pieces = answer.chunks[Symbol.asyncIterator]()
  const first = await pieces.next()
  ctx.status = answer.status
  setAll(ctx, answer.headers)
  if (answer.file) setDisposition(ctx, answer.file)
  ctx.set('Content-Type', answer.type)
  const all = startingWith(first, pieces)
  const body = Readable.from(answer.isLive ? untilAnswerEnds(ctx.res, all) : all, { objectMode: false })
  endWithSocket(ctx, body)
  ctx.body = body
}

/** An answer that waits behind another one on its connection is told by nobody else that this is gone. */
const endWithSocket = ({ req: { socket } }: Context, body: Readable): void => {
  const end = (): void => void body.destroy()
  if (socket.destroyed) end()
  else {
    socket.once('close', end)
    body.once('close', () => socket.off('close', end))
  }
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

/** A name that needs no quotes in a header stands as the specification writes it. */
const PLAIN_NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/

const setDisposition = (ctx: Context, { name, disposition }: NonNullable<StreamAnswer['file']>): void => {
  if (PLAIN_NAME.test(name)) ctx.set('content-disposition', `${disposition}; filename=${name}`)
  else ctx.attachment(name, { type: disposition })
}

/** Answers that last as long as something may happen, each with what ends it. */
const endings = new WeakMap<ServerResponse, () => void>()

/** Ends an answer that waits for what may happen, as if nothing more came; any other goes on. */
export const endLiveAnswer = (answer: ServerResponse): void => endings.get(answer)?.()

const END: IteratorResult<never> = { done: true, value: undefined }

/** The pieces of an answer, until `endLive`: whoever waits for the next one is let go then, and so is what makes them. */
export const untilAnswerEnds = <A>(answer: ServerResponse, pieces: AsyncIterable<A>): AsyncIterable<A> => {
  const each = pieces[Symbol.asyncIterator]()
  let isEnded = false
  let wake = (): void => {}
  const close = async (): Promise<IteratorResult<A>> => {
    isEnded = true
    await each.return?.()
    return END
  }
  endings.set(answer, () => {
    if (isEnded) return
    close().catch(() => {})
    wake()
  })
  const next = (): Promise<IteratorResult<A>> =>
    new Promise((resolve, reject) => {
      wake = () => resolve(END)
      if (isEnded) wake()
      else each.next().then(resolve, reject)
    })
  return { [Symbol.asyncIterator]: () => ({ next, return: close }) }
}
