import test from 'ava'
import { MAX_PART_HEAD_BYTES, MAX_PARTS, parseMultipart } from '../../../../apps/http/bodies/forms.ts'

const TYPE = 'multipart/form-data; boundary=X'
const FIELD = 'Content-Disposition: form-data; name="a"'
const FILE = `${FIELD}; filename="a.png"`

const section = (head: string, content = '1') => `--X\r\n${head}\r\n\r\n${content}\r\n`
const formOf = (...sections: readonly string[]) => `${sections.join('')}--X--\r\n`
const read = (form: string, type = TYPE) => parseMultipart(Buffer.from(form), type)

test('a field is a text, a file has its name, its type as it was sent, and its bytes', (t) => {
  const file = `${FILE.replace('"a"', '"b"')}\r\nContent-Type: Image/PNG; q="1"`
  t.deepEqual(read(formOf(section(FIELD, 'olá'), section(file, '\r\n--x\r\n'))), {
    a: 'olá',
    b: { fileName: 'a.png', contentType: 'Image/PNG; q="1"', bytes: Buffer.from('\r\n--x\r\n') },
  })
  t.deepEqual(read(formOf(section(FILE, ''))), {
    a: { fileName: 'a.png', contentType: '', bytes: Buffer.alloc(0) },
  })
  // What a browser sends for a file that nobody chose.
  t.like(read(formOf(section(`${FIELD}; filename=""`, ''))), { a: { fileName: '', bytes: Buffer.alloc(0) } })
})

test('a name that comes twice is a list, whatever it is called', (t) => {
  t.deepEqual(read(formOf(section(FIELD), section(FIELD, '2'))), { a: ['1', '2'] })
  t.like(read(formOf(section(FIELD), section(FILE))), { a: ['1', { fileName: 'a.png' }] })
  const odd = read(formOf(section(FIELD.replace('"a"', '"__proto__"'))))
  t.deepEqual(Object.entries(odd ?? {}), [['__proto__', '1']])
})

test('headers are read as programs write them', (t) => {
  for (const head of [
    'content-disposition:form-data;name=a',
    'Content-Disposition: FORM-DATA ; NAME=a ;',
    `Content-Type: text/plain; charset=ISO-8859-1\r\n${FIELD}\r\nContent-Length: 1\r\nX-Any:`,
  ]) {
    t.deepEqual(read(formOf(section(head))), { a: '1' }, head)
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

test('what stands before the first boundary and after the last is nothing', (t) => {
  t.deepEqual(read(`preamble\r\n${formOf(section(FIELD))}epilogue`), { a: '1' })
  t.deepEqual(read('--X--'), {})
})

test('a boundary may have blanks after it', (t) => {
  const form = formOf(section(FIELD), section(FIELD.replace('"a"', '"b"')))
  t.deepEqual(read(form.replaceAll('--X\r\n', '--X \t\r\n')), { a: '1', b: '1' })
})

test('a form that is broken is none', (t) => {
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

test('a boundary has 1 to 70 characters, in quotes or not', (t) => {
  const named = (boundary: string, type = boundary) =>
    read(formOf(section(FIELD)).replaceAll('--X', `--${boundary}`), `multipart/form-data; boundary=${type}`)
  for (const boundary of ['X', '*****', '----=_Part/0:1.2', 'x'.repeat(70)]) t.deepEqual(named(boundary), { a: '1' })
  t.deepEqual(named('a b', '"a b"; charset=utf-8'), { a: '1' })
  for (const type of ['""', '', 'a b', 'x'.repeat(71), '"a', 'X; boundary=X']) t.is(named('X', type), null, type)
  t.is(read(formOf(section(FIELD)), 'multipart/form-data'), null)
})

test('a form has a limit of parts, and a part one of what is said before its content', (t) => {
  const parts = (count: number) => read(formOf(...Array.from({ length: count }, () => section(FIELD))))
  t.is([parts(MAX_PARTS)?.a].flat().length, MAX_PARTS)
  t.is(parts(MAX_PARTS + 1), null)
  const head = (bytes: number) => `${FIELD}\r\nX: `.padEnd(bytes, 'x')
  t.deepEqual(read(formOf(section(head(MAX_PART_HEAD_BYTES)))), { a: '1' })
  t.is(read(formOf(section(head(MAX_PART_HEAD_BYTES + 1)))), null)
})
