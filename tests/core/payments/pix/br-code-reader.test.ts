import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../core/fp.ts'
import { crc16, readPixCode } from '../../../../core/payments/pix/br-code.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

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
  ['another currency', instead('5303986', '5303840'), '53'],
  ['no currency', instead('5303986', ''), '53'],
  ['an amount of 0', withAmount('0'), '54'],
  ['an amount of 0.00', withAmount('0.00'), '54'],
  ['an amount with three decimals', withAmount('1.000'), '54'],
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

test('any one changed character is refused', (t) => {
  const codes = fc.constantFrom(...vectors.brcode.valid.map(({ code }) => code))
  fc.assert(
    fc.property(codes, fc.nat(), fc.stringMatching(/^[ -~]$/), (code, place, character) => {
      const at = place % code.length
      const changed = code.slice(0, at) + character + code.slice(at + 1)
      // Only the CRC is read without case.
      fc.pre(changed.slice(0, -4) + changed.slice(-4).toUpperCase() !== code)
      t.true(isLeft(readPixCode(changed)))
    }),
  )
})

test('no text makes the reader throw', (t) => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.stringMatching(/^([0-9]{2}0[0-9][0-9]{0,9}){0,9}$/),
  )
  fc.assert(
    fc.property(texts, (text) => {
      t.notThrows(() => readPixCode(text))
      t.notThrows(() => readPixCode(sign(text)))
    }),
  )
})
