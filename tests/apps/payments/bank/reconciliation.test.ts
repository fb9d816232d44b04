// Also runs on MongoDB, in test:long.
import test, { type ExecutionContext } from 'ava'
import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import { payments as paidIn, payOuts, refunds as wentBack } from '../../../../adapters/bank/fake/books.ts'
import { differenceLine } from '../../../../apps/audit/findings.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { isLeft } from '../../../../core/failure.ts'
import { always, type Change, insert, patch, remove } from '../../../../core/kernel/records/record.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { entries, journals, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { reconcile } from '../../../../core/payments/reconciliation/reconcile.ts'
import { type Difference, listedMovements, reconciliations } from '../../../../core/payments/reconciliation/records.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import type { Bank } from '../../../../core/ports/bank.ts'
import { aBook } from '../../../core/payments/records.ts'
import { openMerchant, PIN, pluck } from '../test-api.ts'
import { BANK } from '../withdrawals/withdrawing.ts'

const DAY = '2026-11-23'
const AN_E2E = 'E0118152120261123130500000000001'

/** Opens a merchant with a paid Pix, boleto, two bolepix and open code, and a refund, on one day. */
const opened = async (t: ExecutionContext, over: (bank: Bank) => Partial<Bank> = () => ({})) => {
  let bank: Bank | null = null
  const instead = (host: Host) => {
    const plain = fakeBank(host)
    bank = { ...plain, ...over(plain) }
    return { bank }
  }
  const { api, merchant } = await openMerchant(t, { instead })
  await api.setStatus(merchant, 'ACTIVE')
  const pix = await api.paid(merchant, { value: 100 })
  await api.paid(merchant, { value: 50, payment_method: 'BOLETO' })
  for (const method of ['pix', 'boleto']) {
    const { boleto: title } = await api.charge(merchant, { value: 30, payment_method: 'BOLEPIX' })
    await api.pay(title.txid, { method })
  }
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1 } } })
  await api.paid(merchant, { value: 20 })
  await api.ask('POST', `/invoices/${pix.id}/refund`, { token: merchant.token, body: { value: 10 } })
  await api.ask('POST', `/invoices/${pix.id}/refund`, { token: merchant.token, body: { value: 5 } })
  const { store, clock: today, random, ids } = api.host
  // The next day.
  const clock = { ...today, steady: () => addSeconds(today.steady(), 86_400) }
  const ports = { store, clock, random, ids, bank, settings: { publicUrl: '' } } as unknown as PaymentsPorts
  const found = async (day = DAY) => {
    const outcome = await reconcile(ports)({ day })()
    if (isLeft(outcome)) throw new Error(outcome.left.code)
    const all: Difference[] = []
    for await (const each of outcome.right.differences()) all.push(each)
    const { missing, extra, different, unreadable } = outcome.right
    t.is(all.length, missing + extra + different + unreadable)
    return all
  }
  const told = async (day = DAY) =>
    (await found(day)).map((each) => `${each.what} ${each.kind} ${each.movementId}`).sort()
  const entryOf = async (typeId: number) => {
    const entry = (await api.every(entries)).find((each) => each.typeId === typeId)
    if (!entry) throw new Error(`no entry of type ${typeId}`)
    return entry
  }
  const commit = async (...changes: readonly Change[]) => t.true((await store.commit(changes)).ok)
  return { api, merchant, ports, found, told, entryOf, commit }
}

test('finds no difference between equal books, and posts nothing', async (t) => {
  const { api, told } = await opened(t)
  const before = [await api.every(entries), await api.every(journals)]
  t.deepEqual(await told(), [])
  t.deepEqual(await told('2026-11-22'), [])
  t.deepEqual([await api.every(entries), await api.every(journals)], before)
  t.true((await api.every(listedMovements)).length > 0)
})

test('finds each difference and no other', async (t) => {
  const { api, merchant, found, told, entryOf, commit } = await opened(t)
  const [pix, boleto, refund] = [await entryOf(1), await entryOf(6), await entryOf(5)]
  const [paid] = (await api.every(paidIn)).filter(({ id }) => id === pix.endToEnd)
  const [given] = await api.every(wentBack)
  if (!paid || !given) return t.fail('nothing at the bank')
  const account = (await api.every(accounts)).find(({ id }) => id === merchant.id)
  // Missing in the ledger: a payment of a title, one by a key, and one of no account.
  const strange = { ...paid, id: AN_E2E, endToEndId: null, txid: 'desconhecido', pixKey: null }
  const lacking = [
    { ...strange, id: `${AN_E2E.slice(0, -1)}2`, txid: paid.txid },
    {
      ...strange,
      id: `${AN_E2E.slice(0, -1)}3`,
      pixKey: account?.pixKey ?? null,
    },
    strange,
  ]
  for (const each of lacking) await commit({ kind: 'insert', at: [paidIn.name, each.id], record: each })
  await commit({ kind: 'insert', at: [wentBack.name, 'outra'], record: { ...given, id: 'outra' } })
  // Missing at the bank, or with another amount.
  await commit(remove(paidIn, boleto.endToEnd ?? '', always))
  await commit(patch(wentBack, given.id, { set: { valueCents: 1_001 }, when: always }))
  await commit(patch(paidIn, pix.endToEnd ?? '', { set: { valueCents: 9_999 }, when: always }))
  t.is(refund.endToEnd, pix.endToEnd)
  t.deepEqual(await told(), [
    `different pix ${pix.endToEnd}`,
    `different refund ${given.id}`,
    `extra boleto ${boleto.endToEnd}`,
    ...lacking.map(({ id }) => `missing pix ${id}`).sort(),
    'missing refund outra',
  ])
  const lines = (await found()).map(differenceLine).sort()
  t.true(
    lines.includes(`different: pix ${pix.endToEnd} of account 1: 99.99 at the bank, 100.00 in the ledger`),
    lines.join('\n'),
  )
  t.true(lines.includes(`extra: boleto ${boleto.endToEnd} of account 1: 50.00 in the ledger, nothing at the bank`))
  t.true(lines.includes(`missing: pix ${AN_E2E} of no account: 100.00 at the bank, nothing in the ledger`))
  t.true(lines.includes(`missing: pix ${lacking[0]?.id} of account 1: 100.00 at the bank, nothing in the ledger`))
  t.true(lines.includes(`missing: pix ${lacking[1]?.id} of account 1: 100.00 at the bank, nothing in the ledger`))
})

test('compares each partial payment, over-payments and refunds, and no shares of them', async (t) => {
  const { api, merchant, found, told, commit } = await opened(t)
  const { token } = merchant
  const [before, wentBefore] = [await api.every(paidIn), await api.every(wentBack)]
  const receiver = await api.merchant()
  await api.setStatus(receiver, 'ACTIVE')
  const consent = await api.ask('POST', '/v1/split-receivers', { token: receiver.token, body: { name: 'Loja' } })
  await api.setPin({ token })
  await api.ask('PUT', '/access/account', { token, body: { pin: PIN, accept_partial: true } })
  const splits = [{ account: consent.body.split_receiver.key, percent: 30 }]
  const { id, pix } = await api.charge(merchant, { value: 100, splits })
  await api.pay(pix.txid, { value: 40 })
  const [part] = (await api.every(paidIn)).filter((each) => !before.some((known) => known.id === each.id))
  if (!part) return t.fail('no part was paid')
  // The bank notifies of the part twice, and the title is replaced by one for the rest.
  await commit(patch(paidIn, part.id, { set: { dueAt: part.paidAt }, when: always }))
  await api.drain()
  const { pix: rest } = (await api.ask('GET', `/invoices/${id}`, { token })).body.data
  await api.pay(rest.txid, { value: 80 })
  const refund = async (body: object) =>
    t.is((await api.ask('POST', `/invoices/${id}/refund`, { token, body })).status, 200)
  const over = (await api.every(entries)).find(({ valueCents, txid }) => valueCents === 8_000 && txid === rest.txid)
  await refund({ overpaid: true })
  await refund({ value: 10, end_to_end_id: over?.endToEnd })
  t.deepEqual(await told(), [])
  const refunds = (await api.every(wentBack)).filter((each) => !wentBefore.some((known) => known.id === each.id))
  t.deepEqual(pluck(refunds, 'valueCents').toSorted(), [1_000, 2_000])

  const lost = { ...part, id: `${AN_E2E.slice(0, -1)}4`, endToEndId: null, valueCents: 500 }
  await commit({ kind: 'insert', at: [paidIn.name, lost.id], record: lost })
  await commit(patch(paidIn, over?.endToEnd ?? '', { set: { valueCents: 6_000 }, when: always }))
  await commit(remove(paidIn, part.id, always), ...refunds.map((each) => remove(wentBack, each.id, always)))
  const differences = [
    `different pix ${over?.endToEnd}`,
    `extra pix ${part.id}`,
    ...refunds.map((each) => `extra refund ${each.id}`).sort(),
    `missing pix ${lost.id}`,
  ]
  t.deepEqual(await told(), differences)
  t.deepEqual([...new Set(pluck(await found(), 'accountId'))], [merchant.id])
})

test('compares pay-outs too, except those in progress', async (t) => {
  const { api, merchant, found, told, entryOf, commit } = await opened(t)
  await api.fund(merchant)
  const pay = (account: string) =>
    api.ask('POST', '/api/pix/withdraw-bank', { token: merchant.token, body: { ...BANK, account, amount: 7 } })
  t.is((await pay('1')).status, 200)
  t.deepEqual(await told(), [])
  await api.fail('pay_out', 'timeout')
  t.is((await pay('2')).status, 202)
  const later = (await api.every(payOuts)).find(({ account }) => account === '2')
  // The bank has paid it, and its answer was lost.
  t.deepEqual(await told(), [`missing pay-out ${later?.id}`])
  t.deepEqual(pluck(await found(), 'accountId'), [merchant.id])
  t.deepEqual((await verifyReserves(api.host.store)).faults, [])
  await api.drain(120)
  t.deepEqual(await told(), [])
  const { txid } = await entryOf(2)
  await commit(remove(payOuts, txid ?? '', always))
  t.deepEqual(await told(), [`extra pay-out ${txid}`])
  t.deepEqual((await verifyReserves(api.host.store)).faults, [])
  // The account's book is on the second page of books.
  const before = (index: number) =>
    insert(ledgerAccounts, { ...aBook, id: `0:${1_000 + index}`, seq: 1_000, lastDay: DAY })
  await commit(...Array.from({ length: 100 }, (_, index) => before(index)))
  t.deepEqual(await told(), [`extra pay-out ${txid}`])
})

test('finds an entry with another journal or title', async (t) => {
  const { told, entryOf, commit } = await opened(t)
  const pix = await entryOf(1)
  await commit(patch(entries, pix.id, { set: { txid: 'outro' }, when: always }))
  t.deepEqual(await told(), [`different pix ${pix.endToEnd}`])
  await commit(patch(journals, pix.journalId, { set: { cause: `pix-in:${AN_E2E}` }, when: always }))
  t.deepEqual(await told(), [`extra pix ${AN_E2E}`, `missing pix ${pix.endToEnd}`])
})

test('ignores payments of the day before, and reads every page of the bank', async (t) => {
  const pages: (string | null)[] = []
  const { api, told } = await opened(t, ({ movements }) => ({
    ...(movements && {
      movements: {
        ...movements,
        async list(asked) {
          pages.push(asked.cursor)
          const whole = await movements.list({ ...asked, cursor: null })
          if (whole.outcome !== 'done') return whole
          const at = Number(asked.cursor ?? 0)
          const next = at + 1 < whole.value.movements.length ? `${at + 1}` : null
          return { outcome: 'done', value: { movements: whole.value.movements.slice(at, at + 1), next } }
        },
      },
    }),
  }))
  const [first] = await api.every(paidIn)
  if (!first) return t.fail('nothing was paid')
  await api.host.store.commit([patch(paidIn, first.id, { set: { paidAt: '2026-11-23T02:59:59.999Z' }, when: always })])
  t.deepEqual(await told('2026-11-22'), [])
  t.deepEqual(await told('2026-11-23'), [])
  // One of the day before, and each of the remaining ones.
  t.is(pages.length, 5)
})

test('compares the day before at the scheduled hour, and notifies the ADMINs once', async (t) => {
  const { api, merchant, entryOf, commit } = await opened(t)
  const boleto = await entryOf(6)
  await commit(remove(paidIn, boleto.endToEnd ?? '', always))
  const own = async () => (await api.every(notifications)).filter(({ type }) => type === 'bank.differs')
  await api.drain(86_400)
  const [told, ...more] = await own()
  t.deepEqual(more, [])
  t.deepEqual(JSON.parse(told?.data ?? ''), { day: DAY, missing: 0, extra: 1, different: 0 })
  t.like((await api.every(reconciliations))[0], { id: DAY, dueAt: null })
  const { token } = await api.again(merchant)
  const { body } = await api.ask('GET', '/access/auth/notifications', { token })
  t.true(body.data.some(({ type }: { type: string }) => type === 'bank.differs'))
  await api.drain(86_400)
  t.is((await own()).length, 1)
  t.is((await api.every(reconciliations)).length, 2)
})

test('retries later if the bank does not answer, and reports it to the program', async (t) => {
  let isDown = true
  const { api, ports, entryOf, commit } = await opened(t, ({ movements }) => ({
    ...(movements && {
      movements: {
        ...movements,
        list: async (asked) => (isDown ? { outcome: 'unknown' as const } : movements.list(asked)),
      },
    }),
  }))
  const outcome = await reconcile(ports)({ day: DAY })()
  t.is(isLeft(outcome) && outcome.left.code, 'bank.unavailable')
  const future = await reconcile(ports)({ day: '2026-11-24' })()
  t.is(isLeft(future) && future.left.code, 'fields', 'today is not over')
  await commit(remove(paidIn, (await entryOf(6)).endToEnd ?? '', always))
  await api.drain(86_400)
  t.like((await api.every(reconciliations))[0], { id: DAY, unanswered: 1, expiresAt: null })
  isDown = false
  await api.drain(60)
  t.like((await api.every(reconciliations))[0], { dueAt: null, unanswered: 0 })
  t.is((await api.every(notifications)).filter(({ type }) => type === 'bank.differs').length, 1)
  isDown = true
  const again = { dueAt: api.clock.steady(), expiresAt: null, place: null, unanswered: 29 }
  await commit(patch(reconciliations, DAY, { set: again, when: always }))
  await api.drain(60)
  t.like((await api.every(reconciliations))[0], { dueAt: null, unanswered: 30 }, 'the last attempt')
})

test('says of an entry whose movement the bank cannot read that it was not compared, and retries if it is unknown', async (t) => {
  let isKnown = false
  const { ports, told, entryOf, commit } = await opened(t, ({ movements }) => ({
    ...(movements && {
      movements: {
        ...movements,
        findMovement: async ({ kind, id }) => ({
          outcome: 'unknown' as const,
          ...(isKnown && { unreadable: { kind: 'pix' as const, id: `${kind} ${id}`, txid: null, pixKey: null } }),
        }),
      },
    }),
  }))
  const { endToEnd } = await entryOf(6)
  await commit(remove(paidIn, endToEnd ?? '', always))
  const outcome = await reconcile(ports)({ day: DAY })()
  t.is(isLeft(outcome) && outcome.left.code, 'bank.unavailable')
  isKnown = true
  t.deepEqual(await told(), [`unreadable boleto ${endToEnd}`])
})

test('compares nothing with a bank that cannot list payments', async (t) => {
  const { api, ports } = await opened(t, () => ({ movements: undefined }) as unknown as Partial<Bank>)
  const outcome = await reconcile(ports)({ day: DAY })()
  t.is(isLeft(outcome) && outcome.left.code, 'bank.unsupported')
  await api.drain(86_400)
  t.deepEqual(await api.every(reconciliations), [])
})
