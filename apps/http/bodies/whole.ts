import { koaBody } from 'koa-body'
import { failure } from '../../../core/failure.ts'
import { type Either, left, right } from '../../../core/fp.ts'
import type { ServerFailure } from '../replies/messages.ts'
import type { Context } from '../request.ts'

export const TOO_LARGE = left(failure('refused', 'body.too-large'))

const nothing = async () => {}

/**
 * Reads a body of these types whole, so that each of its bytes counts toward the limit, however it is framed and whatever
 * it holds. A form is read as the others are: formidable, which koa-body has for forms, chooses a parser by any word of
 * the type, and bounds neither the headers of a part nor the time that it spends on them.
 * Fails: `body.too-large`, and as `malformed` says where the sender broke off.
 */
export const wholeReader = (
  textTypes: readonly string[],
  textLimit: number,
  malformed: Either<ServerFailure, never>,
): ((ctx: Context) => Promise<Either<ServerFailure, Buffer>>) => {
  const asBytes = { encoding: 'binary' as const, textTypes: [...textTypes], textLimit }
  // Made by the first body: it looks at folders of the disk for forms, and an app has hundreds of routes.
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

/** Null for bytes that are no UTF-8: what would be stored is not what was sent. */
export const decodeUtf8 = (bytes: Uint8Array, options: { readonly ignoreBOM?: boolean } = {}): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ...options }).decode(bytes)
  } catch {
    return null
  }
}
