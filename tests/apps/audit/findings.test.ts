import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { findings } from '../../../apps/audit/findings.ts'
import { sqlitePath } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, type Collection, patch, type Rec, remove } from '../../../core/kernel/records/record.ts'
import { type AuditEntry, linkHash } from '../../../core/office/audit.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { exports } from '../../../core/payments/exports/export.ts'
import { type Entry, entries, type Journal, journals, ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import { audit } from '../../../core/payments/office.ts'
import { splitShares } from '../../../core/payments/splits/share.ts'
import { type Withdrawal, withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import { byId } from '../../../core/ports/store.ts'
import { openSplit } from '../payments/charges/split-fixtures.ts'
import { openTestApi, type TestApi } from '../payments/test-api.ts'
import { BANK } from '../payments/withdrawals/withdrawing.ts'

/** Returns an API with two merchants that changed their accounts and were paid. */
const openDay = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  for (const merchant of [await api.merchant(), await api.merchant()]) {
    for (const value of [10, 20.5, 30]) {
      await api.paid(merchant, { value })
    }
    for (const name of ['Escola Um', 'Escola Dois', 'Escola Três'])
      await api.ask('PUT', `/v1/organizations/${merchant.id}`, { token: merchant.token, body: { name } })
  }
  await api.drain()
  return api
}

const found = async ({ host }: TestApi) => {
  const all = []
  for await (const finding of findings(host, payments.collections)) all.push(finding)
  return all
}
/** Returns the faults of an area, by default of all. */
const faultsOf = async (api: TestApi, of?: string): Promise<readonly string[]> =>
  (await found(api)).flatMap(({ area, faults }) => (of === undefined || area === of ? faults : []))

/** Returns the faults while a record has other values. */
const whileSet = async <R extends Rec>(
  api: TestApi,
  from: Collection<R>,
  record: R | undefined,
  set: Partial<R>,
  area?: string,
) => {
  const write = (values: Partial<R> = {}) =>
    api.host.store.commit([patch(from, record?.id ?? '', { set: values, when: always })])
  await write(set)
  const faults = await faultsOf(api, area)
  await write(record)
  return faults
}

test('returns figures and no fault for a sound store', async (t) => {
  const api = await openDay(t)
  const all = await found(api)
  t.deepEqual(all.map(({ area, figures }) => ({ area, ...figures })).slice(0, 2), [
    { area: 'audit trail', chains: 4, entries: 10, waiting: 0 },
    { area: 'ledger', books: 2, entries: 6, journals: 6 },
  ])
  t.true((all[2]?.figures.tallies ?? 0) > 5 && (all[2]?.figures.buckets ?? 0) > 5)
  t.true((all[3]?.figures.keys ?? 0) > 5 && (all[3]?.figures.texts ?? 0) > 5)
  t.deepEqual(await faultsOf(api), [])
})

test('finds changed and removed entries of the audit trail', async (t) => {
  const api = await openDay(t)
  const { store, digest } = api.host
  const chain = (await api.every(audit.entries)).filter((entry) => entry.chain === 'account:1')
  const [first, second, third, last] = chain.toSorted((a, b) => a.seq - b.seq) as [
    AuditEntry,
    AuditEntry,
    AuditEntry,
    AuditEntry,
  ]
  const after = (entry: AuditEntry, set: Partial<AuditEntry>) => whileSet(api, audit.entries, entry, set)
  const altered: Partial<AuditEntry>[] = [
    { changes: null },
    { actorUserId: 2 },
    { action: 'terms.set' },
    { subject: 'account:2' },
    { address: '192.0.2.1' },
    { device: null },
    { createdAt: '2027-01-01T00:00:00.000Z' },
  ]
  for (const set of altered) t.true((await after(second, set)).includes('account:1: entry 2 was altered'))
  // With a matching hash, the next entry no longer follows.
  const forged = { ...second, changes: null }
  const hash = linkHash(digest, first.hash ?? '', forged)
  t.deepEqual(await after(second, { changes: null, hash }), ['account:1: entry 3 does not follow the one before it'])
  t.deepEqual(
    await after(last, { changes: null, hash: linkHash(digest, third.hash ?? '', { ...last, changes: null }) }),
    ['account:1: the hash of its last linked entry is not that of its head'],
  )
  t.deepEqual(await after(third, { hash: null }), ['account:1: entry 4 does not follow the one before it'])
  t.deepEqual(await after(last, { hash: null, prevHash: null }), [
    'account:1: its head counts 4 linked entries, but the last one is 3',
  ])
  t.deepEqual(await faultsOf(api), [])

  await store.commit([remove(audit.entries, last.id, always)])
  t.deepEqual((await faultsOf(api))[0], 'account:1: its head counts 4 entries, but the last one is 3')
  await store.commit([remove(audit.entries, second.id, always), remove(audit.chains, 'user:2', always)])
  const faults = await faultsOf(api)
  t.true(faults.includes('account:1: entry 2 is missing'))
  t.true(faults.includes("user:2: entry 1 is not counted by the chain's head"))
})

test('finds changed and removed entries of the ledger', async (t) => {
  const api = await openDay(t)
  const { store } = api.host
  const book = await store.find(byId(ledgerAccounts, '1:main'))
  const own = (await api.every(entries)).filter((entry) => entry.book === '1:main')
  const [, second, last] = own.toSorted((a, b) => a.seq - b.seq) as [Entry, Entry, Entry]
  const [journal] = (await api.every(journals)).filter(({ id }) => id === second.journalId) as [Journal]
  const name = `entry ${second.id} of 1:main`

  const afterEntry = (set: Partial<Entry>) => whileSet(api, entries, second, set)
  t.like(await afterEntry({ balanceCents: 1 }), [`${name} has balance 1, expected 3050`])
  t.true((await afterEntry({ valueCents: 2_060 })).includes(`entry ${second.id} is not in journal ${journal.id}`))
  t.deepEqual(await afterEntry({ direction: 'out' }), [`${name} has direction out`])
  t.deepEqual(await afterEntry({ datetime: '2020-01-01T12:00:00.000Z' }), [
    `${name} is dated before the entry before it, or on another day than its time`,
  ])

  t.deepEqual(await whileSet(api, ledgerAccounts, book ?? undefined, { balanceCents: 6_051 }), [
    'book 1:main has 6051, and its entries 6050',
    'book 1:main has 1 reserved, and 0 is pending',
  ])
  const [leg, ...legs] = journal.legs
  const heavier = [{ book: leg?.book ?? '', cents: (leg?.cents ?? 0) + 1 }, ...legs]
  t.deepEqual(await whileSet(api, journals, journal, { legs: heavier }), [
    `entry ${second.id} is not in journal ${journal.id}`,
    `journal ${journal.id} does not add up to zero`,
  ])
  t.deepEqual(await faultsOf(api), [])

  await store.commit([remove(entries, last.id, always)])
  t.deepEqual(await faultsOf(api), [
    'book 1:main counts 3 entries, and the last is 2',
    'book 1:main has 6050, and its entries 3050',
    'charge 3 has 3000 paid, and 0 posted',
  ])
})

test('names the first fault of each account, and counts the others', async (t) => {
  const api = await openDay(t)
  const own = (await api.every(entries)).toSorted((a, b) => a.seq - b.seq)
  for (const { id } of own)
    await api.host.store.commit([patch(entries, id, { set: { direction: 'out' }, when: always })])
  const of = (book: string) => own.find((entry) => entry.book === book)?.id
  const ledger = (await found(api)).find(({ area }) => area === 'ledger')
  t.deepEqual(ledger?.faults, [
    `entry ${of('1:main')} of 1:main has direction out`,
    'account 1 has 2 more wrong entries',
    `entry ${of('2:main')} of 2:main has direction out`,
    'account 2 has 2 more wrong entries',
  ])
})

test('finds a removed entry by its journal, or by its charge, if its counters were changed too', async (t) => {
  const api = await openDay(t)
  const { store } = api.host
  const last = (await api.every(entries)).find(({ book, seq }) => book === '1:main' && seq === 3) as Entry
  const without = { seq: -1, balanceCents: -last.valueCents, availableCents: -last.valueCents }
  await store.commit([
    remove(entries, last.id, always),
    patch(ledgerAccounts, '1:main', { add: without, when: always }),
  ])
  t.deepEqual(await faultsOf(api), [
    'account 1 has 2 entries, and its journals 3 lines',
    'charge 3 has 3000 paid, and 0 posted',
  ])
  await store.commit([remove(journals, last.journalId, always)])
  t.deepEqual(await faultsOf(api), ['charge 3 has 3000 paid, and 0 posted'])
})

test('finds withdrawals that differ from their postings, and names the first', async (t) => {
  const api = await openTestApi(t)
  const { token } = await api.fund(await api.merchant(), 1_000)
  for (const amount of [10, 11])
    t.is((await api.ask('POST', '/api/pix/withdraw-bank', { token, body: { ...BANK, amount } })).status, 200)
  t.deepEqual(await faultsOf(api), [])
  const [first, second] = (await api.every(withdrawals)) as [Withdrawal, Withdrawal]
  const money = (set: Partial<Withdrawal>) => whileSet(api, withdrawals, first, set, 'money out')
  t.deepEqual(await money({ status: 'failed' }), [`withdrawal ${first.id} is failed, but posted`])
  t.deepEqual(await money({ valueCents: 999 }), [`withdrawal ${first.id} is not posted with -999 in account 1`])
  for (const [txid, { id }] of Object.entries({ X1: first, X2: second }))
    await api.host.store.commit([patch(withdrawals, id, { set: { txid }, when: always })])
  const all = /^withdrawal \d+ is completed, but not posted in account 1, and 1 more$/
  t.true((await faultsOf(api)).some((fault) => all.test(fault)))
})

test('finds an export without its file', async (t) => {
  const api = await openDay(t)
  const { token } = await api.again({ email: 'ana@aurora.example', token: '', id: 1, uuid: '' })
  const body = { format: 'csv' }
  t.is((await api.ask('POST', '/consolidation/transactions/export-document', { token, body })).status, 200)
  await api.drain()
  t.deepEqual((await found(api)).at(-1), { area: 'exports', figures: { ready: 1 }, faults: [] })
  const [made] = await api.every(exports)
  await api.host.files.remove(made?.notificationId ?? '')
  t.deepEqual((await found(api)).at(-1)?.faults, [`export ${made?.id} is ready, and has no file`])
})

test('finds a reserve that differs from pending boleto fees and refunds', async (t) => {
  const api = await openDay(t)
  const merchant = await api.again({ email: 'ana@aurora.example', token: '', id: 1, uuid: '' })
  await api.setStatus(merchant, 'ACTIVE')
  await api.ask('PUT', '/fake-bank/accounts/1', { body: { taxes: { boleto: 2 } } })
  await api.fail('create_boleto', 'timeout')
  await api.charge(merchant, { payment_method: 'BOLETO' })
  await api.fail('refund', 'timeout_lost')
  t.is((await api.ask('POST', '/invoices/1/refund', { token: merchant.token, body: { value: 3 } })).status, 202)
  const reservedCents = async () => {
    const [book] = (await api.every(ledgerAccounts)).filter(({ id }) => id === '1:main')
    return (book?.balanceCents ?? 0) - (book?.availableCents ?? 0)
  }
  t.is(await reservedCents(), 500)
  t.deepEqual(await faultsOf(api), [])
  const book = (await api.every(ledgerAccounts)).find(({ id }) => id === '1:main')
  t.deepEqual(await whileSet(api, ledgerAccounts, book, { availableCents: (book?.availableCents ?? 0) + 1 }), [
    'book 1:main has 499 reserved, and 500 is pending',
  ])
  const [refund] = await api.every(refunds)
  t.deepEqual(await whileSet(api, refunds, refund, { status: 'failed' }), [
    'book 1:main has 500 reserved, and 200 is pending',
  ])
  api.clock.advance(600)
  await api.drain()
  t.is(await reservedCents(), 0)
  t.deepEqual(await faultsOf(api), [])
})

test('finds a tally that differs from its records, also one of an unknown account', async (t) => {
  const api = await openDay(t)
  const path = sqlitePath(api.host.settings.STORE_URL)
  if (path === null) throw new Error('a raw connection needs a file')
  const database = await openDatabase(path)
  t.teardown(() => database.close())
  const alter = async (sql: string): Promise<void> => {
    database.prepare(sql).run()
    // The store reads a snapshot until the event loop continues.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await alter(`UPDATE "payments.memberships_tally_0" SET count = count + 1 WHERE b_accountId = 1`)
  t.deepEqual(await faultsOf(api), [
    'payments.memberships [1]: the tally has 2, its records 1',
    'payments.memberships total: the tally has 3, its records 2',
  ])
  await alter(`UPDATE "payments.memberships_tally_0" SET count = count - 1, b_accountId = 9 WHERE b_accountId = 1`)
  t.deepEqual(await faultsOf(api), ['payments.memberships [1]: the tally has 0, its records 1'])
  await alter(`UPDATE "payments.memberships_tally_0" SET b_accountId = 1 WHERE b_accountId = 9`)
  await alter(
    `INSERT INTO "payments.memberships_tally_0" SELECT 9, count FROM "payments.memberships_tally_0" WHERE b_accountId = 1`,
  )
  t.deepEqual(await faultsOf(api), ['payments.memberships total: the tally has 3, its records 2'])
  await alter(`DELETE FROM "payments.memberships_tally_0" WHERE b_accountId = 9`)
  await alter(`UPDATE "payments.entries_tally_0" SET s_valueCents = s_valueCents - 1 WHERE b_accountId = 2`)
  const [first, ...more] = await faultsOf(api)
  t.regex(
    first ?? '',
    /^payments\.entries \[2,"2026-11-23",1,1,"in"\]: the tally has 3, valueCents 6049, its records 3, valueCents 6050$/,
  )
  t.is(more.length, 1)
})

test('reports no fault for simultaneous writes', async (t) => {
  const api = await openDay(t)
  const merchant = await api.merchant()
  let isOver = false
  const writes = async () => {
    for (let name = 1; !isOver; name += 1) {
      const { pix } = await api.charge(merchant, { value: name })
      const body = { name: `Escola ${name}` }
      await Promise.all([
        api.pay(pix.txid),
        api.ask('PUT', `/v1/organizations/${merchant.id}`, { token: merchant.token, body }),
        api.drain(),
      ])
    }
  }
  const looks = async () => {
    const all: string[] = []
    for (let look = 0; look < 5; look += 1) all.push(...(await faultsOf(api)))
    isOver = true
    return all
  }
  const [faults] = await Promise.all([looks(), writes()])
  t.deepEqual(faults, [])
  t.true((await found(api))[1]?.figures.entries !== 6)
})

test('finds charges whose amounts differ from their entries, and shares that differ from their journals', async (t) => {
  const { api, issuer, keys } = await openSplit(t)
  await api.host.store.commit([patch(accounts, issuer.id, { set: { acceptPartial: true }, when: always })])
  const { pix } = await api.charge(issuer, { value: 100, splits: [{ account: keys[0], percent: 30 }] })
  await api.pay(pix.txid, { value: 40 })
  await api.drain()
  const [charge] = await api.every(charges)
  const received = (charge?.received ?? []).map((part) => ({ ...part, cents: 3_999 }))
  for (const [set, fault] of [
    [{ amountPaidCents: 3_999 }, '3999 paid, and 4000 posted, and 1 more'],
    [{ refundedCents: 1 }, '1 refunded, and 0 posted, and 1 more'],
    [{ received }, 'parts that do not add up to 4000, and 1 more'],
    [{ valuePaidCents: 1 }, '1 of its value paid'],
    [{ overpaidCents: 4_001 }, '4001 over-paid, and 4000 not refunded'],
  ] as const)
    t.deepEqual(await whileSet(api, charges, charge, set, 'charges'), [`charge 1 has ${fault}`])
  await api.paid(issuer, { value: 5 })
  const whole = (await api.every(charges)).find(({ id }) => id !== charge?.id)
  for (const [set, paid] of [
    [{ amountPaidCents: 100_500 }, 100_500],
    [{ status: 'pending', amountPaidCents: null }, 0],
  ] as const)
    t.deepEqual(await whileSet(api, charges, whole, set, 'charges'), [
      `charge ${whole?.id} has ${paid} paid, and 500 posted`,
    ])
  const [share] = await api.every(splitShares)
  const tooMuch = 'share 1 has more held, reversed, reserved or returned than its 1200'
  for (const set of [{ heldCents: 1_201 }, { calledCents: 1_201 }, { heldCents: -1 }, { returnedCents: 1_201 }])
    t.deepEqual(await whileSet(api, splitShares, share, set, 'splits'), [tooMuch], JSON.stringify(set))
  const [uncredited] = await whileSet(api, splitShares, share, { creditedCents: 1_201 }, 'splits')
  t.regex(uncredited ?? '', /^share 1 of 1201 is not credited by journal /)
  t.deepEqual(await faultsOf(api), [])
})
