import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Json } from '../../../core/kernel/records/collection.ts'
import type { Context } from '../request/context.ts'
import type { Handler, Routes } from '../routing/routes.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { referenceScript } from './assets.ts'
import type { OpenApi } from './openapi.ts'

// The page's own origin and nothing else; of style sheets that a script makes, those that bear the answer's nonce.
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
const ASSET_SECONDS = 3_600

// Scalar's API reference, told to ask nobody but this server: no fonts, telemetry, proxy or assistant of its vendor.
const START = `const root = new URL('..', document.currentScript.src)
const { nonce } = document.querySelector('meta[property=csp-nonce]')
const createElement = document.createElement
document.createElement = function (...given) {
  const element = createElement.apply(this, given)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}
const reference = document.createElement('script')
reference.src = new URL('docs/reference.js', root)
reference.onload = () =>
  Scalar.createApiReference('#page', {
    url: new URL('openapi.json', root).href,
    nonce,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    documentDownloadType: 'json',
    authentication: { preferredSecurityScheme: 'bearer' },
  })
document.head.append(reference)
`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** `up` leads from the page to where the API is, whatever a server that has it in it calls that place. */
const pageOf = (title: string, nonce: string, up: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
</head>
<body>
<div id="page"></div>
<script src="${up}docs/start.js"></script>
</body>
</html>
`

const give = (ctx: Context, type: string, body: string | Buffer): void => {
  ctx.set('Content-Type', type)
  ctx.body = body
}

const unzip = promisify(gunzip)

const giveReference = async (ctx: Context): Promise<void> => {
  ctx.state.route = 'docs'
  ctx.set('Cache-Control', `public, max-age=${ASSET_SECONDS}`)
  ctx.vary('Accept-Encoding')
  const script = await referenceScript()
  const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (isZipped) ctx.set('Content-Encoding', 'gzip')
  give(ctx, 'text/javascript; charset=utf-8', isZipped ? script : await unzip(script))
}

/** Where the app says whether it is well: whoever watches it never stands in line. */
export const HEALTH_PATH = '/health'

/**
 * What every server answers beside its rows: its health, its document, and the page to read and try it. All but its
 * health is `limited` as the rows are.
 */
export const mountDocs = (
  routes: Routes,
  setup: ApiConfig<ApiTypes>,
  document: () => OpenApi,
  limited: (handler: Handler) => Handler,
): void => {
  const get = (path: string, handler: Handler) => routes.register(path, ['GET'], limited(handler))
  let text: string | undefined
  routes.register(HEALTH_PATH, ['GET'], async (ctx) => {
    ctx.state.route = 'health'
    const more: Readonly<Record<string, Json>> = (await setup.health?.()) ?? {}
    const { name, version } = setup
    give(ctx, 'application/json; charset=utf-8', JSON.stringify({ status: 'ok', name, version, ...more }))
  })
  get('/openapi.json', (ctx) => {
    ctx.state.route = 'openapi'
    text ??= JSON.stringify(document())
    give(ctx, 'application/json; charset=utf-8', text)
  })
  get('/docs', (ctx) => {
    ctx.state.route = 'docs'
    const nonce = Buffer.from(setup.random.bytes(NONCE_BYTES)).toString('base64')
    ctx.set('Content-Security-Policy', policyOf(nonce))
    give(ctx, 'text/html; charset=utf-8', pageOf(setup.title, nonce, ctx.path.endsWith('/') ? '../' : ''))
  })
  get('/docs/start.js', (ctx) => {
    ctx.state.route = 'docs'
    give(ctx, 'text/javascript; charset=utf-8', START)
  })
  get('/docs/reference.js', giveReference)
}
