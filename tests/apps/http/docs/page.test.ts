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
  t.deepEqual(links, ['data:,', 'docs/start.js'])
  t.notRegex(page.text, /<script(?! src=)|https?:\/\/|style=/)
})

test('the page finds what is its own below whatever path it is mounted at', async (t) => {
  for (const [path, script] of [
    ['/docs', 'docs/start.js'],
    ['/docs/', '../docs/start.js'],
  ] as const) {
    const { status, text } = await get(path)
    t.is(status, 200)
    t.true(text.includes(`<script src="${script}">`), path)
    t.is(new URL(script, `https://shop.example/pay${path}`).pathname, '/pay/docs/start.js')
  }
})

test('style sheets that the page makes bear a nonce that no other answer has', async (t) => {
  const nonces = []
  for (const { text, headers } of [await get('/docs'), await get('/docs')]) {
    const [, nonce = ''] = /<meta property="csp-nonce" nonce="([\w+/]{24})"/.exec(text) ?? []
    t.true(headers.get('content-security-policy')?.includes(`style-src 'self' 'nonce-${nonce}';`), nonce)
    nonces.push(nonce)
  }
  t.not(nonces[0], nonces[1])
})

test('everything that the page loads is there, typed and whole, compressed or not', async (t) => {
  const start = await get('/docs/start.js')
  t.is(start.headers.get('content-type'), 'text/javascript; charset=utf-8')
  t.notRegex(start.text, /https?:\/\//)
  t.true(start.text.includes("new URL('openapi.json', root)"))
  const sent = await Promise.all(
    ['gzip', 'identity'].map((encoding) =>
      toy.ask('/docs/reference.js', { token: null, headers: { 'accept-encoding': encoding } }),
    ),
  )
  for (const { status, headers, text } of sent) {
    t.is(status, 200)
    t.is(headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.regex(headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
    t.regex(headers.get('vary') ?? '', /Accept-Encoding/)
    t.true(text.includes('createApiReference') && text.length > 1_000_000)
  }
  t.deepEqual(
    sent.map(({ headers }) => headers.get('content-encoding')),
    ['gzip', null],
  )
})

test('nothing else of the package is served', async (t) => {
  for (const path of [
    '/docs/index.html',
    '/docs/reference.js.gz',
    '/docs/js/scalar.js',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/package.json',
  ]) {
    t.is((await get(path)).status, 404, path)
  }
})
