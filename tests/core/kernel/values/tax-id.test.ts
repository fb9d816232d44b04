import {
  formatCnpj,
  formatCpf,
  generateCnpj,
  generateCpf,
  isValidCnpj,
  isValidCpf,
} from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import fc from 'fast-check'
import {
  formatTaxId,
  isCnpj,
  isCpf,
  isTaxId,
  maskTaxId,
  normalizeTaxId,
  taxIdKind,
} from '../../../../core/kernel/values/tax-id.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

const ALPHANUMERIC = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']

test('accepts published documents', (t) => {
  for (const { v } of vectors.cpf.valid) t.is(taxIdKind(v), 'CPF', v)
  for (const { v } of vectors.cnpj.valid) t.is(taxIdKind(v), 'CNPJ', v)
})

test('refuses documents with a wrong digit, character or length', (t) => {
  for (const { v, reason } of [...vectors.cpf.invalid, ...vectors.cnpj.invalid]) {
    t.is(taxIdKind(v), null, `${v}: ${reason}`)
    t.false(isTaxId(v))
  }
})

test('normalizing removes punctuation and converts letters to upper case', (t) => {
  for (const { v, digits } of vectors.cpf.formatted) t.is(normalizeTaxId(v), digits)
  t.is(normalizeTaxId(' 12.abc.345/01de-35 '), '12ABC34501DE35')
  t.true(isCnpj(normalizeTaxId(vectors.cnpj.lowerCase.v)))
})

test('checks accept the stored form only', (t) => {
  t.false(isTaxId('529.982.247-25'))
  t.false(isTaxId('12abc34501de35'))
  t.false(isTaxId('52998224725\n'))
  t.false(isTaxId(''))
})

test('refuses one repeated character', (t) => {
  for (const character of ALPHANUMERIC) {
    t.false(isCpf(character.repeat(11)))
    t.false(isCnpj(character.repeat(14)))
  }
})

test('look-alikes of other scripts never become a valid document', (t) => {
  const twins =
    '５２９９８２２４７２５ 5299822472５ ٥٢٩٩٨٢٢٤٧٢٥ 12ABC34501DＥ35 𝟝2998224725 52998224725² 52998224725５'.split(' ')
  for (const twin of twins) t.false(isTaxId(normalizeTaxId(twin)), twin)
  // ı and ſ are I and S in upper case, ß is two letters.
  for (const letter of ['ı', 'ſ', 'ß', 'ŉ']) t.is(normalizeTaxId(letter), letter)
})

test('formats documents with punctuation', (t) => {
  t.is(formatTaxId('12345678909'), '123.456.789-09')
  t.is(formatTaxId('12345678000195'), '12.345.678/0001-95')
  t.is(formatTaxId('12ABC34501DE35'), '12.ABC.345/01DE-35')
  t.is(formatTaxId('AB123'), 'AB123')
})

test('a mask shows the middle, or nothing of another form', (t) => {
  t.is(maskTaxId('12345678909'), '***.456.789-**')
  t.is(maskTaxId('12345678000195'), '**.345.678/0001-**')
  t.is(maskTaxId('12ABC34501DE35'), '**.ABC.345/01DE-**')
  t.is(maskTaxId('AB123'), '*****')
  t.is(maskTaxId(''), '')
})

test('agrees with an independent library on the documents that it generates', (t) => {
  for (let round = 0; round < 200; round += 1) {
    const [cpf, cnpj, letters] = [generateCpf(), generateCnpj(), generateCnpj({ version: 2 })]
    t.is(taxIdKind(cpf), 'CPF', cpf)
    t.is(taxIdKind(cnpj), 'CNPJ', cnpj)
    t.is(taxIdKind(letters), 'CNPJ', letters)
    t.is(formatTaxId(cpf), formatCpf(cpf))
    t.is(formatTaxId(letters), formatCnpj(letters, { version: 2 }))
    t.is(normalizeTaxId(formatTaxId(letters)), letters)
  }
})

test('agrees with an independent library on every pair of check digits', (t) => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
  const characters = fc.array(fc.constantFrom(...ALPHANUMERIC), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(digits(9), characters, fc.integer({ min: 0, max: 99 }), (base, root, from) => {
      for (let step = 0; step < 100; step += 1) {
        const check = String((from + step) % 100).padStart(2, '0')
        t.is(isCpf(base + check), isValidCpf(base + check))
        t.is(isCnpj(root.join('') + check), isValidCnpj(root.join('') + check, { version: 2 }))
      }
    }),
    { numRuns: 30 },
  )
})
