import { getBankByCode, getBanks } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import { bankByCode, bankById, bankByIspb, banks } from '../../../core/payments/banks.ts'
import vectors from '../../fixtures/vectors.json' with { type: 'json' }
import { column } from './world.ts'

for (const { ispb, compe, name, fullName } of vectors.banks)
  test(`${compe} and ${ispb} are ${name}`, (t) => {
    t.like(bankByCode(compe), { ispb, code: compe, name, fullName })
    t.is(bankByIspb(ispb), bankByCode(compe))
  })

test('numbers banks from 1, with constant first and last ids', (t) => {
  t.deepEqual(
    column(banks, 'id'),
    banks.map((_, place) => place + 1),
  )
  t.like(bankById(1), { id: 1, code: '001' })
  t.like(bankById(469), { id: 469 })
  t.is(bankById(bankByCode('748')?.id ?? 0), bankByCode('748'))
  for (const id of [0, -1, 1.5, banks.length + 1, Number.NaN]) t.is(bankById(id), null)
})

test('gives every bank a unique ISPB and a code of three digits or none', (t) => {
  t.is(banks.length, 469)
  t.is(new Set(banks.map(({ ispb }) => ispb)).size, banks.length)
  const codes = banks.flatMap(({ code }) => code ?? [])
  t.is(new Set(codes).size, codes.length)
  t.is(banks.length - codes.length, 11)
  for (const { ispb, code, name, fullName } of banks) {
    t.regex(ispb, /^[0-9A-Z]{8}$/)
    t.regex(code ?? '000', /^[0-9]{3}$/)
    t.true(name.length > 0 && fullName.length > 0)
  }
})

test('finds banks without leading zeros, and nothing for other texts', (t) => {
  t.is(bankByCode('1'), bankByCode('001'))
  t.is(bankByIspb('1181521'), bankByIspb('01181521'))
  for (const text of ['', ' ', '0748', 'abc', '-1', '999', 'null']) t.is(bankByCode(text), null)
  for (const text of ['', ' ', '0118152100', 'abcdefgh', '99999999']) t.is(bankByIspb(text), null)
})

test('agrees with another list on the ISPB of most codes', (t) => {
  const both = banks.filter(({ code }) => code !== null && getBankByCode(code) !== null)
  const same = both.filter(({ code, ispb }) => code !== null && getBankByCode(code)?.ispb === ispb)
  t.true(both.length > getBanks().length * 0.9)
  t.is(same.length, both.length)
})
