import test, { type ExecutionContext } from 'ava'
import { type Database, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { writeProbes } from '../../../apps/host/host.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { type Answer, MARIA, type Merchant, openTestApi, PASSWORD, type TestApi } from '../payments/test-api.ts'
import { faultsOf } from '../processes/money-faults.ts'

/** Opens the payments app on a SQLite file that can be made read-only. */
const openOnFile = async (t: ExecutionContext) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  let database: Database | null = null
  const open = async (file: string): Promise<Database> => {
    database = await openDatabase(file)
    return database
  }
  const api = await openTestApi(t, { open: (_url, collections) => sqliteStore(path, collections, { open }) })
  const setReadOnly = (is: boolean) => void database?.prepare(`PRAGMA query_only = ${is ? 1 : 0}`).get()
  return { ...api, setReadOnly }
}

const BUSY = {
  code: 503,
  success: false,
  message: 'Serviço temporariamente indisponível. Tente novamente em instantes.',
  error_code: 'store.unavailable',
}

const isRefused = (t: ExecutionContext, { status, headers, body, text }: Answer, about: string) => {
  t.is(status, 503, `${about}: ${text}`)
  t.deepEqual(body, BUSY, about)
  t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/, about)
}

/** A write of each kind, by name. */
const writesOf = ({ ask }: TestApi, { token, email }: Merchant): Readonly<Record<string, () => Promise<Answer>>> => ({
  register() {
    const person = { name: 'Zé', email: 'ze@example.com', password: PASSWORD, password_confirmation: PASSWORD }
    return ask('POST', '/v1/auth/register', { body: person })
  },
  'log in': () => ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }),
  client: () => ask('POST', '/v1/clients', { token, body: { name: 'Bia', document: '529.982.247-25' } }),
  issue: () => ask('POST', '/invoices', { token, body: MARIA, headers: { 'idempotency-key': 'k' } }),
})

const READS = ['/invoices/1', '/invoices', '/consolidation/balance', '/v1/clients', '/access/account']

test('while its file is read-only, writes are 503 and leave nothing, and reads go on; then repeats succeed', async (t) => {
  const api = await openOnFile(t)
  const merchant = await api.merchant()
  const { pix } = await api.charge(merchant)
  const writes = Object.entries(writesOf(api, merchant))
  const reads = async () =>
    Promise.all(READS.map(async (path) => (await api.ask('GET', path, { token: merchant.token })).body))
  const [before, shown] = [await api.everything(), await reads()]
  api.setReadOnly(true)
  for (const [about, write] of writes) isRefused(t, await write(), about)
  isRefused(t, await api.pay(pix.txid), 'pay')
  await t.throwsAsync(api.drain(), { instanceOf: StoreUnavailable })
  t.deepEqual([await api.everything(), await reads()], [before, shown])
  for (const readOnly of [true, false]) {
    api.setReadOnly(readOnly)
    isRefused(t, await api.ask('GET', '/health'), 'no write has succeeded since')
    await api.host.store.probe()
  }
  t.like(await api.ask('GET', '/health'), { status: 200, body: { status: 'ok' } })
  t.deepEqual(await api.every(writeProbes), [])
  for (const [about, write] of writes) t.true((await write()).status < 300, about)
  const payment = await api.pay(pix.txid)
  await api.drain()
  t.deepEqual(await faultsOf(api.host.store, [{ endToEndId: payment.body.end_to_end_id, valueCents: 15_050 }]), [])
})
