import test from 'ava'
import { readPixKey } from '../../../../core/payments/pix/pix-key.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

for (const { key, type } of vectors.pixKeys.valid)
  test(`${key} is a ${type} key as it stands`, (t) => t.deepEqual(readPixKey(key) as unknown, { type, key }))

for (const { key, reason } of vectors.pixKeys.invalid)
  test(`${key} is no key as it stands: ${reason}`, (t) => t.not(readPixKey(key)?.key, key))

for (const { input } of vectors.pixKeys.ambiguous)
  test(`${input} is read as a CPF`, (t) => t.deepEqual(readPixKey(input), { type: 'CPF', key: input }))

const typed = [
  ['123.456.789-09', 'CPF', '12345678909'],
  [' 12345678909 ', 'CPF', '12345678909'],
  ['00.038.166/0001-05', 'CNPJ', '00038166000105'],
  ['12.abc.345/01de-35', 'CNPJ', '12ABC34501DE35'],
  ['(61) 91234-5678', 'PHONE', '+5561912345678'],
  ['+55 (61) 91234-5678', 'PHONE', '+5561912345678'],
  ['(+55) 61 91234.5678', 'PHONE', '+5561912345678'],
  ['+5511912345684', 'PHONE', '+5511912345684'],
  ['+1 202-555-0100', 'PHONE', '+12025550100'],
  ['Fulano@Example.COM ', 'EMAIL', 'fulano@example.com'],
  [`${'a'.repeat(65)}@example.com`, 'EMAIL', `${'a'.repeat(65)}@example.com`],
  ['123E4567-E12B-12D1-A456-426655440000', 'EVP', '123e4567-e12b-12d1-a456-426655440000'],
] as const
for (const [text, type, key] of typed)
  test(`"${text}" is the ${type} key ${key}`, (t) => t.deepEqual(readPixKey(text), { type, key }))

const refused = [
  ['nothing', ''],
  ['blanks', '   '],
  ['a CPF with wrong check digits', '123.456.789-08'],
  ['a CNPJ with wrong check digits', '00038166000106'],
  ['equal digits', '11111111111'],
  ['a phone number without + or parentheses', '61912345678'],
  ['a landline', '(61) 3123-4567'],
  ['a mobile number without its area', '+55912345678'],
  ['an area code with a zero', '+5510998765432'],
  ['a plus in the middle', '61+912345678'],
  ['letters in a phone number', '+55 61 9ABCD-5678'],
  ['an e-mail over 77', `${'a'.repeat(66)}@example.com`],
  ['an e-mail without a name', '@example.com'],
  ['an e-mail with an accent', 'joão@example.com'],
  ['two at signs', 'a@b@example.com'],
  ['a UUID without hyphens', '123e4567e12b12d1a456426655440000'],
  ['a CPF among other marks', '123_456_789_09'],
  ['a word', 'chave'],
] as const
for (const [name, text] of refused) test(`${name} is no key`, (t) => t.is(readPixKey(text), null))
