import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { memorySender } from '../../../../adapters/webhooks/memory-sender.ts'
import { isLeft } from '../../../../core/fp.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { entries, newLedgerAccount } from '../../../../core/payments/ledger/ledger.ts'
import { events } from '../../../../core/payments/office.ts'
import { payments } from '../../../../core/payments/payments.ts'
import type { ReceivedPix } from '../../../../core/ports/bank.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { anAccount } from '../access/test-ports.ts'
import { aCharge, aClient, aNotice, NOW } from './billing-fixtures.ts'

const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const FEES = { ...anAccount().taxes, pixInCents: 99 }

const aPix = (over: Partial<ReceivedPix> = {}): ReceivedPix => ({
  endToEndId: 'E01181521202611231305AAAAAAAAAAA',
  txid: null,
  pixKey: KEY,
  valueCents: 5_000,
  paidAt: NOW,
  payer: { name: 'José', document: '11144477735', bank: null, branch: null, account: null },
  ...over,
})

/** An account with a key and a fee, another without; a charge of the first. */
const fixtures = async () => {
  const ports = memoryPorts({ clock: setClock(NOW), webhooks: memorySender() })
  const pay = payments(ports)
  await ports.store.commit([
    insert(accounts, anAccount({ id: 1, uuid: 'u1', codeAccount: 'c1', pixKey: KEY, taxes: FEES })),
    insert(accounts, anAccount({ id: 2, uuid: 'u2', codeAccount: 'c2', pixKey: null })),
    newLedgerAccount(1, 'main', NOW),
    insert(clients, { ...aClient, id: 1, accountId: 1 }),
    insert(charges, aCharge({ id: 1, accountId: 1, clientId: 1, txid: 'T1' })),
  ])
  const lines = async () => {
    const { records } = await ports.store.list(listOf(entries, { where: always, limit: 100 }))
    return records.map(({ accountId, chargeId, typeId, valueCents, txid }) => ({
      accountId,
      chargeId,
      typeId,
      valueCents,
      txid,
    }))
  }
  const told = async () => {
    const { records } = await ports.store.list(listOf(events, { where: always, limit: 100 }))
    return records.map(({ type, data, subjectId }) => ({ type, subjectId, data: JSON.parse(data) }))
  }
  return { pay, lines, told }
}

const codeOf = (outcome: Awaited<ReturnType<ReturnType<ReturnType<typeof payments>['bank']['received']>>>) =>
  isLeft(outcome) ? outcome.left.code : outcome.right

test('money without a charge is credited with its fee to the account of the key and told once', async (t) => {
  const { pay, lines, told } = await fixtures()
  const first = await Promise.all([1, 2, 3].map(() => pay.bank.received(aPix({ txid: 'aberto1' }))()))
  t.deepEqual(
    first
      .map(codeOf)
      .sort((a, b) => Number(Reflect.get(Object(b), 'posted')) - Number(Reflect.get(Object(a), 'posted'))),
    [
      { accountId: 1, posted: true },
      { accountId: 1, posted: false },
      { accountId: 1, posted: false },
    ],
  )
  const line = { accountId: 1, chargeId: null, txid: 'aberto1' }
  t.deepEqual(await lines(), [
    { ...line, typeId: 1, valueCents: 5_000 },
    { ...line, typeId: 3, valueCents: -99 },
  ])
  const data = {
    end_to_end_id: aPix().endToEndId,
    txid: 'aberto1',
    value: 50,
    payer: { name: 'José', document: '11144477735' },
  }
  t.deepEqual(await told(), [{ type: 'pix.received', subjectId: 0, data }])
})

test('what was posted for a charge is not posted again, and the other way round', async (t) => {
  const { pay, lines } = await fixtures()
  const notice = aNotice({ txid: 'T1', valueCents: 5_000 })
  await pay.bank.paid(notice)()
  const { endToEndId } = notice
  t.deepEqual(codeOf(await pay.bank.received(aPix({ endToEndId }))()), { accountId: 1, posted: false })
  t.is(codeOf(await pay.bank.received(aPix({ endToEndId, valueCents: 1 }))()), 'payment.contradictory')
  t.is((await lines()).length, 2)
  await pay.bank.received(aPix())()
  const paid = await pay.bank.paid(aNotice({ txid: 'T1', endToEndId: aPix().endToEndId, valueCents: 5_000 }))()
  t.like(paid, { left: { code: 'payment.elsewhere' } })
  t.is((await lines()).length, 4)
})

test('a fee takes no more than came in, and money of a key that nobody has is refused', async (t) => {
  const { pay, lines, told } = await fixtures()
  t.is(codeOf(await pay.bank.received(aPix({ pixKey: 'outra@example.com' }))()), 'account.unknown')
  for (const wrong of [{ valueCents: 0 }, { endToEndId: '' }, { paidAt: 'ontem' }, { pixKey: ' ' }])
    t.is(codeOf(await pay.bank.received(aPix(wrong))()), 'fields')
  t.deepEqual([await lines(), await told()], [[], []])
  await pay.bank.received(aPix({ valueCents: 1 }))()
  t.deepEqual(
    (await lines()).map(({ valueCents }) => valueCents),
    [1, -1],
  )
})
