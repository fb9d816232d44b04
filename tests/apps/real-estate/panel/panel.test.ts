import test from 'ava'
import fc from 'fast-check'
import { eventReader } from '../../../../apps/real-estate/panel/browser/event-lines.ts'
import { printSeed, SEED } from '../../../size.ts'
import { STORE_SECRETS } from '../../store-url.ts'
import { openEstateApi } from '../test-api.ts'

const PROVIDER = {
  IDENTITY_ISSUER: 'https://securetoken.google.com/aurora',
  IDENTITY_AUDIENCE: 'aurora',
  IDENTITY_JWKS_URL: 'https://keys.example.com/jwks',
}
const SIGN_IN = {
  IDENTITY_SIGN_IN_URL: 'https://identitytoolkit.googleapis.com/v1',
  IDENTITY_API_KEY: 'AIza"web-key',
}

const directivesIn = (policy: string | null) =>
  new Map(
    (policy ?? '')
      .split('; ')
      .map((directive) => directive.split(' '))
      .map(([name = '', ...rest]) => [name, rest]),
  )

/** Returns the data attributes of the page for its script. */
const dataIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/ data-(root|password|refresh|key)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )

const scriptIn = (text: string) => /<script src="([^"]+)"><\/script>/.exec(text)?.[1] ?? ''

test('with the development issuer the panel runs its own script and connects only to its own server', async (t) => {
  const api = await openEstateApi(t, { usualIdentity: true })
  const { status, headers, text } = await api.ask('GET', '/panel')
  t.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  t.is(headers.get('cache-control'), 'private, no-cache')
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.is(headers.get('referrer-policy'), 'no-referrer')
  const { 'style-src': style, ...others } = Object.fromEntries(directivesIn(headers.get('content-security-policy')))
  t.deepEqual(others, {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'img-src': ['data:'],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  t.regex(`${style}`, /^'sha256-[\w+/]{43}='$/)
  t.notRegex(text, /https?:|javascript:| style=| on[a-z]+=/)
  t.deepEqual(dataIn(text), {
    root: '',
    password: 'identitytoolkit.googleapis.com/v1/accounts:signInWithPassword',
    refresh: 'securetoken.googleapis.com/v1/token',
    key: 'development',
  })
  for (const secret of Object.values(STORE_SECRETS)) t.false(text.includes(secret))
})

test('the script is served compressed or not, is immutable, and changes its address with its content', async (t) => {
  const api = await openEstateApi(t, { usualIdentity: true })
  const src = scriptIn((await api.ask('GET', '/panel')).text)
  t.regex(src, /^panel\/panel\.js\?v=[\w-]{16}$/)
  t.is(scriptIn((await api.ask('GET', '/panel/')).text), `../${src}`)
  const [zipped, plain, refused] = await Promise.all(
    ['br, gzip', 'identity', 'gzip;q=0'].map((encoding) =>
      fetch(`${api.url}/${src}`, { headers: { 'accept-encoding': encoding } }),
    ),
  )
  t.is(zipped?.headers.get('content-encoding'), 'gzip')
  const script = (await plain?.text()) ?? ''
  for (const answer of [zipped, plain, refused]) {
    t.like(answer, { status: 200 })
    t.is(answer?.headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.is(answer?.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.is(answer?.headers.get('vary'), 'Accept-Encoding, Origin')
  }
  t.deepEqual([plain?.headers.get('content-encoding'), refused?.headers.get('content-encoding')], [null, null])
  t.is(await zipped?.text(), script)
  t.is(await refused?.text(), script)
  t.true(script.includes('api/dashboard') && script.includes('Receita por mês'))
  t.notRegex(script, /\beval\(|\bFunction\(|localStorage|document\.cookie/)
})

test('page and script are compressed, and 304 for a client that has them', async (t) => {
  const api = await openEstateApi(t, { usualIdentity: true })
  for (const path of ['/panel', '/panel/', '/panel/panel.js']) {
    const as = (more: Record<string, string>) => fetch(api.url + path, { headers: more })
    const [zipped, plain] = [await as({ 'accept-encoding': 'gzip' }), await as({ 'accept-encoding': 'identity' })]
    t.deepEqual([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')], ['gzip', null])
    t.is(await zipped.text(), await plain.text())
    const tag = zipped.headers.get('etag') ?? ''
    const again = await as({ 'if-none-match': `"other", ${tag}` })
    t.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', tag], path)
    for (const name of ['content-security-policy', 'cache-control', 'vary'])
      t.is(again.headers.get(name), plain.headers.get(name), name)
    t.is((await as({ 'if-none-match': '"other"' })).status, 200)
  }
})

test('with a configured provider the page may also connect to its sign-in addresses', async (t) => {
  const api = await openEstateApi(t, { env: { ...PROVIDER, ...SIGN_IN } })
  const { headers, text } = await api.ask('GET', '/panel')
  const password = 'https://identitytoolkit.googleapis.com/v1/accounts:signInWithPassword'
  const refresh = 'https://securetoken.googleapis.com/v1/token'
  const further = ['signUp', 'sendOobCode', 'resetPassword', 'update'].map((each) => password.replace(/\w+$/, each))
  const asked = directivesIn(headers.get('content-security-policy')).get('connect-src')
  t.deepEqual(asked, ["'self'", password, ...further, refresh])
  t.deepEqual(dataIn(text), { root: '', password, refresh, key: 'AIza&quot;web-key' })
})

test('a provider other than Firebase has sign-in and tokens below its base address', async (t) => {
  const env = { ...PROVIDER, ...SIGN_IN, IDENTITY_SIGN_IN_URL: 'https://id.example.com/auth/' }
  const api = await openEstateApi(t, { env })
  t.like(dataIn((await api.ask('GET', '/panel/')).text), {
    root: '../',
    password: 'https://id.example.com/auth/v1/accounts:signInWithPassword',
    refresh: 'https://id.example.com/auth/v1/token',
  })
})

test('without a sign-in address or key the panel says which settings are missing', async (t) => {
  const { IDENTITY_API_KEY: _, ...keyless } = SIGN_IN
  for (const env of [PROVIDER, { ...PROVIDER, ...keyless }]) {
    const { status, headers, text } = await (await openEstateApi(t, { env })).ask('GET', '/panel')
    t.is(status, 200)
    t.regex(text, /O painel ainda não sabe onde você entra.*IDENTITY_SIGN_IN_URL.*IDENTITY_API_KEY/s)
    t.false(text.includes('<script') || text.includes('<form'))
    t.deepEqual(directivesIn(headers.get('content-security-policy')).get('connect-src'), ["'self'"])
  }
})

const SENT = [
  'retry: 3000',
  ': connected',
  '',
  'event: notification',
  'id: 7',
  'data: {"title":"Nova: proposta"}',
  '',
  ': still here',
  '',
  'data:um',
  'data: dois',
  '',
  'id: 9',
  '',
  'event: notification',
  'id: 8',
  'data: cut',
].join('\n')

const READ = [
  { id: '7', event: 'notification', data: '{"title":"Nova: proposta"}' },
  { id: null, event: 'message', data: 'um\ndois' },
  { id: '9', event: 'message', data: null },
]

test('events are parsed from pieces of any length, with any line ends; an incomplete one is ignored', (t) => {
  printSeed(t)
  fc.assert(
    fc.property(fc.array(fc.nat(SENT.length * 2)), fc.constantFrom('\n', '\r\n', '\r'), (cuts, end) => {
      const text = SENT.replaceAll('\n', end)
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const read = eventReader()
      const got = places.slice(1).flatMap((place, index) => read(text.slice(places[index], place)))
      t.deepEqual(got, READ)
    }),
    { seed: SEED },
  )
})
