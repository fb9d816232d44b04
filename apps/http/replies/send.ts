import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { matchesTag } from './raw-reply.ts'
import type { Answer, StreamAnswer } from './reply.ts'

/**
 * Writes an answer to its connection, with the headers of its request. A text is written at once; the JSON of a GET has
 * an `ETag`. The first chunk of a stream is read before the status is set, since it may fail; `sendStream` writes it.
 */
export const send = (ctx: Context, answer: Answer): void | Promise<void> => {
  if ('chunks' in answer) return openStream(ctx, answer)
  const { status, type, body } = answer
  const { res } = ctx
  // Also for the log of a request whose client has hung up.
  res.statusCode = status
  if (!ctx.writable) return void res.end()
  // Fields set after a spread would make a hidden class per answer in Node 20.
  const headers: Record<string, string> = Object.assign({}, ctx.state.headers, answer.headers)
  if (type === null) return void res.writeHead(status, headers).end()
  // As bytes, the body is copied once; a text would be joined to the head of the answer, and copied again.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  headers['Content-Type'] = type
  if (status === 200 && READS.has(ctx.method) && type.startsWith('application/json') && !headers.ETag) {
    headers.ETag = `"${digestOf(bytes)}"`
    // Clients that poll a record pay for its bytes only when it has changed.
    if (matchesTag(ctx.get('If-None-Match'), headers.ETag)) {
      res.statusCode = 304
      const { 'Content-Type': _, ...rest } = headers
      return void res.writeHead(304, rest).end()
    }
  }
  headers['Content-Length'] = `${bytes.length}`
  res.writeHead(status, headers).end(ctx.method === 'HEAD' ? undefined : bytes)
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const digestOf = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('base64url')

/** Sets headers of an answer that is not written at once. */
export const setHeaders = (ctx: Context, headers: Readonly<Record<string, string>>): void => {
  for (const name in headers) ctx.set(name, headers[name] ?? '')
}

const openStream = async (ctx: Context, answer: StreamAnswer): Promise<void> => {
  const chunks = answer.chunks[Symbol.asyncIterator]()
  const first = await chunks.next()
  ctx.status = answer.status
  setHeaders(ctx, ctx.state.headers)
  setHeaders(ctx, answer.headers)
  if (answer.file) setDisposition(ctx, answer.file)
  ctx.set('Content-Type', answer.type)
  const all = startingWith(first, chunks)
  const body = Readable.from(answer.isLive ? untilAnswerEnds(ctx.res, all) : all, { objectMode: false })
  closeWithSocket(ctx, body)
  ctx.state.stream = body
}

/** Writes a streamed body. If it fails, its connection is closed: the client must not take a part for the whole. */
export const sendStream = (ctx: Context, body: Readable): void => {
  const { res } = ctx
  const end = (error: unknown): void => {
    if (error instanceof Error) ctx.onerror(error)
  }
  if (ctx.writable && ctx.method !== 'HEAD') return void pipeline(body, res, end)
  body.once('error', end).destroy()
  res.end()
}

/**
 * Needed for an answer that waits behind another one on its connection: nothing else reports that its client has
 * disconnected.
 */
const closeWithSocket = ({ req: { socket } }: Context, body: Readable): void => {
  const close = (): void => void body.destroy()
  if (socket.destroyed) close()
  else {
    socket.once('close', close)
    body.once('close', () => socket.off('close', close))
  }
}

const END: IteratorResult<never> = { done: true, value: undefined }

/** Yields `first` and the rest. Closing it early, even before the first chunk, closes the source. */
const startingWith = <A>(first: IteratorResult<A>, rest: AsyncIterator<A>): AsyncIterable<A> => {
  let next: () => Promise<IteratorResult<A>> = async () => {
    next = () => rest.next()
    return first
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => next(),
      return: async () => {
        await rest.return?.()
        return END
      },
    }),
  }
}

/** A file name that needs no quotes in the header (RFC 6266). */
const PLAIN_NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/

const setDisposition = (ctx: Context, { name, disposition }: NonNullable<StreamAnswer['file']>): void => {
  if (PLAIN_NAME.test(name)) ctx.set('content-disposition', `${disposition}; filename=${name}`)
  else ctx.attachment(name, { type: disposition })
}

/** The functions that end live answers. */
const endings = new WeakMap<ServerResponse, () => void>()

/** Ends a live answer as if its source were finished; does nothing to any other answer. */
export const endLiveAnswer = (answer: ServerResponse): void => endings.get(answer)?.()

/** Yields chunks until `endLiveAnswer`, which resolves a pending `next` and closes the source. */
const untilAnswerEnds = <A>(answer: ServerResponse, chunks: AsyncIterable<A>): AsyncIterable<A> => {
  const source = chunks[Symbol.asyncIterator]()
  let isEnded = false
  let wake = (): void => {}
  const close = async (): Promise<IteratorResult<A>> => {
    isEnded = true
    await source.return?.()
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
      else source.next().then(resolve, reject)
    })
  return { [Symbol.asyncIterator]: () => ({ next, return: close }) }
}
