import test from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { always, eq, patch } from '../../../core/kernel/records/record.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { audit as trail } from '../../../core/payments/office.ts'
import { groupOf } from '../../../core/ports/store.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { fillAgency } from '../../bench/agency/history.ts'
import { printed, printedInTurn } from '../host/process.ts'
import { openTestApi } from '../payments/test-api.ts'
import { STORE_SECRETS } from '../store-url.ts'

const audit = (storeUrl: string, env?: Readonly<Record<string, string>>) => printed(['audit'], storeUrl, env)

test('audits a store while it serves, with a line for each area and fault, and exit code 0 or 1', async (t) => {
  const { host, ask, merchant, every } = await openTestApi(t)
  const { token } = await merchant()
  await ask('PUT', '/v1/organizations/1', { token, body: { name: 'Escola Nova' } })
  const { STORE_URL } = host.settings
  const sound = await audit(STORE_URL)
  t.deepEqual([sound.code, sound.err], [0, ''])
  t.deepEqual(sound.out.slice(0, 2), [
    'audit trail: chains 2, entries 3, waiting 3: sound',
    'ledger: books 1, entries 0, journals 0: sound',
  ])
  t.regex(sound.out[2] ?? '', /^tallies: tallies \d+, buckets \d+: sound$/)
  t.regex(sound.out[3] ?? '', /^keys: keys \d+, texts \d+: sound$/)

  const [entry] = (await every(trail.entries)).filter(({ action }) => action === 'account.updated')
  await host.store.commit([patch(trail.entries, entry?.id ?? '', { set: { seq: 9 }, when: always })])
  const faulty = await audit(STORE_URL)
  t.is(faulty.code, 1)
  t.deepEqual(faulty.out.slice(0, 3), [
    'audit trail: chains 2, entries 3, waiting 3: 2 faults',
    '  account:1: its head counts 2 entries, but the last one is 1',
    "  account:1: entry 9 is not counted by the chain's head",
  ])
})

test('completes the upgrade of a store before the audit', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const collections = collectionsOf([payments, realEstate])
  const before = await sqliteStore(
    path,
    collections.map(({ tallies: _t, ...kept }) => kept),
  )
  await before.close()
  t.regex((await audit(`sqlite:${path}`)).err, /^(STORE_URL: .* is upgraded for this release\n)+$/)
  const after = await sqliteStore(path, collections)
  t.teardown(() => after.close())
  const plan = await after.explain(
    groupOf(charges, { where: eq('accountId', 1), when: 'listed', by: ['status'], sum: [] }),
  )
  t.true(plan.includes('payments.charges_tally_'), plan)
})

test('refuses a missing store, and one without its key, with one line', async (t) => {
  const { host, merchant } = await openTestApi(t)
  await merchant()
  const { STORE_URL, DATA_DIR } = host.settings
  const [missing, locked] = await printedInTurn([
    [['audit'], 'sqlite:/nowhere/portico.db'],
    [['audit'], STORE_URL, { ...STORE_SECRETS, DATA_DIR, DATA_KEY: '' }],
  ])
  t.deepEqual(missing, { code: 1, out: [''], err: 'STORE_URL: there is no /nowhere/portico.db\n' })
  t.deepEqual([locked?.code, locked?.out], [1, ['']])
  t.regex(locked?.err ?? '', /^DATA_KEY: .*\n$/)
})

test('audits the tallies of an agency', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const store = await sqliteStore(path, collectionsOf([payments, realEstate]))
  t.teardown(() => store.close())
  await fillAgency(store, 20)
  const database = await openDatabase(path)
  database.prepare(`UPDATE "estate.files_tally_0" SET count = count + 1 WHERE b_contentType = 'image/png'`).run()
  database.close()
  const { code, out } = await audit(`sqlite:${path}`)
  t.is(code, 1)
  t.regex(out.join('\n'), /^ {2}estate\.files .*: the tally has \d+, its records \d+$/m)
})
