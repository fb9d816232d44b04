import test from 'ava'
import { openToy, type Served, serveToy } from '../toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy({ title: 'Casa <de> "brinquedo"' })
})
test.after.always(() => toy.stop())

const get = (path: string) => toy.ask(path, { token: null })

test('serves the OpenAPI document', async (t) => {
  const { status, headers, body } = await get('/openapi.json')
  t.is(status, 200)
  t.is(headers.get('content-type'), 'application/json; charset=utf-8')
  t.deepEqual(body, JSON.parse(JSON.stringify(toy.mounted.document())))
})

/** The addresses of a page's scripts. */
const scriptsOf = ({ text }: { readonly text: string }) => {
  const [, start = '', tag = ''] = /<script src="([^"]+)" data-reference="([^"]+)" async>/.exec(text) ?? []
  return { start, reference: `docs/reference.js?v=${tag}` }
}

test('the page loads only from its own server', async (t) => {
  const page = await get('/docs')
  t.is(page.status, 200)
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.true(page.text.includes('<title>Casa &lt;de&gt; &quot;brinquedo&quot;</title>'))
  const policy = page.headers.get('content-security-policy') ?? ''
  t.regex(policy, /default-src 'none'/)
  t.regex(policy, /script-src 'self';/)
  t.notRegex(policy, /unsafe|https?:|\*/)
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
  t.deepEqual(links, ['data:,', 'openapi.json', scriptsOf(page).start])
  t.notRegex(page.text, /<script(?! src=)|https?:\/\/|style=/)
})

test('the page has relative links, so that it works below any path', async (t) => {
  for (const [path, up] of [
    ['/docs', ''],
    ['/docs/', '../'],
  ] as const) {
    const page = await get(path)
    t.is(page.status, 200)
    const { start } = scriptsOf(page)
    t.true(start.startsWith(`${up}docs/start.js?v=`), path)
    t.is(new URL(start, `https://shop.example/pay${path}`).pathname, '/pay/docs/start.js')
  }
})

const nonceOf = ({ text }: { readonly text: string }) =>
  /<meta property="csp-nonce" nonce="([\w+/]{24})"/.exec(text)?.[1] ?? ''

test('each copy of the page has its own nonce for style sheets', async (t) => {
  const [one, other] = [await get('/docs'), await get('/docs')]
  for (const page of [one, other]) {
    const nonce = nonceOf(page)
    t.true(page.headers.get('content-security-policy')?.includes(`style-src 'self' 'nonce-${nonce}';`), nonce)
    t.true(page.text.includes(`<style nonce="${nonce}">`))
  }
  t.not(nonceOf(one), nonceOf(other))
})

test('the page contains the rendered introduction', async (t) => {
  const served = await openToy(t, { introduction: INTRODUCTION })
  const { text } = await served.ask('/docs', { token: null })
  const [, first = ''] = /<main id="first">\n([\s\S]*?)<p>As rotas/.exec(text) ?? []
  t.is(first.trim(), RENDERED)
})

const INTRODUCTION = `Notas de **brinquedo** em \`/notes\`; veja [a norma](https://norma.example/a) e [isto](javascript:alert).

# Passos: Node.js à mão
Um <b>só</b>:

\`\`\`sh
# nada
curl -s 'x' \\
  -d '{"a": "**b**"}'
\`\`\`

- um
- dois

| status | quando |
|---|---|
| 404 | \`não\` há |
`
const RENDERED = `<h1>Casa de brinquedo</h1>
<nav aria-label="Guias"><ul><li><a href="#description/passos-nodejs-à-mão">Passos: Node.js à mão</a></li></ul></nav>
<p>Notas de <b>brinquedo</b> em <code>/notes</code>; veja <a href="https://norma.example/a">a norma</a> e isto.</p>
<h2 id="description/passos-nodejs-à-mão">Passos: Node.js à mão</h2><p>Um &lt;b&gt;só&lt;/b&gt;:</p>
<pre data-label="Terminal"><code class="language-sh" tabindex="0"># nada
curl -s &#39;x&#39; \\
  -d &#39;{&quot;a&quot;: &quot;**b**&quot;}&#39;
</code></pre>
<ul><li>um</li><li>dois</li></ul>
<table><tr><th>status</th><th>quando</th></tr>
<tr><td>404</td><td><code>não</code> há</td></tr></table>`

test('compresses page, document and scripts, and answers 304 to a client that has them', async (t) => {
  const { start, reference } = scriptsOf(await get('/docs'))
  for (const [path, type, cached] of [
    ['/docs', 'text/html', 'private, no-cache'],
    ['/openapi.json', 'application/json', 'private, no-cache'],
    ['/docs/start.js', 'text/javascript', 'private, no-cache'],
    [`/${start}`, 'text/javascript', 'public, max-age=31536000, immutable'],
    [`/${reference}`, 'text/javascript', 'public, max-age=31536000, immutable'],
  ] as const) {
    const as = (headers: Record<string, string>) => toy.ask(path, { token: null, headers })
    const [zipped, plain] = [await as({ 'accept-encoding': 'gzip' }), await as({ 'accept-encoding': 'identity' })]
    for (const { status, headers } of [zipped, plain]) {
      t.is(status, 200)
      t.is(headers.get('content-type'), `${type}; charset=utf-8`)
      t.is(headers.get('cache-control'), cached)
      t.regex(headers.get('vary') ?? '', /Accept-Encoding/)
    }
    t.is(zipped.headers.get('content-encoding'), 'gzip')
    t.is(plain.headers.get('content-encoding'), null)
    const tag = zipped.headers.get('etag') ?? ''
    const again = await as({ 'if-none-match': `"other", ${tag}` })
    t.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag], path)
    t.is((await as({ 'if-none-match': '"other"' })).status, 200)
    // The stored copy of a browser keeps its nonce.
    if (path !== '/docs') continue
    t.true(again.headers.get('content-security-policy')?.includes(`'nonce-${nonceOf(zipped)}'`))
  }
  const { text } = await get(`/${reference}`)
  t.true(text.includes('createApiReference') && text.length > 1_000_000)
  t.notRegex((await get('/docs/start.js')).text, /https?:\/\//)
})

test('serves no other file of the package', async (t) => {
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
