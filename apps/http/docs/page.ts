import type { Context } from '../context.ts'
import {
  type Asset,
  builtAsset,
  isNotModified,
  REFERENCE,
  REVALIDATED,
  SCRIPT_TYPE,
  sendAsset,
  sendPage,
  tagOf,
  textAsset,
} from '../pages/asset.ts'
import { type Html, html } from '../pages/html.ts'
import { LABELS, markdown, sectionsOf } from '../pages/markdown.ts'
import { PAGE_TYPE, relativeRoot } from '../pages/page.ts'
import { fillPlaceholders } from '../pages/placeholders.ts'
import { JSON_TYPE, NO_HEADERS } from '../replies/reply.ts'
import { send, setHeaders } from '../replies/send.ts'
import type { Handler, Routes } from '../routing.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { isLoopback, METRICS_PATH, type Metrics } from '../telemetry.ts'
import CODE_STYLE from './code.css'
import type { OpenApi } from './openapi.ts'
import PAGE_STYLE from './page.css'
import REFERENCE_COLOURS from './reference.css'
import START_SCRIPT from './start.text.js'

/** The health check. It is never queued or limited. */
export const HEALTH_PATH = '/health'

/**
 * Registers the routes of every server: health, OpenAPI document and documentation page. All but health are `limited`
 * like the rows.
 */
export const mountDocs = (
  routes: Routes,
  setup: ApiConfig<ApiTypes>,
  document: () => OpenApi,
  limited: (handler: Handler) => Handler,
): void => {
  const get = (path: string, handler: Handler) => routes.register(path, ['GET'], limited(handler))
  const start = once(() => textAsset(SCRIPT_TYPE, START))
  const reference = once(() => builtAsset(SCRIPT_TYPE, REFERENCE))
  const openapi = once(() => textAsset(JSON_TYPE, JSON.stringify(document())))
  const { title, introduction = '' } = setup
  const guides = once(() => guidesOf(introduction))
  routes.register(HEALTH_PATH, ['GET'], async (ctx) => {
    ctx.state.route = 'health'
    await setup.health?.()
    const { name, version } = setup
    const body = JSON.stringify({ status: 'ok', name, version })
    await send(ctx, { status: 200, type: JSON_TYPE, body, headers: NO_HEADERS })
  })
  get('/openapi.json', async (ctx) => {
    ctx.state.route = 'openapi'
    await sendAsset(ctx, await openapi())
  })
  get('/docs', async (ctx) => {
    ctx.state.route = 'docs'
    const parts = {
      title,
      guides: guides(),
      root: relativeRoot(ctx.path),
      start: await start(),
      reference: await reference(),
    }
    const tag = tagOf(pageText({ ...parts, nonce: '' }))
    const known = [...ctx.get('If-None-Match').matchAll(PAGE_TAGS)].find(([, sentTag]) => sentTag === tag)
    // The stored page of a browser keeps its nonce.
    const nonce = known?.[2] ?? Buffer.from(setup.random.bytes(NONCE_BYTES)).toString('base64')
    setHeaders(ctx, ctx.state.headers)
    ctx.set('Content-Security-Policy', policyOf(nonce))
    ctx.set('Cache-Control', REVALIDATED)
    if (!isNotModified(ctx, `${tag}.${nonce}`)) await sendPage(ctx, PAGE_TYPE, pageText({ ...parts, nonce }))
  })
  for (const [path, asset] of [
    ['/docs/start.js', start],
    ['/docs/reference.js', reference],
  ] as const) {
    get(path, async (ctx) => {
      ctx.state.route = 'docs'
      await sendAsset(ctx, await asset())
    })
  }
}

/** Returns a function that creates its value at the first call. */
export const once = <A>(create: () => A): (() => A) => {
  let created: { readonly value: A } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}

/** Allows only the page's own origin, and style sheets of scripts that carry the answer's nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const NONCE_BYTES = 18
/** An `ETag` of the page: the tag of its content, and its nonce. */
const PAGE_TAGS = /"([\w-]+)\.([\w+/]{24})"/g

/** The style of the API reference: colours of sufficient contrast, and a wide column for the guides. */
const REFERENCE_STYLE = REFERENCE_COLOURS + CODE_STYLE.trimEnd().replaceAll(/^pre/gm, '.introduction-description pre')

/**
 * Starts Scalar's API reference without fonts, telemetry, proxy and assistant of its vendor, so that it calls only this
 * server.
 */
const START = fillPlaceholders(START_SCRIPT, {
  LABELS: JSON.stringify(LABELS),
  REFERENCE_STYLE: JSON.stringify(REFERENCE_STYLE),
})

/** The parts of the page. `root` is the relative path from the page to the API, which a server may mount anywhere. */
interface PageParts {
  readonly title: string
  /** The guides with links to them. */
  readonly guides: Html
  readonly nonce: string
  readonly root: string
  readonly start: Asset
  readonly reference: Asset
}

/** Renders the guides of an introduction, after a list of links to them. */
const guidesOf = (introduction: string): Html => html`<nav aria-label="Guias"><ul>${sectionsOf(introduction).map(
  ({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`,
)}</ul></nav>
${markdown(introduction)}`

/** Renders the page. It contains the introduction, which is readable before the script has loaded, or without it. */
const pageText = ({ title, guides, nonce, root, start, reference }: PageParts): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<style nonce="${nonce}">${{ markup: `${PAGE_STYLE}${CODE_STYLE}` }}</style>
</head>
<body>
<main id="first">
<h1>${title}</h1>
${guides}
<p>As rotas estão em <a href="${root}openapi.json">openapi.json</a>; com JavaScript, esta página as mostra e experimenta.</p>
</main>
<div id="page"></div>
<script src="${root}docs/start.js?v=${start.tag}" data-reference="${reference.tag}" async></script>
</body>
</html>
`.markup

/** The headers of a proxy on this machine, trusted or not. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/**
 * Serves the metrics to callers on this machine; for all others the route does not exist. The socket decides: a header
 * of a proxy can only withdraw the access, never grant it.
 */
export const metricsRoute =
  ({ type, text }: Metrics) =>
  (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    if (ctx.path !== METRICS_PATH || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    const isForwarded = FORWARDED.some((name) => ctx.req.headers[name] !== undefined)
    if (isForwarded || !isLoopback(ctx.req.socket.remoteAddress ?? '')) return next()
    ctx.state.route = 'metrics'
    return text().then((body) => send(ctx, { status: 200, type, body, headers: NO_HEADERS }))
  }
