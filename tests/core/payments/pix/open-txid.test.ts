import test from 'ava'
import { isStaticTxid } from '../../../../core/payments/pix/br-code.ts'
import { openTxidOf, uuidOfOpenTxid } from '../../../../core/payments/pix/pix-id.ts'

const UUIDS = [
  ['00000000-0000-0000-0000-000000000000', '0000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000024', '0000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'F5LXX1ZZ5PNORYNQGLHZMSP33'],
] as const

test('the txid of an open code is the uuid of its account, and back', (t) => {
  for (const [uuid, txid] of [
    ...UUIDS,
    ...['7d9f0335-8dcc-4054-9bf9-0dbd61d36906'].map((each) => [each, openTxidOf(each)] as const),
  ]) {
    t.is(openTxidOf(uuid), txid)
    t.true(isStaticTxid(txid))
    t.is(uuidOfOpenTxid(txid), uuid)
  }
})

test('what can be no open code is none', (t) => {
  const wrong = ['', 'T1', 'F5LXX1ZZ5PNORYNQGLHZMSP34', 'f5lxx1zz5pnorynqglhzmsp33', '0'.repeat(24), '0'.repeat(26)]
  for (const txid of wrong) t.is(uuidOfOpenTxid(txid), null, txid)
})
