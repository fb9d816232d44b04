import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Context } from '../context.ts'
import { bareDoc, ETAG_DOC, matchesTag } from '../replies/raw-reply.ts'
import { NO_HEADERS, type StreamReply } from '../replies/reply.ts'
import { setHeaders } from '../replies/send.ts'

const unzip = promisify(gunzip)
const zip = promisify(gzip)

/** Assets are beside the built code; sources use those of the last build. */
const folder = import.meta.url.endsWith('.ts') ? '../../../dist/assets/' : './assets/'

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

/** The compressed script of the documentation page. */
export const REFERENCE = 'reference.js.gz'

/** The files of assets that were used before. */
const files = new Map<string, Promise<Buffer>>()

const TAG_CHARS = 16

/** Returns the tag of a content: a hash. */
export const tagOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, TAG_CHARS)

/** A document that is the same for every caller. */
export interface Asset {
  readonly type: string
  readonly tag: string
  readonly zipped: Buffer
}

export const textAsset = async (type: string, text: string | Uint8Array): Promise<Asset> => ({
  type,
  tag: tagOf(text),
  zipped: await zip(text),
})

/** Returns an asset of the build, whose file is read once. */
export const builtAsset = async (type: string, name: string): Promise<Asset> => {
  const file = files.get(name) ?? readFile(new URL(`${folder}${name}`, import.meta.url))
  files.set(name, file)
  const zipped = await file
  return { type, tag: tagOf(zipped), zipped }
}

const YEAR_SECONDS = 31_536_000
/** For an address with the content's tag. */
const IMMUTABLE = `public, max-age=${YEAR_SECONDS}, immutable`
/** Stored by the client and revalidated at each use. */
export const REVALIDATED = 'private, no-cache'

/**
 * Sets `ETag`, and answers 304 if the client has it. The tag is weak, since it is the same with and without
 * compression.
 */
export const isNotModified = (ctx: Context, tag: string): boolean => {
  ctx.set('ETag', `W/"${tag}"`)
  ctx.vary('Accept-Encoding')
  const isMatch = matchesTag(ctx.get('If-None-Match'), `"${tag}"`)
  if (isMatch) {
    ctx.status = 304
    ctx.res.end()
  }
  return isMatch
}

/** Sends compressed content, unpacked for a client that does not accept gzip. */
const sendZipped = async (ctx: Context, type: string, zipped: Buffer): Promise<void> => {
  const takesZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (takesZipped) ctx.set('Content-Encoding', 'gzip')
  ctx.set('Content-Type', type)
  const bytes = takesZipped ? zipped : await unzip(zipped)
  ctx.status = 200
  ctx.set('Content-Length', `${bytes.length}`)
  ctx.res.end(ctx.method === 'HEAD' ? undefined : bytes)
}

/** Sends an asset: immutable if the address contains its tag (`?v=`), else with revalidation. */
export const sendAsset = async (ctx: Context, { type, tag, zipped }: Asset): Promise<void> => {
  setHeaders(ctx, ctx.state.headers)
  ctx.set('Cache-Control', ctx.query.v === tag ? IMMUTABLE : REVALIDATED)
  if (!isNotModified(ctx, tag)) await sendZipped(ctx, type, zipped)
}

/** Compresses and sends a page that differs between callers. */
export const sendPage = async (ctx: Context, type: string, text: string): Promise<void> =>
  sendZipped(ctx, type, await zip(text))

const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/**
 * An asset as the reply of a row: compressed if the client accepts gzip, 304 if the client has it, and immutable if the
 * address contains its tag (`?v=`).
 */
export const asset = (type: string, others: Readonly<Record<string, string>> = NO_HEADERS): StreamReply<Asset> => ({
  streams: true,
  doc: {
    ...bareDoc(type.startsWith('text/html') ? 'text' : 'bytes', 200, type, { otherStatuses: [304] }),
    headers: ETAG_DOC,
  },
  encode: ({ tag, zipped }, _dialect, request) => {
    const headers = {
      ...others,
      ETag: `W/"${tag}"`,
      Vary: 'Accept-Encoding, Origin',
      'Cache-Control': request.query.v === tag ? IMMUTABLE : REVALIDATED,
    }
    if (matchesTag(request.header('if-none-match'), `"${tag}"`)) return { status: 304, type: null, body: '', headers }
    const takesGzip = TAKES_GZIP.test(request.header('accept-encoding') ?? '')
    return {
      ...{ status: 200, type, file: null },
      headers: { ...headers, ...(takesGzip && { 'Content-Encoding': 'gzip' }) },
      chunks: (async function* () {
        yield takesGzip ? zipped : await unzip(zipped)
      })(),
    }
  },
})
