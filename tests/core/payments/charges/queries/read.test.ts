import test from 'ava'
import { type Issue, isLeft } from '../../../../../core/failure.ts'
import { insert } from '../../../../../core/kernel/records/record.ts'
import { addDays } from '../../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../../core/payments/accounts/account.ts'
import { type Charge, charges } from '../../../../../core/payments/charges/charge.ts'
import { dueOn } from '../../../../../core/payments/charges/detail.ts'
import { listCharges } from '../../../../../core/payments/charges/queries/list.ts'
import {
  fullChargeView,
  publicChargePayeeView,
  publicPixView,
  readCharge,
  readFullCharge,
  readPublicCharge,
} from '../../../../../core/payments/charges/queries/read.ts'
import { clients } from '../../../../../core/payments/customers/client.ts'
import { newLedgerAccount } from '../../../../../core/payments/ledger/ledger.ts'
import type { Bank } from '../../../../../core/ports/bank.ts'
import { byId } from '../../../../../core/ports/store.ts'
import { onWire } from '../../../kernel/input/reads.ts'
import { twoEmptyAccounts } from '../../money-out/two-accounts.ts'
import { aCharge, aClient, aNotice, anAccount, aTitle, detailOf, TXID } from '../../records.ts'
import { columns, NOW, openPayments, PAYER, right, withPerson } from '../../world.ts'

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

const DUE = '2026-11-28'
const TERMS = {
  valueCents: 10_001,
  dueDate: DUE,
  amountRateHundredths: 300,
  typeRate: 'PERCENTAGE',
  discountHundredths: 150,
  typeDiscount: 'ABSOLUTE',
  daysDiscount: 1,
} as const

test('quotes the amount that an issued charge asks for on each day', async (t) => {
  const { pay, from } = await twoEmptyAccounts()
  for (const paymentMethod of ['PIX', 'BOLETO'] as const) {
    const terms = { ...TERMS, paymentMethod }
    const { charge } = right(await pay.charges.issue(from.member, { ...terms, payer: PAYER })())
    for (const days of [-3, 0, 2, 3, 33]) {
      const day = addDays(DUE, days)
      const [quoted] = right(await pay.simulations.amountDue(from.member, { ...terms, day })())
      t.is(quoted?.dueCents, dueOn(charge, day), `${paymentMethod} ${day}`)
      t.is(quoted?.payableUntil, paymentMethod === 'PIX' ? '2026-11-30' : '2026-12-28')
    }
  }
})

test('quotes each installment of a plan as its charges are issued, and checks the same limits', async (t) => {
  const { pay, from, to } = await twoEmptyAccounts()
  const schedule = { description: 'Três vezes', interval: 1, intervalType: 'months', installmentsCount: 3 } as const
  const { id: paymentPlanId } = right(await pay.plans.create(from.member, schedule)())
  const terms = { ...TERMS, paymentMethod: 'PIX', paymentPlanId } as const
  const quoted = right(await pay.simulations.amountDue(from.member, terms)())
  const issued = right(await pay.charges.issueWithPlan(from.member, { ...terms, payer: PAYER })())
  t.deepEqual(
    columns(quoted, 'valueCents', 'dueDate', 'dueCents'),
    issued.map(({ charge }) => [charge.valueCents, charge.dueDate, dueOn(charge, charge.dueDate)]),
  )
  const wrong = async (sent: object, by = from.member) => {
    const answer = await pay.simulations.amountDue(by, { ...terms, ...sent })()
    return 'left' in answer && 'issues' in answer.left
      ? answer.left.issues.map(({ path, code }: Issue) => `${path} ${code}`)
      : answer
  }
  t.deepEqual(await wrong({}, to.member), ['paymentPlanId unknown'])
  t.deepEqual(await wrong({ valueCents: 2, discountHundredths: 0 }), ['valueCents money.min'])
  t.deepEqual(await wrong({ dueDate: '2026-11-22', daysDiscount: 0 }), ['dueDate day.past'])
})
