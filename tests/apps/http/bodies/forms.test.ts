import { gzipSync } from 'node:zlib'
import test from 'ava'
import { FORM_LIMIT_BYTES } from '../../../../apps/http/bodies/body.ts'
import {
  MAX_PART_HEAD_BYTES,
  MAX_PARTS,
  nestFields,
  parseMultipart,
  toSchemaTypes,
} from '../../../../apps/http/bodies/forms.ts'
import { clearable, list } from '../../../../core/kernel/input/field.ts'
import { input, object } from '../../../../core/kernel/input/input.ts'
import { flag, integer, money, oneOf, text } from '../../../../core/kernel/input/scalars.ts'
import { raw } from '../raw.ts'
import { ADMIN, type Served, serveToy } from '../toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
})
test.after.always(() => toy.stop())

const FORM_TYPE = 'application/x-www-form-urlencoded'
const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  toy.ask('/public/form', { method: 'POST', body, headers: { 'Content-Type': FORM_TYPE, ...headers } })

test('reads an urlencoded form as browsers write it', async (t) => {
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
  t.is((await post('title=a', { 'Content-Type': `${FORM_TYPE}; charset=UTF-8` })).status, 200)
})

test('rejects a repeated field where a text is required, and names missing fields', async (t) => {
  t.like((await post('title=a&title=b')).body, { errors: { title: ['Deve ser um texto.'] } })
  for (const sent of ['', 'x=1', 'title=', 'title[]=a', 'title.x=a']) {
    t.like((await post(sent)).body, { errors: { title: ['O campo é obrigatório.'] } }, sent)
  }
})

test('reads inherited names of objects like any other name', async (t) => {
  t.is((await post('__proto__=a&__proto__[x]=1&constructor=a&toString=a&title=a')).status, 200)
  t.is((await post('__proto__=a&constructor=a')).status, 422)
  t.false('x' in {})
})

test('returns 415 for other types and compressed bodies, 400 for bytes that are not UTF-8', async (t) => {
  for (const type of [
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=X',
    `${FORM_TYPE}; charset=latin1`,
  ]) {
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

test('limits the bytes and the fields of an urlencoded form', async (t) => {
  const sized = (bytes: number) => `title=a&more=${'x'.repeat(bytes - 'title=a&more='.length)}`
  t.is((await post(sized(FORM_LIMIT_BYTES))).status, 200)
  t.is((await post(sized(FORM_LIMIT_BYTES + 1))).status, 413)
  const fields = (count: number) => `title=a${'&a=1'.repeat(count - 1)}`
  t.is((await post(fields(MAX_PARTS))).status, 200)
  t.is((await post(fields(MAX_PARTS + 1))).status, 400)
})

const formData = (parts: Readonly<Record<string, string | Blob>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.append(name, value)
  return form
}
const upload = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  toy.ask('/import', { method: 'POST', body, headers })

test('reads the fields of a multipart form, and its files with their bytes', async (t) => {
  const file = new File([new Uint8Array(150_000).fill(7)], 'logo é.png', { type: 'image/png' })
  const { status, body } = await upload(formData({ title: 'olá', file }))
  t.is(status, 200)
  t.like(body, { data: { title: 'olá', bytes: 150_000, type: 'image/png', name: 'logo é.png' } })
  t.like((await upload(formData({ title: 'a', file: new File([], 'empty.png', { type: 'image/png' }) }))).body, {
    data: { bytes: 0, name: 'empty.png' },
  })
  t.like((await upload({ title: 'as JSON' })).body, { data: { title: 'as JSON', bytes: 0 } })
})

/** The limit of the row. */
const IMPORT_LIMIT_BYTES = 200_000

test('limits the bytes of a multipart form, chunked or not', async (t) => {
  const sized = (bytes: number) => {
    const [head, tail] = [`${section(named('title'))}--X\r\n${named('pad')}\r\n\r\n`, '\r\n--X--\r\n']
    return head + 'x'.repeat(bytes - head.length - tail.length) + tail
  }
  const chunked = (text: string) =>
    raw(
      toy.serving.port,
      `POST /import HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${ADMIN}\r\nContent-Type: multipart/form-data; boundary=X\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${text && `${text.length.toString(16)}\r\n${text}\r\n`}0\r\n\r\n`,
    )
  t.is((await upload(sized(IMPORT_LIMIT_BYTES), MULTIPART)).status, 200)
  t.is((await upload(sized(IMPORT_LIMIT_BYTES + 1), MULTIPART)).status, 413)
  t.regex(await chunked(sized(IMPORT_LIMIT_BYTES)), /^HTTP\/1\.1 200 /)
  t.regex(await chunked(sized(IMPORT_LIMIT_BYTES + 1)), /^HTTP\/1\.1 413 /)
  // An empty chunked body is no body, as for JSON.
  t.regex(await chunked(''), /^HTTP\/1\.1 422 /)
})

const section = (head: string, content = '1') => `--X\r\n${head}\r\n\r\n${content}\r\n`
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=X' }

test('returns 400 for a malformed multipart form', async (t) => {
  const { status, body } = await upload('x', MULTIPART)
  t.is(status, 400)
  t.like(body, { message: 'Formulário inválido.' })
  t.is((await upload(`${section(named('title'))}--X--\r\n`, { 'Content-Type': 'multipart/form-data' })).status, 400)
})
test('reads inherited names of objects as parts, and rejects repeated fields and files as fields', async (t) => {
  const send = (...parts: string[]) => upload(`${parts.join('')}--X--\r\n`, MULTIPART)
  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''].flatMap((name) => [
    section(named(name)),
    section(`${named(name, '; filename="x"')}\r\nContent-Type: image/png`),
  ])
  t.is((await send(section(named('title')), ...odd, ...odd)).status, 200)
  t.is((await send(...odd)).status, 422)
  t.is((await send(section(named('title')), section(named('title'), 'b'))).status, 422)
  t.is((await send(section(named('title')), section(named('file', '; filename="a.png"')))).status, 200)
  t.false('a' in {})
})

const { 'Content-Type': TYPE } = MULTIPART
const FIELD = 'Content-Disposition: form-data; name="a"'
const FILE = `${FIELD}; filename="a.png"`

const formOf = (...sections: readonly string[]) => `${sections.join('')}--X--\r\n`
const read = (form: string, type = TYPE) => parseMultipart(Buffer.from(form), type)

test('parses a field as a text, and a file with its name, its type as sent and its bytes', (t) => {
  const file = `${FILE.replace('"a"', '"b"')}\r\nContent-Type: Image/PNG; q="1"`
  t.deepEqual(read(formOf(section(FIELD, 'olá'), section(file, '\r\n--x\r\n'))), {
    a: 'olá',
    b: { fileName: 'a.png', contentType: 'Image/PNG; q="1"', bytes: Buffer.from('\r\n--x\r\n') },
  })
  t.deepEqual(read(formOf(section(FILE, ''))), { a: { fileName: 'a.png', contentType: '', bytes: Buffer.alloc(0) } })
  // A browser sends this for a file input without a file.
  t.like(read(formOf(section(`${FIELD}; filename=""`, ''))), { a: { fileName: '', bytes: Buffer.alloc(0) } })
})

test('parses a repeated name as a list', (t) => {
  t.deepEqual(read(formOf(section(FIELD), section(FIELD, '2'))), { a: ['1', '2'] })
  t.like(read(formOf(section(FIELD), section(FILE))), { a: ['1', { fileName: 'a.png' }] })
  const odd = read(formOf(section(FIELD.replace('"a"', '"__proto__"'))))
  t.deepEqual(Object.entries(odd ?? {}), [['__proto__', '1']])
})

test('parses the headers of parts as clients write them', (t) => {
  for (const head of [
    'content-disposition:form-data;name=a',
    'Content-Disposition: FORM-DATA ; NAME=a ;',
    `Content-Type: text/plain; charset=ISO-8859-1\r\n${FIELD}\r\nContent-Length: 1\r\nX-Any:`,
  ]) {
    t.deepEqual(read(formOf(section(head))), { a: '1' }, head)
  }
  for (const encoding of ['7bit', '8bit', 'binary', 'utf-8']) {
    t.deepEqual(read(formOf(section(`${FIELD}\r\nContent-Transfer-Encoding: ${encoding}`))), { a: '1' }, encoding)
  }
  t.deepEqual(read(formOf(section(`${FIELD}\r\nContent-Transfer-Encoding: BASE64`, 'b2zDoQ=='))), { a: 'olá' })
  for (const [sent, fileName] of [
    [`a.png; filename*=utf-8''a%20b.png`, 'a.png'],
    ['"a\\"b.png"', '"b.png'],
    ['"a%22b.png"', 'a"b.png'],
    ['"C:\\logos\\a.png"', 'a.png'],
    ['"a; name=b"', 'a; name=b'],
  ] as const) {
    t.like(read(formOf(section(`${FIELD}; filename=${sent}`))), { a: { fileName } }, sent)
  }
  const latin = Buffer.from(formOf(section(`${FIELD}; filename="ação.png"`)), 'latin1')
  t.like(parseMultipart(latin, TYPE), { a: { bytes: Buffer.from('1') } })
})

test('ignores text before the first boundary and after the last', (t) => {
  t.deepEqual(read(`preamble\r\n${formOf(section(FIELD))}epilogue`), { a: '1' })
  t.deepEqual(read('--X--'), {})
})

test('accepts blanks after a boundary', (t) => {
  const form = formOf(section(FIELD), section(FIELD.replace('"a"', '"b"')))
  t.deepEqual(read(form.replaceAll('--X\r\n', '--X \t\r\n')), { a: '1', b: '1' })
})

test('rejects a malformed multipart form', (t) => {
  const whole = formOf(section(FIELD))
  for (const form of [
    '',
    'x',
    '--X',
    '--X\r\n',
    section(FIELD),
    whole.replaceAll('\r\n', '\n'),
    whole.replace('--X\r\n', '--X y\r\n'),
    whole.replace('--X--', '--Xy--'),
    `--X\r\n${whole}`,
    formOf(section('')),
    formOf(section('Content-Type: text/plain')),
    formOf(section('Content-Disposition: form-data')),
    formOf(section('Content-Disposition: form-data; filename="a"')),
    formOf(section('Content-Disposition: attachment; name="a"')),
    formOf(section(`${FIELD}; name="b"`)),
    formOf(section(`${FIELD}\r\n${FIELD}`)),
    formOf(section(`${FIELD}\r\n folded`)),
    formOf(section(`${FIELD}\r\nno header`)),
    formOf(section(`${FIELD}b`)),
    formOf(section(`${FIELD}; filename="a`)),
    formOf(section(`${FIELD}\r\nContent-Transfer-Encoding: quoted-printable`)),
  ]) {
    t.is(read(form), null, form)
  }
  t.is(parseMultipart(Buffer.from(formOf(section(FIELD, 'Jos\u00e9')), 'latin1'), TYPE), null)
})

test('accepts boundaries of 1 to 70 characters, quoted or not', (t) => {
  const named = (boundary: string, type = boundary) =>
    read(formOf(section(FIELD)).replaceAll('--X', `--${boundary}`), `multipart/form-data; boundary=${type}`)
  for (const boundary of ['X', '*****', '----=_Part/0:1.2', 'x'.repeat(70)]) t.deepEqual(named(boundary), { a: '1' })
  t.deepEqual(named('a b', '"a b"; charset=utf-8'), { a: '1' })
  for (const type of ['""', '', 'a b', 'x'.repeat(71), '"a', 'X; boundary=X']) t.is(named('X', type), null, type)
  t.is(read(formOf(section(FIELD)), 'multipart/form-data'), null)
})

test('limits the parts of a form and the bytes of their headers', (t) => {
  const parts = (count: number) => read(formOf(...Array.from({ length: count }, () => section(FIELD))))
  t.is([parts(MAX_PARTS)?.a].flat().length, MAX_PARTS)
  t.is(parts(MAX_PARTS + 1), null)
  const head = (bytes: number) => `${FIELD}\r\nX: `.padEnd(bytes, 'x')
  t.deepEqual(read(formOf(section(head(MAX_PART_HEAD_BYTES)))), { a: '1' })
  t.is(read(formOf(section(head(MAX_PART_HEAD_BYTES + 1)))), null)
})

const inner = input(null, { on: flag(), days: clearable(integer()), ways: list(oneOf(['a', 'b']), { max: 2 }) })
const { schema } = input(null, { name: text({ max: 9 }), value: money(), rule: clearable(object(inner)) })

test('nests fields with bracketed names in objects and lists', (t) => {
  t.deepEqual(nestFields({ a: '1', 'b[c]': '2', 'b[d][e]': '3', 'l[]': 'x' }), {
    a: '1',
    b: { c: '2', d: { e: '3' } },
    l: ['x'],
  })
  t.deepEqual(nestFields({ 'l[]': ['x', 'y'] }), { l: ['x', 'y'] })
  for (const name of ['[a]', 'a[', 'a]b[', 'a[b]c', '', '[]']) t.deepEqual(nestFields({ [name]: 'x' }), { [name]: 'x' })
})

test('does not write to prototypes, and leaves names that are nested too deep', (t) => {
  const made = nestFields({ '__proto__[admin]': '1', 'constructor[prototype][admin]': '1', 'a[__proto__][admin]': '1' })
  t.is(({} as { admin?: string }).admin, undefined)
  t.true(Object.hasOwn(made, '__proto__'))
  const deep = `a${'[b]'.repeat(5_000)}`
  t.deepEqual(nestFields({ [deep]: 'x' }), { [deep]: 'x' })
})

test('converts texts to the types of the schema, and leaves texts of another form', (t) => {
  t.deepEqual(
    toSchemaTypes(
      schema,
      nestFields({ name: '7', value: '10.5', 'rule[on]': 'true', 'rule[days]': '3', 'rule[ways][]': 'a' }),
    ),
    { name: '7', value: 10.5, rule: { on: true, days: 3, ways: ['a'] } },
  )
  t.deepEqual(toSchemaTypes(schema, { value: '1e3', rule: { on: 'yes', days: '3x', ways: 'a' } }), {
    value: '1e3',
    rule: { on: 'yes', days: '3x', ways: ['a'] },
  })
})

test('parses an object or a list sent as one text of JSON', (t) => {
  t.deepEqual(toSchemaTypes(schema, { rule: '{"on":false,"days":null,"ways":["b"]}' }), {
    rule: { on: false, days: null, ways: ['b'] },
  })
  t.deepEqual(toSchemaTypes(schema, { rule: '{broken', value: '' }), { rule: '{broken', value: '' })
})
