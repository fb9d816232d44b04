import test from 'ava'
import { isStaticTxid } from '../../../../core/payments/pix/br-code.ts'
import { endToEndId, isEndToEndId, openTxidOf, uuidOfOpenTxid } from '../../../../core/payments/pix/pix-id.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

for (const { id, ispb, utc } of vectors.endToEndId.valid)
  test(`${id} is one, and is made from its parts`, (t) => {
    t.true(isEndToEndId(id))
    t.is(endToEndId({ ispb, instant: utc, random: id.slice(-11) }), id)
  })

for (const { id, reason } of vectors.endToEndId.invalid)
  test(`${id} is none: ${reason}`, (t) => t.false(isEndToEndId(id)))

test('rejects the ids of returns', (t) => {
  for (const id of vectors.endToEndId.returnId.valid) t.false(isEndToEndId(id))
})

const parts = { ispb: '01181521', instant: '2026-11-21T13:05:09.123Z', random: 'abcDEF01234' }

test('takes the UTC minute of the instant', (t) => t.is(endToEndId(parts), 'E01181521202611211305abcDEF01234'))

test('takes an ISPB with letters', (t) => t.true(isEndToEndId(endToEndId({ ...parts, ispb: '12ABC345' }))))

for (const wrong of [
  { ispb: '1181521' },
  { random: 'abcDEF0123-' },
  { instant: '' },
  { ispb: '011815212', random: '0123456789' },
])
  test(`throws on ${JSON.stringify(wrong)}`, (t) => {
    t.throws(() => endToEndId({ ...parts, ...wrong }), { instanceOf: RangeError })
  })

const UUIDS = [
  ['7d9f0335-8dcc-4054-9bf9-0dbd61d36906', openTxidOf('7d9f0335-8dcc-4054-9bf9-0dbd61d36906')],
  ['00000000-0000-0000-0000-000000000000', '0000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000024', '0000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'F5LXX1ZZ5PNORYNQGLHZMSP33'],
] as const

test('converts between the uuid of an account and the txid of its open code', (t) => {
  for (const [uuid, txid] of UUIDS) {
    t.is(openTxidOf(uuid), txid)
    t.true(isStaticTxid(txid))
    t.is(uuidOfOpenTxid(txid), uuid)
  }
})

test('returns null for other txids', (t) => {
  const wrong = ['', 'T1', 'F5LXX1ZZ5PNORYNQGLHZMSP34', 'f5lxx1zz5pnorynqglhzmsp33', '0'.repeat(24), '0'.repeat(26)]
  for (const txid of wrong) t.is(uuidOfOpenTxid(txid), null, txid)
})
