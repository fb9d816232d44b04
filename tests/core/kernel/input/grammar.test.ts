import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../core/failure.ts'
import { line } from '../../../../core/kernel/input/scalars.ts'
import { SEED } from '../../../size.ts'
import { everyField, everyFilter } from './every-field.ts'
import { email, url } from './grammars/addresses.ts'
import { filter, flag, numeral, required, several, word } from './grammars/filters.ts'
import { agrees, decoded, type Grammar, logSeed, verdictOf } from './grammars/grammar.ts'
import { day, dayOrInstant, instant, month, numbers, numberVerdict } from './grammars/scalars.ts'
import {
  AMOUNT,
  aliases,
  freeJson,
  listOf,
  listVerdict,
  nullable,
  nullableText,
  orNull,
  place,
  reference,
  short,
  words,
} from './grammars/structures.ts'
import { taxId } from './grammars/tax-ids.ts'
import {
  agency,
  alphanumeric,
  digits,
  guid,
  invisible,
  isInvisible,
  plainLine,
  plainText,
  secret,
} from './grammars/texts.ts'

const SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
const ID = { min: 1, max: Number.MAX_SAFE_INTEGER }
const JSON_BYTES = 16_384

/** Fields of texts, sent as they are. */
const TEXTS: Readonly<Record<string, Grammar>> = {
  text: plainText({ max: 8 }),
  'long text': plainText({ max: 1_000_000 }),
  line: plainLine({ max: 12 }),
  'text of a pattern': agency,
  secret,
  digits,
  email,
  url,
  alphanumeric,
  taxId: taxId('CPF', 'CNPJ'),
  cnpj: taxId('CNPJ'),
  guid,
  day,
  month,
  instant,
  dayOrInstant,
  optional: day,
}

const idOrNull = orNull((value) => numberVerdict(value, ID))

/** Fields of values, sent as JSON. */
const VALUES: Readonly<Record<string, Grammar>> = {
  integer: numbers({ min: -5, max: 5 }),
  'any integer': numbers(SAFE),
  id: numbers(ID),
  reais: numbers({ ...AMOUNT, min: 1 }),
  decimal: numbers({ min: 0, max: 1_000_000_0000, decimals: 4, keeps: 'number' }),
  scaled: numbers({ min: -100_0000, max: 100_0000, decimals: 4 }),
  hundredths: numbers({ min: 0, max: 100_00, decimals: 2 }),
  withDefault: numbers(AMOUNT),
  flag: words([true, false], 'truefals'),
  'one of words': words(['PIX', 'BOLETO'], '"PIXBOLET'),
  'one of numbers': words([0, 1], '01.-e'),
  'one of both': words([0, 'all'], '0"al'),
  json: freeJson({ maxBytes: JSON_BYTES }),
  jsonObject: freeJson({ maxBytes: 64, only: 'objects' }),
  list: listOf(short, fc.constantFrom('a', 'bc', 'é'), { min: 1, max: 2 }),
  'list of lists': listOf(
    listVerdict((value) => numberVerdict(value, SAFE), { max: 2 }),
    fc.array(fc.integer(), { maxLength: 2 }),
    { max: 2 },
  ),
  object: place,
  'object of aliases': aliases,
  nullable: nullableText(plainText({ max: 3 })),
  'nullable choice': nullable(words(['male', 'female'], '"male')),
  'nullable object': nullable(reference),
  'nullable list': nullable(listOf(idOrNull, fc.constantFrom(1, null), { max: 2 })),
  'nullable json': nullable(freeJson({ maxBytes: JSON_BYTES })),
  orNull: nullableText(email),
  nullIfAbsent: nullableText(url),
}

logSeed()

const ORDER = word('asc', 'desc')
const usual = (inner: Grammar, value: unknown): Grammar => ({
  near: inner.near,
  oracle: (text) =>
    filter(inner).oracle(text)?.decoded === undefined && filter(inner).oracle(text)
      ? decoded(value)
      : inner.oracle(text),
  valid: inner.valid,
})

/** Filters of a query, sent as texts. */
const FILTERS: Readonly<Record<string, Grammar>> = {
  'in query: text': filter(plainText({ max: 100 })),
  'in query: day': filter(day),
  'in query: required month': required(month),
  'in query: guid': filter(guid),
  'in query: one of': filter(ORDER),
  'in query: with default': usual(ORDER, 'desc'),
  'in query: integer': filter(numeral({ min: -1 })),
  'in query: flag': filter(flag),
  'in query: integers': several(numeral({ min: 1 })),
  'in query: words': several(word('PIX', 'BOLETO')),
  'in query: page': numeral({ min: 1, max: 100_000_000_000 }),
  'in query: per page': numeral({ min: 1, max: 500 }),
  'in query: e-mail': filter(email),
  'in query: tax id': filter(taxId('CPF', 'CNPJ')),
}

test('every field and every filter has a grammar', (t) => {
  t.deepEqual([...Object.keys(TEXTS), ...Object.keys(VALUES)].sort(), Object.keys(everyField).sort())
  t.deepEqual(Object.keys(FILTERS).sort(), Object.keys(everyFilter).sort())
})

const fields = { ...everyField, ...everyFilter }
for (const [name, grammar] of Object.entries({ ...TEXTS, ...VALUES, ...FILTERS })) {
  const field = fields[name]?.field
  if (field) agrees(name, verdictOf(field, { json: Object.hasOwn(VALUES, name) }), grammar)
}

const { read: readLine } = line({ max: 12 })
const codesOf = (got: ReturnType<typeof readLine>) => (isLeft(got) ? got.left.map(({ code }) => code) : [])

/** The planes with invisible characters, without surrogates. */
const PLANES = [
  [0, 0xd7ff],
  [0xe000, 0x1ffff],
  [0xe0000, 0xeffff],
] as const

test('a line accepts every visible character and no invisible one', (t) => {
  const wrong: string[] = []
  for (const [first, last] of PLANES) {
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code)
      const isTaken = codesOf(readLine(letter)).length === 0
      if (isTaken === Array.from(letter.normalize('NFC')).every(isInvisible)) wrong.push(code.toString(16))
    }
  }
  t.deepEqual(wrong, [])
})

test('a line refuses texts of invisible characters only', (t) => {
  fc.assert(
    fc.property(invisible, (text) => codesOf(readLine(text)).length === 1),
    { numRuns: 1_000, seed: SEED, includeErrorInReport: true },
  )
  t.pass()
})
