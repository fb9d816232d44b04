import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import fc from 'fast-check'
import { hasError, isStaticPix, parsePix } from 'pix-utils'
import { ascii } from '../../../../core/kernel/values/text.ts'
import {
  crc16,
  isStaticTxid,
  MAX_PIX_CENTS,
  readPixCode,
  staticPixCode,
} from '../../../../core/payments/pix/br-code.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

const EVP = '123e4567-e12b-12d1-a456-426655440000'
const receiver = { key: EVP, merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }

for (const { input, crc } of vectors.crc16) test(`crc16 of ${input} is ${crc}`, (t) => t.is(crc16(input), crc))

const published = [
  {
    name: 'without amount',
    from: receiver,
    code: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  },
  {
    name: 'with amount, txid and info',
    from: {
      key: '+5561912345678',
      merchantName: 'Padaria São João',
      merchantCity: 'São Paulo',
      amountCents: 1050,
      txid: 'PED123',
      info: 'Café',
    },
    code: '00020126440014br.gov.bcb.pix0114+55619123456780204Cafe520400005303986540510.505802BR5916Padaria Sao Joao6009Sao Paulo62100506PED1236304B712',
  },
  {
    name: 'with an alphanumeric CNPJ and a name to cut',
    from: {
      key: '12ABC34501DE35',
      merchantName: 'Empresa Alfanumérica Ltda e Filhos',
      merchantCity: 'CURITIBA',
      amountCents: 123456,
      txid: 'NF000123',
    },
    code: '00020126360014br.gov.bcb.pix011412ABC34501DE3552040000530398654071234.565802BR5925Empresa Alfanumerica Ltda6008CURITIBA62120508NF000123630484F1',
  },
]
for (const { name, from, code } of published)
  test(`makes the published code ${name}`, (t) => t.is(staticPixCode(from), code))

for (const txid of vectors.txid.static.valid)
  test(`takes the txid ${txid}`, (t) => t.notThrows(() => staticPixCode({ ...receiver, txid })))
for (const txid of vectors.txid.static.invalid)
  test(`throws on the txid "${txid}"`, (t) => {
    t.false(isStaticTxid(txid))
    t.throws(() => staticPixCode({ ...receiver, txid }), { instanceOf: RangeError })
  })

for (const amountCents of [0, -1, 0.5, Number.NaN, MAX_PIX_CENTS + 1])
  test(`throws on ${amountCents} cents`, (t) => {
    t.throws(() => staticPixCode({ ...receiver, amountCents }), { instanceOf: RangeError })
  })
for (const key of ['', 'a'.repeat(78), 'joão@example.com', 'a b'])
  test(`throws on the key "${key}"`, (t) => {
    t.throws(() => staticPixCode({ ...receiver, key }), { instanceOf: RangeError })
  })

test('writes amounts with two decimals up to the largest', (t) => {
  t.regex(staticPixCode({ ...receiver, amountCents: 1 }), /54040\.015802BR/)
  t.regex(staticPixCode({ ...receiver, amountCents: 10_000 }), /5406100\.005802BR/)
  t.regex(staticPixCode({ ...receiver, amountCents: MAX_PIX_CENTS }), /54139999999999\.995802BR/)
})

test('info fills what the key leaves of the template, and is left out when nothing is left', (t) => {
  const info = 'x'.repeat(100)
  t.regex(staticPixCode({ ...receiver, info }), /^00020126990014br\.gov\.bcb\.pix0136.{36}0237x{37}52/)
  t.regex(staticPixCode({ ...receiver, key: '12345678909', info }), /^000201269900.{16}0111123456789090262x{62}52/)
  t.regex(staticPixCode({ ...receiver, key: 'k', info }), /^000201269900.{16}0101k0272x{72}52/)
  t.regex(staticPixCode({ ...receiver, key: `${'a'.repeat(75)}@b`, info }), /^000201269900.{16}0177a{75}@b52/)
  t.regex(staticPixCode({ ...receiver, key: 'a'.repeat(73), info }), /^000201269500.{16}0173a{73}52/)
})

test('a name of which nothing is left in ASCII still makes a readable code', (t) => {
  const code = staticPixCode({ ...receiver, merchantName: '李小龍', merchantCity: '' })
  t.like(readPixCode(code), { right: { merchantName: 'NAO INFORMADO', merchantCity: 'NAO INFORMADO' } })
})

const keys = fc.oneof(
  fc.uuid(),
  fc.constantFrom('12345678909', '12ABC34501DE35', '+5561912345678', 'fulano_da_silva.recebedor@example.com'),
)
const txids = fc.stringMatching(/^[a-zA-Z0-9]{1,25}$/)
const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ maxLength: 60 }))
const made = fc.record(
  {
    key: keys,
    merchantName: texts,
    merchantCity: texts,
    amountCents: fc.integer({ min: 1, max: MAX_PIX_CENTS }),
    txid: txids,
    info: texts,
  },
  { requiredKeys: ['key', 'merchantName', 'merchantCity'] },
)

test('what is made is read back equal here and by two other libraries', (t) => {
  fc.assert(
    fc.property(made, (from) => {
      const code = staticPixCode(from)
      const merchantName = ascii(from.merchantName, 25) || 'NAO INFORMADO'
      const merchantCity = ascii(from.merchantCity, 15) || 'NAO INFORMADO'
      const info = ascii(from.info ?? '', Math.min(72, 73 - from.key.length)) || null
      const { key, amountCents, txid } = from
      t.deepEqual(readPixCode(code), {
        _tag: 'Right',
        right: {
          kind: 'static',
          key,
          txid: txid ?? null,
          amountCents: amountCents ?? null,
          merchantName,
          merchantCity,
          url: null,
          recurrenceUrl: null,
          info,
        },
      })
      const other = parsePix(code)
      if (hasError(other) || !isStaticPix(other)) return t.fail(code)
      t.is(other.pixKey, key)
      t.is(other.merchantName, merchantName)
      t.is(other.merchantCity, merchantCity)
      t.is(Math.round((other.transactionAmount ?? 0) * 100), amountCents ?? 0)
      t.is(other.txid, txid ?? '***')
      t.is(other.infoAdicional || null, info)
      const third = getPixPayloadInfo(code)
      t.is(third?.key, key)
      t.is(third?.merchantName, merchantName)
      t.is(Math.round((third?.amount ?? 0) * 100), amountCents ?? 0)
    }),
  )
})
