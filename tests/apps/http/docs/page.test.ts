import test from 'ava'
import { type Served, serveToy } from '../toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy({ title: 'Casa <de> "brinquedo"' })
})
test.after.always(() => toy.stop())

const get = (path: string) => toy.ask(path, { token: null })

test('the document is served as it is', async (t) => {
  const { status, headers, body } = await get('/openapi.json')
  t.is(status, 200)
  t.is(headers.get('content-type'), 'application/json; charset=utf-8')
  t.deepEqual(body, JSON.parse(JSON.stringify(toy.mounted.document())))
})

test('the page asks nobody but its own server', async (t) => {
  const page = await get('/docs')
  t.is(page.status, 200)
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.true(page.text.includes('<title>Casa &#60;de&#62; &#34;brinquedo&#34;</title>'))
  const policy = page.headers.get('content-security-policy') ?? ''
  t.regex(policy, /default-src 'none'/)
  t.regex(policy, /script-src 'self';/)
  t.notRegex(policy, /unsafe|https?:|\*/)
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
  t.deepEqual(links, ['data:,', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/start.js'])
  t.notRegex(page.text, /<script(?! src=)|https?:\/\/|style=/)
})

test('everything that the page loads is there, typed and whole', async (t) => {
  const start = await get('/docs/start.js')
  t.is(start.headers.get('content-type'), 'text/javascript; charset=utf-8')
  t.notRegex(start.text, /https?:\/\//)
  t.true(start.text.includes("url: '/openapi.json'"))
  t.true(start.text.includes('validatorUrl: null'))
  const bundle = await get('/docs/swagger-ui-bundle.js')
  t.is(bundle.headers.get('content-type'), 'text/javascript; charset=utf-8')
  t.true(bundle.text.length > 1_000_000)
  const css = await get('/docs/swagger-ui.css')
  t.is(css.headers.get('content-type'), 'text/css; charset=utf-8')
  t.notRegex(css.text, /@import|url\(["']?(?:https?:)?\/\//)
  for (const { headers } of [bundle, css]) t.regex(headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
})

test('nothing else of the package is served', async (t) => {
  for (const path of [
    '/docs/index.html',
    '/docs/swagger-initializer.js',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/package.json',
  ]) {
    t.is((await get(path)).status, 404, path)
  }
})
