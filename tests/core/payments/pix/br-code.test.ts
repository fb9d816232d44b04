import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import fc from 'fast-check'
import { hasError, isStaticPix, parsePix } from 'pix-utils'
import { isLeft } from '../../../../core/failure.ts'
import { ascii } from '../../../../core/kernel/values/text.ts'
import {
  crc16,
  isStaticTxid,
  MAX_PIX_CENTS,
  readPixCode,
  staticPixCode,
} from '../../../../core/payments/pix/br-code.ts'
import { anyText } from '../../../any-text.ts'
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

test('cuts info to the room after the key, and omits it without room', (t) => {
  const info = 'x'.repeat(100)
  t.regex(staticPixCode({ ...receiver, info }), /^00020126990014br\.gov\.bcb\.pix0136.{36}0237x{37}52/)
  t.regex(staticPixCode({ ...receiver, key: '12345678909', info }), /^000201269900.{16}0111123456789090262x{62}52/)
  t.regex(staticPixCode({ ...receiver, key: 'k', info }), /^000201269900.{16}0101k0272x{72}52/)
  t.regex(staticPixCode({ ...receiver, key: `${'a'.repeat(75)}@b`, info }), /^000201269900.{16}0177a{75}@b52/)
  t.regex(staticPixCode({ ...receiver, key: 'a'.repeat(73), info }), /^000201269500.{16}0173a{73}52/)
})

test('writes a placeholder for a name that is empty in ASCII', (t) => {
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

test('is read back equal here and by two other libraries', (t) => {
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

const cents = (amount: string | null | undefined) => (amount ? Number(amount.replace('.', '')) : null)

for (const { code, source, kind, key, txid, amount, info, url, urlRec, fields } of vectors.brcode.valid)
  test(`reads ${code} (${source})`, (t) =>
    t.deepEqual(readPixCode(code), {
      _tag: 'Right',
      right: {
        kind: kind.includes('recurrence') ? 'recurrence' : kind.includes('dynamic') ? 'dynamic' : 'static',
        key: key ?? null,
        txid: txid ?? null,
        amountCents: cents(amount),
        merchantName: fields['59'],
        merchantCity: fields['60'],
        url: url ?? null,
        recurrenceUrl: urlRec ?? null,
        info: info ?? null,
      },
    }))

for (const { code, reason, refusedBecause } of vectors.brcode.invalid)
  test(`refuses ${code}: ${reason}`, (t) => t.deepEqual(readPixCode(code), { _tag: 'Left', left: refusedBecause }))

const sign = (body: string) => `${body}6304${crc16(`${body}6304`)}`
const object = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`
const GUI = object('00', 'br.gov.bcb.pix')
const KEY = object('01', '123e4567-e12b-12d1-a456-426655440000')
const LOCATION = object('25', 'pix.example.com/1')
const ACCOUNT = object('26', GUI + KEY)
const TAIL = '5802BR5913Fulano de Tal6008BRASILIA62070503***'
const body = (account: string, tail = TAIL) => `000201${account}520400005303986${tail}`
const withAmount = (amount: string, account = ACCOUNT) => sign(body(account, object('54', amount) + TAIL))
const instead = (from: string, to: string) => sign(body(ACCOUNT).replace(from, to))

const refused = [
  ['an empty text', '', 'crc'],
  ['no CRC', body(ACCOUNT), 'crc'],
  ['a CRC that is only a header', `${body(ACCOUNT)}6304`, 'crc'],
  ['something after the CRC', `${sign(body(ACCOUNT))} `, 'crc'],
  ['a CRC inside another object', sign(`${body(ACCOUNT)}6410xx`), 'tlv'],
  ['a length that is no number', instead('5204', '52 4'), 'tlv'],
  ['a length of zero', instead('6008BRASILIA', '6000'), 'tlv'],
  ['an overrun inside 26', sign(body(object('26', GUI + KEY.replace('0136', '0137')))), 'tlv'],
  ['an overrun inside 62', instead('62070503***', '62070504***'), 'tlv'],
  ['an overrun inside 80', sign(body(ACCOUNT, TAIL + object('80', '0099'))), 'tlv'],
  ['a repeated id inside 26', sign(body(object('26', GUI + GUI + KEY))), 'tlv'],
  ['a repeated root id', sign(body(ACCOUNT, `${TAIL}5802BR`)), 'tlv'],
  ['another payload format', instead('000201', '000202'), '00'],
  ['00 not first', sign(`${body(ACCOUNT).slice(6)}000201`), '00'],
  ['no account', sign(body('')), 'gui'],
  ['two Pix accounts', sign(body(ACCOUNT + object('27', GUI + KEY))), 'gui'],
  ['neither key nor URL', sign(body(object('26', GUI))), '26'],
  ['key and URL', sign(body(object('26', GUI + KEY + LOCATION))), '26'],
  ['URL and withdrawal', sign(body(object('26', GUI + object('03', '12345678') + LOCATION))), '26'],
  ['a withdrawal of no ISPB', sign(body(object('26', GUI + KEY + object('03', '123456789')))), '26-03'],
  ['no category', instead('52040000', ''), '52'],
  ['a category of letters', instead('52040000', '5204000A'), '52'],
  ['a category of three digits', instead('52040000', '5203000'), '52'],
  ['a template of another arrangement that overruns', sign(body(ACCOUNT + object('51', '0099'))), 'tlv'],
  ['another currency', instead('5303986', '5303840'), '53'],
  ['no currency', instead('5303986', ''), '53'],
  ['an amount of 0', withAmount('0'), '54'],
  ['an amount of 0.00', withAmount('0.00'), '54'],
  ['an amount with three decimals', withAmount('1.000'), '54'],
  ['an amount of two points', withAmount('1.0.0'), '54'],
  ['an amount with a comma', withAmount('1,00'), '54'],
  ['an amount of eleven digits', withAmount('10000000000'), '54'],
  ['a negative amount', withAmount('-1.00'), '54'],
  ['another country', instead('5802BR', '5802US'), '58'],
  ['a name over 25', instead('5913Fulano de Tal', object('59', 'n'.repeat(26))), '59'],
  ['no city', instead('6008BRASILIA', ''), '60'],
  ['a city over 15', instead('6008BRASILIA', object('60', 'c'.repeat(16))), '60'],
  ['no additional data', instead('62070503***', ''), '62-05'],
  ['additional data without txid', instead('62070503***', '62070103***'), '62-05'],
  ['a txid with a hyphen', instead('62070503***', '62190515RP12345678-2019'), '62-05'],
] as const
for (const [name, code, reason] of refused)
  test(`refuses ${name}`, (t) => t.deepEqual(readPixCode(code), { _tag: 'Left', left: reason }))

const signed = sign(body(ACCOUNT))
const accepted = [
  ['a CRC in lower case', signed.slice(0, -4) + signed.slice(-4).toLowerCase(), { kind: 'static' }],
  ['the GUI in upper case', sign(body(ACCOUNT.replace('br.gov', 'BR.GOV'))), { kind: 'static' }],
  [
    'Pix beside another arrangement',
    sign(body(object('26', '0008other.br') + object('27', GUI + KEY))),
    { kind: 'static' },
  ],
  ['an amount without decimals', withAmount('10'), { amountCents: 1000 }],
  ['an amount with one decimal', withAmount('10.5'), { amountCents: 1050 }],
  ['the largest amount', withAmount('9999999999.99'), { amountCents: 999_999_999_999 }],
  [
    'an amount of 0 on a withdrawal',
    withAmount('0', object('26', GUI + KEY + object('03', '12345678'))),
    { amountCents: 0 },
  ],
  ['an amount of 0 on a dynamic code', withAmount('0.00', object('26', GUI + LOCATION)), { kind: 'dynamic' }],
  [
    'a recurrence beside a key',
    sign(body(ACCOUNT, TAIL + object('80', GUI + LOCATION))),
    { kind: 'static', recurrenceUrl: 'pix.example.com/1' },
  ],
  ['a txid', instead('62070503***', '62100506PED123'), { txid: 'PED123' }],
] as const
for (const [name, code, right] of accepted)
  test(`reads ${name}`, (t) => t.like(readPixCode(code), { _tag: 'Right', right }))

test('rejects any changed character', (t) => {
  const codes = fc.constantFrom(...vectors.brcode.valid.map(({ code }) => code))
  fc.assert(
    fc.property(codes, fc.nat(), fc.stringMatching(/^[ -~]$/), (code, place, character) => {
      const at = place % code.length
      const changed = code.slice(0, at) + character + code.slice(at + 1)
      // Only the CRC ignores case.
      fc.pre(changed.slice(0, -4) + changed.slice(-4).toUpperCase() !== code)
      t.true(isLeft(readPixCode(changed)))
    }),
  )
})

test('throws for no text', (t) => {
  const texts = fc.oneof(anyText({ maxLength: 120 }), fc.stringMatching(/^([0-9]{2}0[0-9][0-9]{0,9}){0,9}$/))
  fc.assert(
    fc.property(texts, (text) => {
      t.notThrows(() => readPixCode(text))
      t.notThrows(() => readPixCode(sign(text)))
    }),
  )
})
