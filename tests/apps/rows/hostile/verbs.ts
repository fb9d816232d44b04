import test from 'ava'
import { PARAMETERS } from '../../../../apps/http/routing.ts'
import type { RowsApi } from '../api-under-test.ts'
import { encodeBody, headersOf, type Place, placesOf, targetOf } from '../places.ts'
import { sampleRows } from '../sampling.ts'
import { type RowsSuite, writtenBetween } from '../suite.ts'
import type { Reply } from '../wire.ts'

/** The size of the random sample of rows: methods and headers are handled by the server, not by rows. */
const MAX_ROWS = 30

/** Headers of every answer. */
const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
/** An image whose address changes with its content. */
const FOR_GOOD = 'public, max-age=31536000, immutable'

/** A script whose address does not change with its content. */
const REVALIDATED = 'private, no-cache'

const isOfType = ({ headers }: Reply, type: string): boolean => `${headers['content-type']}`.startsWith(type)
const isProgram = (reply: Reply): boolean => isOfType(reply, 'text/javascript')

const isCacheable = (reply: Reply): boolean =>
  (reply.headers['cache-control'] === FOR_GOOD && isOfType(reply, 'image/')) ||
  (reply.headers['cache-control'] === REVALIDATED && (isProgram(reply) || reply.headers.etag !== undefined))
const NEVER = [
  'server',
  'x-powered-by',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'set-cookie',
]

const POLICY = "default-src 'none'; frame-ancestors 'none'"
const OWN = "'sha256-[\\w+/]{43}='"
/** A page runs only its own scripts and calls only this server. */
const PAGE_POLICY = new RegExp(
  `^default-src 'none'; style-src ${OWN}; (script-src (${OWN}|'self'); )?img-src ('self' )?data:; (connect-src 'self'; )?` +
    "(style-src-attr 'unsafe-inline'; )?form-action 'self'; base-uri 'none'; frame-ancestors 'none'$",
)

const hasPolicy = ({ headers }: Reply): boolean => {
  const policy = `${headers['content-security-policy']}`
  return headers['content-type']?.startsWith('text/html') ? PAGE_POLICY.test(policy) : policy === POLICY
}

const wrongHeaders = (reply: Reply): readonly string[] => {
  const { headers, text } = reply
  return [
    ...Object.keys(ALWAYS).filter(
      (name) => headers[name] !== ALWAYS[name] && !(name === 'cache-control' && isCacheable(reply)),
    ),
    ...NEVER.filter((name) => headers[name] !== undefined),
    ...(/^[\w.-]{1,64}$/.test(`${headers['x-request-id'] ?? ''}`) ? [] : ['x-request-id']),
    // No stack trace, and no path of this machine; scripts contain names that look like paths.
    ...(!isProgram(reply) && /\bat .+:\d+:\d+|node_modules|\/core\/|\.ts\b/.test(text) ? ['a stack'] : []),
    ...(hasPolicy(reply) ? [] : ['content-security-policy']),
  ]
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(PARAMETERS, (found) => (found.startsWith(':') ? '[^/]+' : '.+'))}$`)

/** Returns the methods of a path, of all rows. */
const allowedOn = (places: readonly Place[], target: string): readonly string[] => {
  const methods = new Set(places.filter(({ path }) => patternOf(path).test(target)).map(({ method }) => method))
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
}

const OTHER_METHODS = ['TRACE', 'PROPFIND', 'LINK', 'PURGE', 'QUERY', 'SEARCH', 'MKCOL']
const USUAL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Tests the security headers of every answer, and 405 for unknown methods. */
export const verbsSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  rejectsOtherMethods(under)
  answersHead(under)
}

const rejectsOtherMethods = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const { rows, wording, hostile, open, prepare, dump, documented } = under
  const places = rows.flatMap(placesOf)
  for (const row of sampleRows(rows, MAX_ROWS))
    test.serial(`${row.name} has the security headers, and returns 405 for other methods`, async (t) => {
      const api = await open(t)
      const document = await documented(api)
      for (const place of placesOf(row)) {
        const sent = await prepare(api, place)
        const target = targetOf(place, sent)
        const origin = { origin: 'https://evil.example', cookie: 'a=b' }
        const { type, body } = sent.body ? encodeBody(row, sent.body) : { type: 'application/json', body: '' }
        const headers = { ...headersOf(sent), ...origin, 'content-type': type }
        const good = await api.wire({ method: place.method, target, headers, body })
        t.is(good.status, row.reply.doc.status)
        t.deepEqual(wrongHeaders(good), [])
        t.is(good.headers.deprecation, row.deprecated ? 'true' : undefined)
        t.deepEqual(wrongHeaders(await api.wire({ method: place.method, target, headers: origin, body: '{' })), [])

        const before = await dump(api)
        const [path = ''] = target.split('?')
        const allowed = allowedOn(places, path)
        for (const method of [...OTHER_METHODS, ...USUAL_METHODS].filter((each) => !allowed.includes(each))) {
          const refused = await api.wire({ method, target, headers, body })
          t.deepEqual(
            [refused.status, `${refused.headers.allow}`.split(', ').sort()],
            [405, allowed],
            `${method} ${path}`,
          )
          t.deepEqual(wrongHeaders(refused), [], `${method} ${path}`)
          if (method === 'HEAD') continue
          const dialects = hostile.dialectsAt?.(refused, path) ?? [wording.defaultDialect]
          t.true(dialects.some((dialect) => wording.wrongFailure(refused, dialect, document) === null))
        }
        const options = await api.wire({
          method: 'OPTIONS',
          target,
          headers: { ...headers, 'access-control-request-method': 'PUT' },
        })
        t.deepEqual([options.status, `${options.headers.allow}`.split(', ').sort()], [204, allowed])
        t.deepEqual(wrongHeaders(options), [])
        t.deepEqual(writtenBetween(before, await dump(api)), [])
      }
    })
}

// These differ between answers or connections.
const OWN_TO_EACH = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding']
const comparable = ({ status, headers }: Reply) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_TO_EACH.includes(name))),
})

const answersHead = <A extends RowsApi>({ rows, open, prepare }: RowsSuite<A>): void => {
  for (const row of sampleRows(
    rows.filter(({ methods }) => methods.includes('GET')),
    MAX_ROWS,
  ))
    test.serial(`${row.name} answers HEAD like GET, without a body`, async (t) => {
      const api = await open(t)
      for (const place of placesOf(row).filter(({ method }) => method === 'GET')) {
        const sent = await prepare(api, place)
        const target = targetOf(place, sent)
        const wrong = target.replace(/\?.*/, '').replace(/[^/]+$/, 'x?page=x&code=')
        for (const [asked, headers] of [
          [target, headersOf(sent)],
          [target, {}],
          [wrong, headersOf(sent)],
        ] as const) {
          const [got, head] = [
            await api.wire({ method: 'GET', target: asked, headers }),
            await api.wire({ method: 'HEAD', target: asked, headers }),
          ]
          t.deepEqual(comparable(head), comparable(got), asked)
          t.is(head.text, '')
        }
      }
    })
}
