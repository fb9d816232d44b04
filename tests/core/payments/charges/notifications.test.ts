import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../core/failure.ts'
import { always, insert, remove } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { bankNotifications } from '../../../../core/payments/charges/notifications.ts'
import { paymentNotice } from '../../../../core/payments/charges/payment.ts'
import { listCharges } from '../../../../core/payments/charges/queries/list.ts'
import { claimId, claims } from '../../../../core/payments/claim.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { entries, newLedgerAccount } from '../../../../core/payments/ledger/ledger.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import type { PaymentNotice } from '../../../../core/ports/bank.ts'
import { byId, type Store } from '../../../../core/ports/store.ts'
import { everyRecord } from '../../../every-record.ts'
import { outcome } from '../../kernel/input/reads.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { aCharge, aClient, aNotice, anAccount, aTitle } from '../records.ts'
import { column, NOW, openPayments } from '../world.ts'

const TODAY = '2026-11-23'
const DOCUMENT = '12345678909'
const E2E = aNotice().endToEndId
const PARTY = { name: 'Zé', document: '1', bank: null, branch: null, account: null }

/** Two accounts: 1 with the charges 1 and 2 (T1, T2), 2 with the charge 3 (T3), each pending. */
const noticeFixtures = async (instead?: (ports: PaymentsPorts) => Partial<PaymentsPorts>) => {
  const world = openPayments({ instead })
  const { ports, every } = world
  await world.store.commit([
    ...[1, 2].flatMap((id) => [
      insert(accounts, anAccount({ id, uuid: `u${id}`, codeAccount: `c${id}` })),
      newLedgerAccount(id, 'main', NOW),
      insert(clients, { ...aClient, id, accountId: id, code: `cl${id}` }),
    ]),
    ...[1, 2, 3].map((id) => {
      const accountId = id === 3 ? 2 : 1
      const own = { id, accountId, clientId: accountId, code: `code${id}`, txid: `T${id}`, search: DOCUMENT }
      return insert(charges, aCharge(own))
    }),
  ])
  const lines = async () =>
    (await every(entries)).map((line) => [line.accountId, line.chargeId, line.endToEnd, line.valueCents])
  const notify = async (over: object): Promise<unknown> => {
    const result = await bankNotifications(ports).paid({ ...aNotice({ txid: 'T1' }), ...over } as PaymentNotice)()
    return isLeft(result) ? result.left : result.right
  }
  return { ...world, lines, notify }
}

const wrong: readonly (readonly [over: object, fields: readonly string[]])[] = [
  ...[0, '100', null, undefined, 10n].map((valueCents) => [{ valueCents }, ['valueCents']] as const),
  ...['card', 'PIX', '', null, undefined, 'constructor'].map((method) => [{ method }, ['method']] as const),
  ...['', 'ontem', '2026-11-23', '2026-02-30T00:00:00.000Z', '2026-11-23T10:05:09-03:00', 0, null].map(
    (paidAt) => [{ paidAt }, ['paidAt']] as const,
  ),
  ...['', 'a\0b', '\uD800', 'e\u0301', 'x'.repeat(101), ' ', 'E1 ', 'E1\n', '\u202eE1', 'é1', 7, null, {}].flatMap(
    (id) => [[{ endToEndId: id }, ['endToEndId']] as const, [{ txid: id }, ['txid']] as const],
  ),
  ...[undefined, 'Zé', []].map((payer) => [{ payer }, ['payer']] as const),
  [{ payer: { ...PARTY, name: 7 } }, ['payer.name']],
  [{ payer: { ...PARTY, bank: 7 } }, ['payer.bank']],
  [{ payer: { name: 'Zé' } }, ['payer.document', 'payer.bank', 'payer.branch', 'payer.account']],
  [{ valueCents: 0, method: 'card', paidAt: '' }, ['method', 'valueCents', 'paidAt']],
]

test('refuses wrong fields of a notice, logs them and writes nothing', async (t) => {
  const { notify, stored, log } = await noticeFixtures()
  const before = await stored()
  for (const [index, [over, fields]] of wrong.entries()) {
    const result = (await notify(over)) as {
      readonly tag: string
      readonly issues: readonly { readonly path: string }[]
    }
    const about = `${index}: ${Object.keys(over)}`
    t.deepEqual([result.tag, result.issues.map(({ path }) => path)], ['invalid', fields], about)
    t.is(log.warnings.length, index + 1, about)
    t.like(log.warnings[index]?.facts, { code: 'fields', fields: fields.join(', ') }, about)
  }
  for (const nothing of [null, undefined, 'E1', 7, []])
    t.deepEqual(outcome(paymentNotice.check(nothing as never, TODAY)), { issues: ['object'] })
  t.deepEqual(outcome(paymentNotice.check({} as never, TODAY)), {
    issues: ['txid', 'endToEndId', 'method', 'valueCents', 'paidAt', 'payer'].map((field) => `${field} required`),
  })
  t.deepEqual(await stored(), before)
  t.false(JSON.stringify(log.warnings).includes('Zé'))
})

test('accepts only positive whole cents as an amount', (t) => {
  const amounts = fc.oneof(fc.maxSafeInteger(), fc.double(), fc.integer({ min: -2, max: 2 }))
  const property = fc.property(amounts, (valueCents) => {
    const isRight = Number.isSafeInteger(valueCents) && valueCents >= 1 && valueCents <= 999_999_999_999
    t.is(!isLeft(paymentNotice.check(aNotice({ valueCents }), TODAY)), isRight, `${valueCents}`)
  })
  fc.assert(property, { numRuns: 2_000 })
})

test('accepts a payment with any characters in the name of its payer', async (t) => {
  const { notify, store } = await noticeFixtures()
  t.deepEqual(await notify({ payer: { ...PARTY, name: 'Jose\u0301\0', bank: '\uDC00' } }), {
    chargeId: 1,
    posted: true,
  })
  t.deepEqual((await everyRecord(store, entries))[0]?.payer, { ...PARTY, name: 'José\uFFFD', bank: '\uFFFD' })
})

/** Removes the claims of payment ids, which earlier releases did not write. */
const forget = (store: Store) => store.commit([remove(claims, claimId('pix-in', E2E), always)])

for (const release of ['this', 'the last'])
  test(`refuses an id that ${release} release posted for another charge, in every account`, async (t) => {
    const { notify, store, stored, lines, log } = await noticeFixtures()
    t.deepEqual(await notify({}), { chargeId: 1, posted: true })
    t.like(await store.find(byId(claims, claimId('pix-in', E2E))), { holder: 1, accountId: 1 })
    if (release === 'the last') await forget(store)
    const before = await stored()
    t.deepEqual(await notify({}), { chargeId: 1, posted: false })
    t.deepEqual(log.warnings, [])
    const elsewhere = { tag: 'conflict', code: 'payment.elsewhere' }
    t.deepEqual(await notify({ txid: 'T2' }), elsewhere)
    t.deepEqual(await notify({ txid: 'T3' }), elsewhere)
    t.deepEqual(await notify({ valueCents: 1 }), { tag: 'conflict', code: 'payment.contradictory' })
    t.deepEqual(await stored(), before)
    t.deepEqual(await lines(), [[1, 1, E2E, 15_050]])
    t.deepEqual(column(log.warnings, 'facts'), [
      { code: 'payment.elsewhere', txid: 'T2', endToEndId: E2E },
      { code: 'payment.elsewhere', txid: 'T3', endToEndId: E2E },
      { code: 'payment.contradictory', txid: 'T1', endToEndId: E2E },
    ])
  })

test('posts one of two concurrent notices with one id for charges of two accounts', async (t) => {
  // No commit happens before all have decided.
  const waiting: (() => void)[] = []
  const { notify, lines, log } = await noticeFixtures(({ store }) => ({
    store: beforeCommits(store, async () => {
      if (waiting.length === 3) return
      await new Promise<void>((go) => {
        waiting.push(go)
        if (waiting.length === 3) for (const each of waiting) each()
      })
    }),
  }))
  const result = await Promise.all(['T1', 'T2', 'T3'].map((txid) => notify({ txid })))
  t.is(result.filter((each) => Reflect.get(each as object, 'posted') === true).length, 1)
  t.is(result.filter((each) => Reflect.get(each as object, 'code') === 'payment.elsewhere').length, 2)
  t.is((await lines()).length, 1)
  t.is(log.warnings.length, 2)
})

test('applies the valid payments of a title read from the bank, and lists charges, despite a wrong payment', async (t) => {
  const payments = (txid: string): readonly unknown[] => [
    aNotice({ txid, endToEndId: `${E2E}0`, valueCents: -100 }),
    null,
    aNotice({ txid, endToEndId: E2E }),
    aNotice({ txid, endToEndId: `${E2E}${txid}`, valueCents: 700 }),
  ]
  const { ports, lines, log } = await noticeFixtures(({ bank }) => ({
    bank: {
      ...bank,
      findTitle: async (txid) => ({
        outcome: 'done',
        value: aTitle({ txid, payments: payments(txid) as readonly PaymentNotice[] }),
      }),
    },
  }))
  const filter = { page: 1, perPage: 15, created: {}, due: {}, paid: {}, orderBy: 'id', orderDir: 'asc' } as const
  const actor = { userId: 1, accountId: 1, roleId: 1 } as never
  const listed = await listCharges(ports)(actor, { ...filter, search: DOCUMENT })()
  t.deepEqual(isLeft(listed) ? listed.left : listed.right.records.map(({ charge }) => [charge.id, charge.status]), [
    [1, 'paid'],
    [2, 'paid'],
  ])
  t.deepEqual((await lines()).map(([, , id, cents]) => `${id} ${cents}`).sort(), [
    `${E2E} 15050`,
    `${E2E}T1 700`,
    `${E2E}T2 700`,
  ])
  t.deepEqual(log.warnings.map(({ facts }) => facts?.code).sort(), [
    'fields',
    'fields',
    'fields',
    'fields',
    'payment.elsewhere',
  ])
})

test('recognizes an id that 0.1.0 posted to two charges for both, and refuses it for a third', async (t) => {
  const { notify, lines, store } = await noticeFixtures()
  t.like(await notify({ txid: 'T3' }), { posted: true })
  // 0.1.0 claimed no ids, so that the notice of another account was posted too.
  await forget(store)
  const [posted] = await everyRecord(store, entries)
  const own = newLedgerAccount(1, 'main', NOW).at[1]
  if (posted) await store.commit([insert(entries, { ...posted, id: 99, accountId: 1, chargeId: 1, book: `${own}` })])
  const before = await lines()
  t.is(before.length, 2)
  for (const txid of ['T1', 'T3']) t.like(await notify({ txid }), { posted: false }, txid)
  t.like(await notify({ txid: 'T2' }), { code: 'payment.elsewhere' })
  t.deepEqual(await lines(), before)
})
