import test from 'ava'
import { MAX_PARTS } from '../../../../apps/http/bodies/forms.ts'
import { raw } from '../raw.ts'
import { ADMIN, type Served, serveToy } from '../toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
})
test.after.always(() => toy.stop())

const formOf = (parts: Readonly<Record<string, string | Blob>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.append(name, value)
  return form
}
const upload = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  toy.ask('/import', { method: 'POST', body, headers })

test('a form: its fields, and its files with their bytes', async (t) => {
  const file = new File([new Uint8Array(150_000).fill(7)], 'logo é.png', { type: 'image/png' })
  const { status, body } = await upload(formOf({ title: 'olá', file }))
  t.is(status, 200)
  t.like(body, { data: { title: 'olá', bytes: 150_000, type: 'image/png', name: 'logo é.png' } })
  t.like((await upload(formOf({ title: 'a', file: new File([], 'empty.png', { type: 'image/png' }) }))).body, {
    data: { bytes: 0, name: 'empty.png' },
  })
  t.like((await upload({ title: 'as JSON' })).body, { data: { title: 'as JSON', bytes: 0 } })
})

test('a form over its limit is 413, in one file or in many parts', async (t) => {
  const big = (bytes: number) => new File([new Uint8Array(bytes)], 'a', { type: 'image/png' })
  t.is((await upload(formOf({ title: 'a', file: big(200_001) }))).status, 413)
  t.is((await upload(formOf({ title: 'a', b: big(100_000), c: big(101_000) }))).status, 413)
  t.is((await upload(formOf({ title: 'a', long: 'x'.repeat(201_000) }))).status, 413)
})

/** What the row of the toy takes. */
const FORM_LIMIT_BYTES = 200_000

test('a form has a limit of bytes, however it is framed, and one of parts', async (t) => {
  const sized = (bytes: number) => {
    const [head, tail] = [`${part(named('title'))}--X\r\n${named('pad')}\r\n\r\n`, '\r\n--X--\r\n']
    return head + 'x'.repeat(bytes - head.length - tail.length) + tail
  }
  const chunked = (text: string) =>
    raw(
      toy.serving.port,
      `POST /import HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${ADMIN}\r\nContent-Type: multipart/form-data; boundary=X\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${text && `${text.length.toString(16)}\r\n${text}\r\n`}0\r\n\r\n`,
    )
  t.is((await upload(sized(FORM_LIMIT_BYTES), MULTIPART)).status, 200)
  t.is((await upload(sized(FORM_LIMIT_BYTES + 1), MULTIPART)).status, 413)
  t.regex(await chunked(sized(FORM_LIMIT_BYTES)), /^HTTP\/1\.1 200 /)
  t.regex(await chunked(sized(FORM_LIMIT_BYTES + 1)), /^HTTP\/1\.1 413 /)
  // Nothing in chunks is nothing, as in JSON.
  t.regex(await chunked(''), /^HTTP\/1\.1 422 /)
  const parts = (count: number) => `${part(named('title'))}${part(named('x')).repeat(count - 1)}--X--\r\n`
  t.is((await upload(parts(MAX_PARTS), MULTIPART)).status, 200)
  t.is((await upload(parts(MAX_PARTS + 1), MULTIPART)).status, 400)
})

const part = (headers: string, content = 'a') => `--X\r\n${headers}\r\n\r\n${content}\r\n`
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=X' }

test('forms that are broken are 400, and hurt nobody', async (t) => {
  const broken = ['', 'x', '--X', '--X\r\n', part(named('title')), '--Y--\r\n', '--X--']
  for (const body of broken) t.true([400, 422].includes((await upload(body, MULTIPART)).status), body)
  t.is((await upload(`${part(named('title'))}--X--\r\n`, { 'Content-Type': 'multipart/form-data' })).status, 400)
  t.is((await toy.ask('/')).status, 200)
})

test('odd parts: encodings, types on fields, names that objects inherit', async (t) => {
  const send = (...parts: string[]) => upload(`${parts.join('')}--X--\r\n`, MULTIPART)
  for (const encoding of ['7bit', '8bit', 'binary', 'utf-8']) {
    t.is((await send(part(`${named('title')}\r\nContent-Transfer-Encoding: ${encoding}`))).status, 200, encoding)
  }
  t.is((await send(part(`${named('title')}\r\nContent-Transfer-Encoding: quoted-printable`))).status, 400)
  t.is((await send(part(`${named('title')}\r\nContent-Type: text/plain; charset=utf-8`))).status, 200)
  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''].flatMap((name) => [
    part(named(name)),
    part(`${named(name, '; filename="x"')}\r\nContent-Type: image/png`),
  ])
  t.is((await send(part(named('title')), ...odd, ...odd)).status, 200)
  t.is((await send(...odd)).status, 422)
  t.is((await send(part(named('title')), part(named('title'), 'b'))).status, 422)
  t.is((await send(part(named('title')), part(named('file', '; filename="a.png"')))).status, 200)
  t.false('a' in {})
})

test('bytes that are no UTF-8 are no field: what is stored is what was sent', async (t) => {
  const form = `${part(named('title'), 'José')}--X--\r\n`
  const { status, body } = await upload(Buffer.from(form, 'latin1'), MULTIPART)
  t.is(status, 400)
  t.like(body, { message: 'Formulário inválido.' })
  t.is((await upload(Buffer.from(form), MULTIPART)).status, 200)
})
