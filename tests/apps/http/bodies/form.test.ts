import { gzipSync } from 'node:zlib'
import test from 'ava'
import { FORM_LIMIT_BYTES } from '../../../../apps/http/bodies/body.ts'
import { MAX_PARTS } from '../../../../apps/http/bodies/forms.ts'
import { type Served, serveToy } from '../toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
})
test.after.always(() => toy.stop())

const TYPE = 'application/x-www-form-urlencoded'
const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  toy.ask('/public/form', { method: 'POST', body, headers: { 'Content-Type': TYPE, ...headers } })

test('a form is read as a browser writes it', async (t) => {
  for (const [sent, title] of [
    ['title=a', 'a'],
    ['title=a+b%2Bc', 'a b+c'],
    ['title=Jos%C3%A9', 'José'],
    ['title=José', 'José'],
    ['other=1&title=a&&=&x', 'a'],
    ['title=%3Cb%3E', '<b>'],
    ['title=a%', 'a%'],
  ] as const) {
    const { status, body } = await post(sent)
    t.deepEqual([status, body], [200, { title }], sent)
  }
  t.is((await post('title=a', { 'Content-Type': `${TYPE}; charset=UTF-8` })).status, 200)
})

test('a field that comes twice is no text, and none at all is named', async (t) => {
  t.like((await post('title=a&title=b')).body, { errors: { title: ['Deve ser um texto.'] } })
  for (const sent of ['', 'x=1', 'title=', 'title[]=a', 'title.x=a']) {
    t.like((await post(sent)).body, { errors: { title: ['O campo é obrigatório.'] } }, sent)
  }
})

test('names that objects inherit are names like any other', async (t) => {
  t.is((await post('__proto__=a&__proto__[x]=1&constructor=a&toString=a&title=a')).status, 200)
  t.is((await post('__proto__=a&constructor=a')).status, 422)
  t.false('x' in {})
})

test('other types, compressed and broken bodies are refused', async (t) => {
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=X', `${TYPE}; charset=latin1`]) {
    t.is((await post('title=a', { 'Content-Type': type })).status, 415, type)
  }
  t.is((await post(new Uint8Array(gzipSync('title=a')), { 'Content-Encoding': 'gzip' })).status, 415)
  for (const sent of ['title=%ff', '%c0%80=a', 'title=%ED%A0%80', new Uint8Array([116, 61, 0xff])]) {
    const { status, body } = await post(sent)
    t.deepEqual(
      [status, body],
      [400, { code: 400, success: false, message: 'Formulário inválido.', error_code: 'form.malformed' }],
      `${sent}`,
    )
  }
})

test('a form has a limit of bytes and one of fields', async (t) => {
  const sized = (bytes: number) => `title=a&more=${'x'.repeat(bytes - 'title=a&more='.length)}`
  t.is((await post(sized(FORM_LIMIT_BYTES))).status, 200)
  t.is((await post(sized(FORM_LIMIT_BYTES + 1))).status, 413)
  const fields = (count: number) => `title=a${'&a=1'.repeat(count - 1)}`
  t.is((await post(fields(MAX_PARTS))).status, 200)
  t.is((await post(fields(MAX_PARTS + 1))).status, 400)
})
