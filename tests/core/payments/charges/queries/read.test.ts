import test from 'ava'
import { isLeft } from '../../../../../core/failure.ts'
import { insert } from '../../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../../core/payments/charges/charge.ts'
import {
  fullChargeView,
  publicChargePayeeView,
  publicPixView,
  readCharge,
  readFullCharge,
  readPublicCharge,
} from '../../../../../core/payments/charges/queries/read.ts'
import { clients } from '../../../../../core/payments/customers/client.ts'
import { onWire } from '../../../kernel/input/reads.ts'
import { aCharge, aClient, anAccount, detailOf, TXID } from '../../records.ts'
import { openPayments, right, withPerson } from '../../world.ts'

const read = async () => {
  const { ports } = openPayments()
  await ports.store.commit([insert(accounts, anAccount()), insert(clients, aClient), insert(charges, aCharge())])
  return readPublicCharge(ports)
}

test('returns charge.unknown for an unknown code and txid', async (t) => {
  const find = await read()
  for (const by of [{ code: 'x' }, { txid: 'x'.repeat(200) }])
    t.like(await find(by)(), { left: { code: 'charge.unknown' } })
})

test('shows the Pix and the payee to the payer, and no image without a Pix', async (t) => {
  const find = await read()
  const found = await find({ txid: TXID })()
  if (isLeft(found)) return t.fail(found.left.code)
  const shown = onWire(publicChargePayeeView, found.right)
  t.deepEqual(Object.keys(shown).slice(-5), ['boleto', 'created_by', 'created_at', 'pix', 'account'])
  t.deepEqual(Object.keys(shown.pix), ['txid', 'qrcode', 'status', 'image'])
  t.deepEqual(Object.keys(shown.account), ['name', 'email', 'document', 'path_logo'])
  t.deepEqual(Object.keys(onWire(publicPixView, found.right)), [
    'txid',
    'qrcode',
    'image',
    'status',
    'value',
    'account',
  ])
  const waiting = { ...found.right, charge: aCharge({ pix: null }), qrPng: null }
  t.is(onWire(publicChargePayeeView, waiting).pix, null)
  t.like(onWire(publicPixView, waiting), { txid: TXID, qrcode: null, image: null, status: 'pending', value: 150.5 })
})

test('shows the issuer by name and id in the details of a charge', (t) => {
  const shown = onWire(fullChargeView, { ...detailOf(), createdBy: { id: 5, name: 'Ana' }, refunds: [] })
  t.deepEqual(Object.keys(shown).slice(-5), ['created_by', 'created_at', 'tag', 'createdBy', 'refunds'])
  t.like(shown, { created_by: 5, tag: null, createdBy: { id: 5, name: 'Ana' } })
  t.is(onWire(fullChargeView, { ...detailOf(), createdBy: null, refunds: [] }).createdBy, null)
})

test('reads a charge with its client and issuer in two reads, and the issuer of a listed charge in one more', async (t) => {
  const { ports, reads, signedIn } = await withPerson()
  const { id, name } = signedIn.user
  await ports.store.commit([insert(clients, aClient), insert(charges, aCharge({ createdBy: id }))])
  const before = reads()
  const detail = right(await readCharge(ports)({ accountId: 1 }, '7')())
  const full = right(await readFullCharge(ports)(detail)())
  t.is(reads() - before, 2)
  t.like(full, { client: aClient, createdBy: { id, name }, refunds: [] })
  const { createdBy: _, ...listed } = detail
  t.deepEqual(right(await readFullCharge(ports)(listed)()), full)
  t.is(reads() - before, 3)
  t.like(await readCharge(ports)({ accountId: 2 }, '7')(), { left: { code: 'charge.unknown' } })
})
