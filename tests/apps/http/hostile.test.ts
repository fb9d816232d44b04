import test from 'ava'
import { right } from '../../../core/fp.ts'
import { type Served, serveToy } from './toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
})
test.after.always(() => toy.stop())

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** Hostile bodies. */
const BODIES: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ufeff{}',
  '{',
  '}',
  '[',
  '[]',
  '[[]]',
  '{}',
  '{"":""}',
  'null',
  'true',
  '0',
  '-0',
  '1e309',
  '"text"',
  '"\\ud800"',
  '{"title":null,"value":null}',
  '{"title":[],"value":{}}',
  '{"title":{"$gt":""},"value":{"$ne":null}}',
  '{"title":{"$regex":"^(a+)+$"},"value":1}',
  '{"title":"\\u0000","value":1}',
  '{"title":"\\ud83d","value":1}',
  '{"title":"a","value":1e309}',
  '{"title":"a","value":-0}',
  '{"title":"a","value":1e-7}',
  '{"title":"a","value":0.005}',
  '{"title":"a","value":9007199254740993}',
  '{"title":"a","value":"1,50"}',
  '{"title":"a","value":0x10}',
  '{"title":"a","value":1,"value":2,"title":"b"}',
  '{"title":"a","value":1,"__proto__":{"isAdmin":true}}',
  '{"title":"a","value":1,"constructor":{"prototype":{"isAdmin":true}}}',
  `{"title":"${'a\u0301'.repeat(10_000)}","value":1}`,
  `{"title":"${'x'.repeat(100_000)}","value":1}`,
  `{"title":"' OR 1=1--","value":1,"id":9,"owner":"eva","_id":1}`,
  `{"title":${deep('[', ']', 5_000)}}`,
  `${deep('{"a":', '}', 5_000)}`,
  'title=a&value=1&title[$ne]=x',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '--X\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--X--\r\n',
]

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=X',
  'text/plain',
  'application/xml',
]

const TARGETS: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/public/echo'],
  ['POST', '/public/echo?times[$ne]=1&times=1&times=2&__proto__[x]=1&constructor=1'],
  ['POST', '/notes'],
  ['PUT', '/notes/1'],
  ['PUT', '/withdrawn/1'],
  ['POST', '/import'],
  ['POST', '/fail/overridden'],
  ['POST', '/problem/refused'],
]

const isShaped = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('message' in body || 'detail' in body || 'title' in body)

test('returns no 5xx for hostile bodies of five types, and an answer in the API’s format', async (t) => {
  for (const [method, path] of TARGETS) {
    for (const type of TYPES) {
      for (const body of BODIES) {
        const answer = await toy.ask(path, { method, body, headers: { 'Content-Type': type } })
        const about = `${method} ${path} ${type} ${body.slice(0, 60)} → ${answer.status}`
        if (answer.status >= 500 || !isShaped(answer.body)) t.fail(about)
      }
    }
  }
  t.deepEqual(toy.log.failures, [])
  t.false('isAdmin' in {})
})

test('stores only fields that the caller may set', async (t) => {
  const served = await serveToy()
  const sent = '{"title":"mass","value":1,"id":77,"owner":"eva","cents":1,"_id":5,"__proto__":{"owner":"eva"}}'
  const { status, body } = await served.ask('/notes', {
    method: 'POST',
    body: sent,
    headers: { 'Content-Type': 'application/json' },
  })
  t.is(status, 201)
  t.like(body, { data: { id: 1, title: 'mass', value: 1 } })
  t.deepEqual(await served.core.find('ana', 1)(), right({ id: 1, owner: 'ana', title: 'mass', cents: 100 }))
  await served.stop()
})

test('returns no 5xx for hostile queries', async (t) => {
  const queries = [
    'page=',
    'page=0',
    'page=-1',
    'page=1e3',
    'page=NaN',
    `page=${'9'.repeat(400)}`,
    'page[]=1',
    'page[$gt]=',
    '%00=1',
    'page=%',
    '=',
    '&&&',
    'a=1&a=2',
    '__proto__=1',
    'page=1&page=2',
    'per_page=501&page=1',
    `${'a=1&'.repeat(2_000)}`,
    'page=%ff',
    'page=١',
  ]
  for (const query of queries) {
    const { status } = await toy.ask(`/notes?${query}`)
    t.true([200, 422].includes(status), `${query} → ${status}`)
  }
})
