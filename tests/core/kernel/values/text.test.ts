import test from 'ava'
import fc from 'fast-check'
import {
  ascii,
  codePoints,
  compareCodePoints,
  digitsAndLetters,
  fold,
  foldLines,
  isWellFormed,
  nfc,
} from '../../../../core/kernel/values/text.ts'
import { anyText } from '../../../any-text.ts'

const texts = anyText()
const COMBINING_ACUTE = '\u0301'

test('nfc joins both encodings of an accent', (t) => {
  t.is(nfc(`Joa\u0303o`), 'João')
  t.is(nfc('João'), 'João')
})

test('NUL and lone surrogates are refused, pairs are not', (t) => {
  for (const bad of ['a\0b', '\ud83d', 'x\ude00y', '\ude00\ud83d']) t.false(isWellFormed(bad), JSON.stringify(bad))
  for (const good of ['', 'São Paulo', '😀', '👨‍👩‍👧', '\u202e', '\uffff'])
    t.true(isWellFormed(good), JSON.stringify(good))
})

test('a well-formed text is unchanged by UTF-8', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 8 }), (units) => {
      const text = String.fromCharCode(...units)
      t.is(isWellFormed(text), Buffer.from(text, 'utf8').toString('utf8') === text)
    }),
  )
})

test('codePoints counts code points', (t) => {
  t.is(codePoints(''), 0)
  t.is(codePoints('ação'), 4)
  t.is(codePoints('😀😀'), 2)
  t.is(codePoints('👨‍👩‍👧'), 5)
  t.is(codePoints('\ud83d'), 1)
  fc.assert(fc.property(texts, (text) => t.is(codePoints(text), [...text].length)))
})

test('fold ignores case and accents', (t) => {
  t.is(fold('JOÃO da Conceição'), 'joao da conceicao')
  t.is(fold(`a${COMBINING_ACUTE.repeat(10_000)}b`), 'ab')
  t.is(fold('R$ 10,00'), 'r$ 10,00')
})

test('fold joins the forms of one letter', (t) => {
  for (const twin of ['İ', 'ı', 'I', 'i', 'Í', 'i\u0307']) t.is(fold(twin), 'i', twin)
  for (const twin of ['ß', 'ẞ', 'SS', 'ss', 'ſs']) t.is(fold(twin), 'ss', twin)
  for (const twin of ['Σ', 'σ', 'ς']) t.is(fold(`Ο${twin}`), 'οσ', twin)
  t.is(fold('ﬁ'), 'fi')
  t.is(fold('각'.normalize('NFD')), '각')
})

test('every letter folds like its upper case, lower case and decomposition', (t) => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x1ffff; code += 1) {
    const letter = String.fromCodePoint(code)
    // The Greek iota below is a mark that upper-casing turns into a letter.
    if (!isWellFormed(letter) || letter.normalize('NFD').includes('\u0345')) continue
    const folded = fold(letter)
    // Most letters have one form only, which is not folded again.
    const twins = new Set([letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD'), folded])
    twins.delete(letter)
    if ([...twins].some((twin) => fold(twin) !== folded)) wrong.push(code.toString(16))
  }
  t.deepEqual(wrong, [])
})

test('a part of a text folds to a part of the folded text', (t) => {
  const unit = fc.oneof(
    fc.constantFrom(...'aÃéIıİßσςΣΌ ﬁ'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  )
  const text = fc.array(unit).map((letters) => letters.join(''))
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      t.true(fold(before + part + after).includes(fold(part)))
    }),
  )
})

test('compareCodePoints sorts by code point', (t) => {
  const sorted = ['', 'A', 'AA', 'a', 'é', 'ﬁ', '＄', '\uffff', '😀', '😁', '\u{10ffff}']
  t.deepEqual([...sorted].reverse().sort(compareCodePoints), sorted)
  t.true('😀' < 'ﬁ')
  t.is(compareCodePoints('abc', 'abc'), 0)
})

test('compareCodePoints agrees with the order of the UTF-8 bytes', (t) => {
  const near = fc.array(fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '😀'), { maxLength: 4 })
  const pair = fc.oneof(
    near.map((letters) => letters.join('')),
    fc.string({ unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(pair, pair, (a, b) => {
      t.is(Math.sign(compareCodePoints(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { numRuns: 1_000 },
  )
})

test('ascii returns printable ASCII', (t) => {
  t.is(ascii('Padaria São João', 25), 'Padaria Sao Joao')
  t.is(ascii('  Açaí\t& Cia\n Ltda😀 ', 25), 'Acai & Cia Ltda')
  t.is(ascii('Empresa Alfanumérica Limitada', 25), 'Empresa Alfanumerica Limi')
  t.is(ascii('São José dos Campos', 8), 'Sao Jose')
  t.is(ascii('São José dos Campos', 9), 'Sao Jose')
  t.is(ascii('東京', 15), '')
})

test('ascii never exceeds its character set and length', (t) => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 25 }), (text, maxLength) => {
      const name = ascii(text, maxLength)
      t.regex(name, /^([!-~]+( [!-~]+)*)?$/)
      t.true(name.length <= maxLength)
    }),
  )
})

test('digitsAndLetters keeps letters and digits of every script', (t) => {
  t.is(digitsAndLetters('+55 (11) 91234-5678'), '5511912345678')
  t.is(digitsAndLetters('01310-100'), '01310100')
  t.is(digitsAndLetters('12.ABC.345/01de-35'), '12ABC34501de35')
  t.is(digitsAndLetters('１2-😀é'), '１2é')
})

test('fold turns a run of white space into one space', (t) => {
  t.is(fold('Maria\u00a0da\u00a0Silva'), 'maria da silva')
  t.is(fold('José  Dois'), 'jose dois')
  t.is(fold('A\t\r\n b'), 'a b')
  t.is(foldLines(['José  Dois', null, 'A\nb', undefined]), 'jose dois\na b')
})
