import test from 'ava'
import { isRight } from '../../../../core/failure.ts'
import {
  alphanumeric,
  digits,
  email,
  guid,
  line,
  secret,
  taxId,
  text,
  url,
} from '../../../../core/kernel/input/scalars.ts'
import { decodes, each, outcome, refuses } from './reads.ts'

/** Rows of one issue, several texts a line. */
const eachOf = (issue: string, lines: readonly string[]) => each(issue, ...lines.flatMap((line) => line.split('|')))

const NOT_TEXTS = each('text', 0, 1, true, [], ['a'], {}, { $gt: '' }, { $ne: null }, { $regex: '^(a+)+$' })
const ABSENT = [
  [undefined, 'required'],
  [null, 'required'],
] as const
const UNSTORABLE = each('text.malformed', 'a\0b', 'a\ud800b', '\udc00', `a${'\u0301'.repeat(10_000)}`)
const CONTROLS = each('text.malformed', 'a\rb', 'a\u0007b', 'a\u001bb', 'a\u007fb', 'a\u0085b')

refuses('text', text({ max: 5 }), [
  ...ABSENT,
  ...NOT_TEXTS,
  ...UNSTORABLE,
  ...CONTROLS,
  ['', 'required'],
  [' \n\u3000', 'required'],
  ['abcdef', 'text.max 5'],
  ['😀😀😀😀😀😀', 'text.max 5'],
])

test('thirty combining marks in a row are a text, thirty-one are not, however they are written', (t) => {
  const field = text({ max: 100 })
  t.deepEqual(outcome(field.read(`q${'\u0316'.repeat(30)}`)), { decoded: `q${'\u0316'.repeat(30)}` })
  t.deepEqual(outcome(field.read(`q${'\u0316'.repeat(31)}`)), { issues: ['text.malformed'] })
  // U+0344 is two marks in NFC.
  t.deepEqual(outcome(field.read(`q${'\u0344'.repeat(15)}`)), { decoded: `q${'\u0308\u0301'.repeat(15)}` })
  t.deepEqual(outcome(field.read(`q${'\u0344'.repeat(16)}`)), { issues: ['text.malformed'] })
})

refuses('line', line({ max: 20 }), [
  ...ABSENT,
  ...NOT_TEXTS,
  ...UNSTORABLE,
  ...CONTROLS,
  ['', 'required'],
  [' \n\u3000', 'required'],
  ['a'.repeat(21), 'text.max 20'],
  ...each('text.line', 'a\nb', 'a\r\nb', 'a\u2028b', 'a\u2029b', 'Oi\nBcc: x@y.co'),
  ...each('text.malformed', 'a\vb', 'a\fb', 'a\u0085b'),
  ...each(
    'text.direction',
    ...Array.from('\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c', (turn) => `a${turn}b`),
    '\u202e',
  ),
  ...each('text.invisible', '\u200b', '\u200d\u200c\u2060', '\ufe0f', '\u0301', '\u0301 \u0323', '\u00ad'),
  ...each('text.invisible', '\u115f\u1160', '\u3164', '\uffa0', '\u2800 \u2800', '\ufffc', '\ufeff\u200b\ufeff'),
  ...each('text.invisible', '\u{e0041}', '\uffff'),
])

refuses('text of a least length', text({ min: 3, max: 5 }), [
  ['😀😀', 'text.min 3'],
  [' ab ', 'text.min 3'],
  ['', 'required'],
])

decodes('text of a pattern', text({ max: 9, pattern: { regex: /^[A-Z]{2}$/, code: 'state' } }), [[' SP', 'SP']])
refuses('text of a pattern', text({ max: 9, pattern: { regex: /^[A-Z]{2}$/, code: 'state' } }), [
  ['sp', 'state'],
  ['ＳＰ', 'state'],
  [' ', 'required'],
])
decodes('text in capitals', text({ max: 2, pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' }, casing: 'upper' }), [
  [' sP', 'SP'],
  ['SP', 'SP'],
])
refuses('text in capitals', text({ max: 2, pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' }, casing: 'upper' }), [
  ['s1', 'state'],
])
decodes('text of any capitals', text({ max: 2, casing: 'upper' }), [
  ['\u0390', '\u03aa\u0301'],
  ['\ufb01', 'FI'],
])
refuses('text of any capitals', text({ max: 2, casing: 'upper' }), [['\ufb01\ufb01', 'text.max 2']])
decodes('text in small letters', text({ max: 9, casing: 'lower' }), [['SMTP.Á', 'smtp.á']])

refuses('secret', secret({ min: 3 }), [
  ...ABSENT,
  ...NOT_TEXTS,
  ['', 'required'],
  ['😀😀', 'text.min 3'],
  ['a'.repeat(1_001), 'text.max 1000'],
  ['a\0bc', 'text.malformed'],
  ['abc\ud800', 'text.malformed'],
])

refuses('digits', digits({ length: 6 }), [
  ...ABSENT,
  [123456, 'text'],
  ['', 'required'],
  ...each('digits 6', '12345', '1234567', '12345\n', '123456\n', ' 123456', '１２３４５６', '12345a'),
])

decodes('email', email(), [
  ['JOSE\u0301@EXEMPLO.COM.BR', 'josé@exemplo.com.br'],
  [`${'a'.repeat(248)}@bb.co`, `${'a'.repeat(248)}@bb.co`],
])
refuses('email', email(), [
  ...ABSENT,
  ...NOT_TEXTS,
  ...UNSTORABLE,
  ['', 'required'],
  ...eachOf('email', [
    'ana|@b.co|a@|a@b|a@b.|a@.co|a@b..co|a@-b.co|a@b-.co|a@b@c.co|a b@c.co|a@c .co|.a@b.co|a.@b.co',
    'a..b@c.co|"a"@b.co|a@b.co,c@d.co|Ana <a@b.co>|a\n@b.co|a@b.co\nBcc: c|a\u200b@b.co|a\u202e@b.co',
    'a＠b.co',
  ]),
  [`${'a'.repeat(250)}@bb.co`, 'text.max 255'],
])

refuses('url', url({ max: 40 }), [
  ...ABSENT,
  ...NOT_TEXTS,
  ...UNSTORABLE,
  ['', 'required'],
  ...eachOf('url', [
    'example.com|//example.com|/path|ftp://example.com|file:///etc/passwd|gopher://example.com',
    'data:text/html,x|javascript:alert(1)|http:example.com|http:/example.com|http://|http:///a',
    'http://?a|http://a@example.com|http://a:b@example.com|http://@example.com|http://exa mple.com',
    'http://exa\nmple.com|http://example.com\\@evil.co|http:\\\\example.com|http://example.com:99999',
    'http://[::1|http://%00/',
  ]),
  [`http://example.com/${'a'.repeat(22)}`, 'text.max 40'],
])

refuses('alphanumeric', alphanumeric({ max: 20 }), [
  ...ABSENT,
  ...NOT_TEXTS,
  ...UNSTORABLE,
  ['', 'required'],
  ['(--)', 'text.malformed'],
  ['1'.repeat(21), 'text.max 20'],
])

refuses('taxId', taxId(), [
  ...ABSENT,
  ...NOT_TEXTS,
  ...UNSTORABLE,
  ['', 'required'],
  ...each('document', '529.982.247-26', '111.111.111-11', '５２９９８２２４７２５', '5299822472'),
  ['5'.repeat(41), 'text.max 40'],
])
refuses('taxId of a kind', taxId({ kind: 'CNPJ' }), [['529.982.247-25', 'document']])
refuses('guid', guid(), [
  ...ABSENT,
  ...each('guid', 1, '', '0f8fad5bd9cb469fa16570867728950e', '{0f8fad5b-d9cb-469f-a165-70867728950e}'),
  ...each('guid', '0f8fad5b-d9cb-469f-a165-70867728950e\n', '0f8fad5b-d9cb-469f-a165-70867728950g'),
])

/** The planes with invisible characters, without surrogates. */
const PLANES = [
  [0, 0xd7ff],
  [0xe000, 0x1ffff],
  [0xe0000, 0xeffff],
] as const

const range = (codes: string) => {
  const [first = 0, last = first] = codes.split('-').map((code) => Number.parseInt(code, 16))
  return [first, last] as const
}
/**
 * Invisible code points other than marks, from the tables of Unicode 15: controls and spaces, format characters, blank
 * symbols.
 */
const INVISIBLE = [
  '0-20 7f-a0 1680 2000-200a 2028-2029 202f 205f 3000',
  'ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f',
  'feff ffa0 fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a e0000-e0fff',
  '2800 fffc 13441-13442 1d159 fdd0-fdef',
].flatMap((codes) => codes.split(' ').map(range))

const isInvisible = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0
  const isListed = INVISIBLE.some(([first, last]) => code >= first && code <= last)
  return isListed || (code & 0xfffe) === 0xfffe || /\p{M}/u.test(letter)
}

test('a line accepts every visible character and no invisible one', (t) => {
  const { read } = line({ max: 12 })
  const wrong: string[] = []
  for (const [first, last] of PLANES) {
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code)
      if (isRight(read(letter)) === Array.from(letter.normalize('NFC')).every(isInvisible))
        wrong.push(code.toString(16))
    }
  }
  t.deepEqual(wrong, [])
})
