import test from 'ava'
import { insert } from '../../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../../core/payments/accounts/account.ts'
import { type Charge, charges } from '../../../../../core/payments/charges/charge.ts'
import { listCharges } from '../../../../../core/payments/charges/queries/list.ts'
import { readCharge } from '../../../../../core/payments/charges/queries/read.ts'
import { clients } from '../../../../../core/payments/customers/client.ts'
import { newLedgerAccount } from '../../../../../core/payments/ledger/ledger.ts'
import type { Bank } from '../../../../../core/ports/bank.ts'
import { byId } from '../../../../../core/ports/store.ts'
import { aCharge, aClient, aNotice, anAccount, aTitle } from '../../records.ts'
import { NOW, openPayments, right } from '../../world.ts'

const actor = { userId: 5, accountId: 1, roleId: 1, permissions: [] }

/** A bank that answers for every title, and counts concurrent requests. */
const askedBank = (findTitle: Bank['findTitle']) => {
  const asked: string[] = []
  let now = 0
  let most = 0
  return {
    asked,
    most: () => most,
    findTitle: async (txid: string) => {
      asked.push(txid)
      now += 1
      most = Math.max(most, now)
      await new Promise((done) => setImmediate(done))
      now -= 1
      return findTitle(txid)
    },
  }
}

const withCharges = async (overs: readonly Partial<Charge>[], findTitle: Bank['findTitle']) => {
  const bank = askedBank(findTitle)
  const { ports } = openPayments({ instead: (own) => ({ bank: { ...own.bank, findTitle: bank.findTitle } }) })
  const records = overs.map((over, index) =>
    aCharge({ id: index + 1, code: `code${index}`, txid: `T${index}`, search: '12345678909', ...over }),
  )
  await ports.store.commit([
    insert(accounts, anAccount()),
    newLedgerAccount(1, 'main', NOW),
    insert(clients, aClient),
    ...records.map((record) => insert(charges, record)),
  ])
  const search = async (text: string) =>
    right(await listCharges(ports)(actor, { search: text })()).records.map(({ charge }) => charge.status)
  return { bank, search }
}

test('reads every open title of a document from the bank, eight at once', async (t) => {
  const open = Array.from({ length: 20 }, () => ({}))
  const closed: Partial<Charge>[] = [
    { status: 'paid' },
    { status: 'expired' },
    { operationId: 'T', pix: null },
    { search: 'outro' },
  ]
  const { bank, search } = await withCharges([...open, ...closed], async (txid) => ({
    outcome: 'done',
    value: aTitle({ txid }),
  }))
  await search('maria')
  await search('1234567890')
  t.deepEqual(bank.asked, [])
  await search('123.456.789-09')
  t.deepEqual(bank.asked.sort(), open.map((_, index) => `T${index}`).sort())
  t.is(bank.most(), 8)
})

test('changes nothing for titles that the bank does not know or does not answer', async (t) => {
  const answers = [
    { outcome: 'done', value: null },
    { outcome: 'unavailable' },
    { outcome: 'unknown' },
    { outcome: 'refused', reason: '' },
  ] as const
  for (const answer of answers) {
    const { search } = await withCharges([{}], async () => answer)
    t.deepEqual(await search('12345678909'), ['pending'])
  }
})

test('pays the charge of a title that is both paid and cancelled', async (t) => {
  const { search } = await withCharges([{}], async (txid) => ({
    outcome: 'done',
    value: aTitle({ txid, cancelled: true, payments: [aNotice({ txid })] }),
  }))
  t.deepEqual(await search('12345678909'), ['paid'])
})

test('reads a charge past its last day as expired before the job has moved it', async (t) => {
  const { ports, clock } = openPayments()
  await ports.store.commit([insert(clients, aClient), insert(charges, aCharge())])
  clock.advance(400 * 86_400)
  t.is(right(await readCharge(ports)(actor, `${aCharge().id}`)()).charge.status, 'expired')
  t.is((await ports.store.find(byId(charges, aCharge().id)))?.status, 'pending')
})
