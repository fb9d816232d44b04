import type { Json } from '../../../core/kernel/records/collection.ts'
import type { Context } from '../request/http-request.ts'
import type { Handler, Routes } from '../routing/routes.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { type Asset, assetOf } from './assets.ts'
import type { OpenApi } from './openapi.ts'

// The page's own origin and nothing else; its style sheet draws with pictures that it holds itself.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ASSET_SECONDS = 3_600

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  persistAuthorization: false,
})
`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const pageOf = (title: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="page"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const give = (ctx: Context, type: string, body: string | Buffer): void => {
  ctx.set('Content-Type', type)
  ctx.body = body
}

const asset = (name: Asset, type: string) => {
  const read = assetOf(name)
  return async (ctx: Context) => {
    ctx.state.route = 'docs'
    ctx.set('Cache-Control', `public, max-age=${ASSET_SECONDS}`)
    give(ctx, type, await read())
  }
}

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
  const html = pageOf(setup.title)
  routes.register('/health', ['GET'], async (ctx) => {
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
    ctx.set('Content-Security-Policy', PAGE_POLICY)
    give(ctx, 'text/html; charset=utf-8', html)
  })
  get('/docs/start.js', (ctx) => {
    ctx.state.route = 'docs'
    give(ctx, 'text/javascript; charset=utf-8', START)
  })
  get('/docs/swagger-ui.css', asset('swagger-ui.css', 'text/css; charset=utf-8'))
  get('/docs/swagger-ui-bundle.js', asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'))
}
