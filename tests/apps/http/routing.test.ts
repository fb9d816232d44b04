import test from 'ava'
import { json } from '../../../apps/http/replies/json-reply.ts'
import { bySpecificity } from '../../../apps/http/routing.ts'
import type { Method } from '../../../apps/http/rows/row.ts'
import { right } from '../../../core/failure.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import { openToy } from './toy-api.ts'
import { route } from './toy-rows.ts'

interface Matched {
  readonly name: string
  readonly params: Readonly<Record<string, string>>
}
const matchedView = view(null, { name: output.text(), params: output.json() }, (matched: Matched) => matched)

const rowFor = (name: string, path: string, methods: readonly Method[] = ['GET']) =>
  route({
    name,
    area: 'a',
    summary: 's',
    methods,
    paths: [path],
    dialect: 'bare',
    auth: 'public',
    input: {},
    run:
      ({ request }) =>
      async () =>
        right({ name, params: { ...request.params } }),
    reply: json({ view: matchedView }),
    example: { reply: null },
  })

test('runs the most specific route of a path, with decoded parameters', async (t) => {
  const rows = [
    rowFor('rest', '/a/*rest'),
    rowFor('any', '/:word'),
    rowFor('any of any', '/:word/:other'),
    rowFor('param', '/a/:id'),
    rowFor('file', '/a/f_:id.pdf'),
    rowFor('word', '/a/b'),
    rowFor('post', '/a/b', ['POST']),
    rowFor('post only', '/a/p', ['POST']),
    rowFor('middle', '/x/:id/y'),
    rowFor('end', '/x/z/:id'),
    rowFor('one', '/q/:id/r'),
    rowFor('bottom', '/'),
  ]
  const toy = await openToy(t, { rows })
  const answers = async (path: string) => (await toy.ask(path)).body
  t.deepEqual(await answers('/'), { name: 'bottom', params: {} })
  t.deepEqual(await answers('/a/b'), { name: 'word', params: {} })
  t.deepEqual(await answers('/a/b/'), { name: 'word', params: {} })
  t.deepEqual(await answers('/a/f_7.pdf'), { name: 'file', params: { id: '7' } })
  t.deepEqual(await answers('/a/f_7.txt'), { name: 'param', params: { id: 'f_7.txt' } })
  t.deepEqual(await answers('/a/%C3%A7%2Fd'), { name: 'param', params: { id: 'ç/d' } })
  t.deepEqual(await answers('/a/__proto__'), { name: 'param', params: { id: '__proto__' } })
  t.deepEqual(await answers('/c'), { name: 'any', params: { word: 'c' } })
  t.deepEqual(await answers('/c/d'), { name: 'any of any', params: { word: 'c', other: 'd' } })
  t.like(await answers('/a/b/c/d'), { name: 'rest' })
  t.deepEqual(await answers('/a/p'), { name: 'param', params: { id: 'p' } })
  t.deepEqual(await answers('/x/7/y'), { name: 'middle', params: { id: '7' } })
  t.deepEqual(await answers('/x/z/y'), { name: 'end', params: { id: 'y' } })
  t.deepEqual(await answers('/q/7/r'), { name: 'one', params: { id: '7' } })
  t.deepEqual(await answers('/q/7%2F8/r/'), { name: 'one', params: { id: '7/8' } })
  t.is((await toy.ask('/q//r')).status, 404)
  t.is((await toy.ask('/q/7/r', { method: 'POST' })).status, 405)
  t.is((await toy.ask('/c/d/e')).status, 404)
})

test('names the route with the same or similar words in the 404 of an unknown path', async (t) => {
  const paths = [
    ...['/invoices', '/invoices/:id', '/v1/auth/login', '/v1/users/:id', '/api/public/Links/:id'],
    ...['/:word/x/:id', '/v1/sums\\:make', '/api/properties', '/files/file_:id.pdf', '/pay/charge/:id'],
    ...['/billing/charges/:id'],
  ]
  const rows = paths.map((path, at) => rowFor(`row${at}`, path))
  const toy = await openToy(t, { rows })
  for (const [path, hint] of [
    ['/v1/invoices', '/invoices'],
    ['/api/v1/invoices/7', '/invoices/7'],
    ['/auth/login', '/v1/auth/login'],
    ['/v2/auth/login', '/v1/auth/login'],
    ['/V1/Users/Ana', '/v1/users/Ana'],
    ['/links/9', '/api/public/Links/9'],
    ['/sums:make', '/v1/sums:make'],
    ['/v1/properties', '/api/properties'],
    ['/api/property', '/api/properties'],
    ['/invoice', '/invoices'],
    ['/v1/invocies/7', undefined],
    ['/v1/invices/7', '/invoices/7'],
    ['/pay/charges/7', '/pay/charge/7'],
    ['/files/7', undefined],
    ['/api/user/Ana', '/v1/users/Ana'],
    ['/v1/nada', undefined],
    ['/v2/users', undefined],
    ['/', undefined],
    [`/v1/invoices/${'7'.repeat(200)}`, undefined],
  ] as const) {
    const { status, body } = await toy.ask(path)
    t.is(status, 404)
    t.like(body, { message: 'Rota não encontrada.', hint: hint && `Há uma rota em ${hint}.` }, path)
  }
})

test('orders paths by specificity', (t) => {
  const paths = ['/*rest', '/:a/:b', '/a/:b', '/a/b', '/a/f_:b.pdf', '/:a/b', '/a']
  const sorted = bySpecificity(paths.map((path) => ({ path })))
  t.deepEqual(
    sorted.map(({ path }) => path),
    ['/a', '/a/b', '/a/f_:b.pdf', '/a/:b', '/:a/b', '/:a/:b', '/*rest'],
  )
})
