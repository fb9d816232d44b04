import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { bareDoc, ETAG_DOC, matchesTag } from '../replies/raw-reply.ts'
import { NO_HEADERS, type StreamReply } from '../replies/reply.ts'
import type { Context } from '../request.ts'

const unzip = promisify(gunzip)
const zip = promisify(gzip)

/** What is built has them beside itself; sources find them in what was built last. */
const folder = import.meta.url.endsWith('.ts') ? '../../../dist/assets/' : './assets/'

/** The compressed script of the documentation page. */
export const REFERENCE = 'reference.js.gz'

const files = new Map<string, Promise<Buffer>>()

/** A file that is served and was made when the rest was built, compressed by gzip; read when it is first asked for. */
export const zippedAsset = (name: string): Promise<Buffer> => {
  const asset = files.get(name) ?? readFile(new URL(`${folder}${name}`, import.meta.url))
  files.set(name, asset)
  return asset
}

const TAG_CHARS = 16

/** Names a content: another content has another tag. */
export const tagOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, TAG_CHARS)

/** A document that is sent whole, the same to every caller. */
export interface Asset {
  readonly type: string
  readonly tag: string
  readonly zipped: Buffer
}

/** An asset of a text. */
export const textAsset = async (type: string, text: string): Promise<Asset> => ({
  type,
  tag: tagOf(text),
  zipped: await zip(text),
})

/** An asset that was made when the rest was built. */
export const builtAsset = async (type: string, name: string): Promise<Asset> => {
  const zipped = await zippedAsset(name)
  return { type, tag: tagOf(zipped), zipped }
}

const YEAR_SECONDS = 31_536_000
/** For an address that names the content. */
export const IMMUTABLE = `public, max-age=${YEAR_SECONDS}, immutable`
/** To be stored, and asked for again each time. */
export const REVALIDATED = 'private, no-cache'

/** Reports whether the caller has what bears a tag; then the answer is 304. The tag is weak: compressed or not, it is one. */
export const isNotModified = (ctx: Context, tag: string): boolean => {
  ctx.set('ETag', `W/"${tag}"`)
  ctx.vary('Accept-Encoding')
  const known = matchesTag(ctx.get('If-None-Match'), `"${tag}"`)
  if (known) ctx.status = 304
  return known
}

/** Sends a content that is compressed, or unpacks it where the caller takes no gzip. */
export const sendZipped = async (ctx: Context, type: string, zipped: Buffer): Promise<void> => {
  const takesZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (takesZipped) ctx.set('Content-Encoding', 'gzip')
  ctx.set('Content-Type', type)
  ctx.body = takesZipped ? zipped : await unzip(zipped)
}

/** Sends an asset: immutable where the address names its tag (`?v=`), else to be revalidated. */
export const sendAsset = async (ctx: Context, { type, tag, zipped }: Asset): Promise<void> => {
  ctx.set('Cache-Control', ctx.query.v === tag ? IMMUTABLE : REVALIDATED)
  if (!isNotModified(ctx, tag)) await sendZipped(ctx, type, zipped)
}

/** Sends a page of one caller, compressed. */
export const sendPage = async (ctx: Context, type: string, text: string): Promise<void> =>
  sendZipped(ctx, type, await zip(text))

const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/**
 * A page or a script of ours: compressed where the client takes gzip, 304 to a client that has it, and immutable where the
 * address names its tag (`?v=`). The tag is weak: compressed or not, it is one.
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
