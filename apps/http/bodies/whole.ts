import { koaBody } from 'koa-body'
import { failure } from '../../../core/failure.ts'
import { type Either, left, right } from '../../../core/fp.ts'
import type { ServerFailure } from '../replies/messages.ts'
import type { Context } from '../request.ts'

export const TOO_LARGE = left(failure('refused', 'body.too-large'))

const nothing = async () => {}

/**
 * Returns the reader of a body of these types as bytes, with a limit that counts each byte in any framing. Forms are read this
 * way too: formidable, the form parser of koa-body, picks a parser by any word of the content type, and limits neither the
 * headers of a part nor the time for them.
 * Fails: `body.too-large`, and with `malformed` if the client broke off.
 */
export const wholeReader = (
  textTypes: readonly string[],
  textLimit: number,
  malformed: Either<ServerFailure, never>,
): ((ctx: Context) => Promise<Either<ServerFailure, Buffer>>) => {
  const asBytes = { encoding: 'binary' as const, textTypes: [...textTypes], textLimit }
  // Created for the first body: koa-body accesses the disk, and an app has hundreds of routes.
  let read: ReturnType<typeof koaBody> | undefined
  return async (ctx) => {
    read ??= koaBody({ json: false, urlencoded: false, multipart: false, ...asBytes, patchKoa: true })
    try {
      await read(ctx, nothing)
    } catch (error) {
      ctx.req.resume()
      return isTooLarge(error) ? TOO_LARGE : malformed
    }
    return right(Buffer.from(`${ctx.request.body}`, 'binary'))
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 413

/** Decodes UTF-8. Returns null for other bytes: with replacement characters, the stored text would differ from the sent one. */
export const decodeUtf8 = (bytes: Uint8Array, options: { readonly ignoreBOM?: boolean } = {}): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ...options }).decode(bytes)
  } catch {
    return null
  }
}
