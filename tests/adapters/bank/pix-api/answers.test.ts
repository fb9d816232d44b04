import test from 'ava'
import { centsIn, instantIn, pixIn } from '../../../../adapters/bank/pix-api/answers.ts'

const unread = (value: unknown) => [value, null] as const

const amounts: readonly (readonly [value: unknown, cents: number | null])[] = [
  ['100.00', 10_000],
  ['100.0', 10_000],
  ['100.', 10_000],
  ['100', 10_000],
  [100, 10_000],
  [0.1, 10],
  [19.99, 1_999],
  [9_999_999_999.99, 999_999_999_999],
  ['0.07', 7],
  ...['', '-1', '1.005', '1,00', '1e2', 'cem', '12345678901', '٣', 1.005, -1, 1e21, Number.NaN, null, true, [100]].map(
    unread,
  ),
]
test('reads an amount with two, one or no decimals, as a text or a number', (t) => {
  for (const [value, cents] of amounts) t.is(centsIn(value), cents, `${value}`)
})

const times: readonly (readonly [value: unknown, instant: string | null])[] = [
  ['2026-11-23T10:05:09-03:00', '2026-11-23T13:05:09.000Z'],
  ['2026-11-23T18:50:09.5+05:45', '2026-11-23T13:05:09.500Z'],
  ['2026-11-23t13:05:09.123456789z', '2026-11-23T13:05:09.123Z'],
  ['2026-11-23 13:05:09Z', '2026-11-23T13:05:09.000Z'],
  ['2026-11-23T13:05:09-00:00', '2026-11-23T13:05:09.000Z'],
  ['2026-12-31T23:59:60Z', '2026-12-31T23:59:59.999Z'],
  ['2026-12-31T20:59:60.25-03:00', '2026-12-31T23:59:59.999Z'],
  ...['2026-11-23T13:05:09', '2026-11-23T24:00:00Z', '2026-11-23T13:05:61Z', '2026-11-23T13:05:09+24:00'].map(unread),
  ...['2026-02-30T13:05:09Z', '2026-11-23', 'ontem', 1_795_000_000, null].map(unread),
]
test('reads a time of RFC 3339 with any offset and fraction, and a leap second', (t) => {
  for (const [value, instant] of times) t.is(instantIn(value), instant, `${value}`)
})

test('ignores an invalid txid or key of a Pix, so that the Pix is still credited', (t) => {
  const pix = { endToEndId: 'E0118152120261123130500000000001', valor: 1, horario: '2026-11-23T13:05:09Z' }
  for (const value of ['', ' ', 'com espaço', 7, null])
    t.like(pixIn({ ...pix, txid: value, chave: value }), { valueCents: 100, txid: null, pixKey: null }, `${value}`)
})
