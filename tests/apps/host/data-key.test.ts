// Also runs on MongoDB, in test:long.
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { CannotStart, readEnvironment } from '../../../apps/host/environment.ts'
import { collectionsOf, type Host, openHost } from '../../../apps/host/host.ts'
import { openStore, sqlitePath } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, remove } from '../../../core/kernel/records/record.ts'
import { keyChecks } from '../../../core/office/data-key-check.ts'
import { byId } from '../../../core/ports/store.ts'
import { openTestApi } from '../payments/test-api.ts'
import { databaseUrl, STORE_SECRETS } from '../store-url.ts'
import { folder } from './disk.ts'

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
/** The key of the tests' stores, and another one. */
const RIGHT = STORE_SECRETS.DATA_KEY
const WRONG = keyOf(9)

const storeUrl = (directory: string): string => {
  const server = process.env.TEST_MONGODB_URL
  return server ? databaseUrl(server) : `sqlite:${join(directory, 'portico.db')}`
}

type Place = Readonly<Record<'DATA_DIR' | 'STORE_URL', string>>
type Env = Readonly<Record<string, string>>

const open = async (t: ExecutionContext, env: Env): Promise<Host> => {
  const host = await openHost(readEnvironment(env), [payments], t.fail)
  t.teardown(() => host.close())
  return host
}

const refusal = async (t: ExecutionContext, env: Env): Promise<string> => {
  const refused = await t.throwsAsync<CannotStart>(openHost(readEnvironment(env), [payments], t.fail), {
    instanceOf: CannotStart,
  })
  t.false(refused.message.includes('\n'), refused.message)
  return refused.message
}

const storeIn = (STORE_URL: string): string => `the store ${sqlitePath(STORE_URL) ?? ''}`.trimEnd()
const other = (found: string, { DATA_DIR, STORE_URL }: Place): string =>
  `DATA_KEY: the key ${found} is not the one that encrypted the values of ${storeIn(STORE_URL)}: ${expected(DATA_DIR)}`
const lost = ({ DATA_DIR, STORE_URL }: Place): string =>
  `DATA_KEY: ${storeIn(STORE_URL)} has encrypted values, and their key is missing: ${expected(DATA_DIR)}`
const expected = (DATA_DIR: string): string => `set the right key, or put it in ${join(DATA_DIR, 'data-key')}`

test('opens a store only with its first key, also before it contains a secret', async (t) => {
  const DATA_DIR = await folder(t)
  const env = { ...STORE_SECRETS, DATA_DIR, STORE_URL: storeUrl(DATA_DIR) }
  await (await open(t, env)).close()
  t.is(await refusal(t, { ...env, DATA_KEY: WRONG }), other('received', env))
  // Another JWT_SECRET only ends sessions.
  const again = await open(t, { ...env, JWT_SECRET: 'x'.repeat(32) })
  const { records } = await again.store.list({ kind: 'list', from: keyChecks, where: always, limit: 9 })
  t.is(records.length, 1)
  t.false(JSON.stringify(records).includes(RIGHT))
})

test('accepts one key if processes begin a store simultaneously with different keys', async (t) => {
  const DATA_DIR = await folder(t)
  const env = { ...STORE_SECRETS, DATA_DIR, STORE_URL: storeUrl(DATA_DIR) }
  // The collections are there: all of them are as fast.
  await (await openStore(env.STORE_URL, collectionsOf([payments]))).close()
  const keys = [1, 2, 1, 2].map(keyOf)
  const settled = await Promise.allSettled(
    keys.map((DATA_KEY) => openHost(readEnvironment({ ...env, DATA_KEY }), [payments], t.fail)),
  )
  const went = settled.map(({ status }) => status === 'fulfilled')
  t.true(went[0] !== went[1])
  t.deepEqual(went.slice(0, 2), went.slice(2))
  for (const each of settled) {
    if (each.status === 'fulfilled') await each.value.close()
    else t.is(each.reason.message, other('received', env))
  }
})

/** Secrets of an earlier release, which stored no check value of the key. */
const unmarked: readonly [string, (api: Awaited<ReturnType<typeof openTestApi>>) => Promise<unknown>][] = [
  ['an account', (api) => api.merchant()],
  ['a mail', (api) => api.person()],
]

for (const [what, make] of unmarked)
  test(`opens a store of an earlier release with ${what} only with its key, and stores the check value`, async (t) => {
    const api = await openTestApi(t)
    await make(api)
    const { STORE_URL, DATA_DIR } = api.host.settings
    const env = { ...STORE_SECRETS, DATA_DIR, STORE_URL }
    const { store } = api.host
    t.true((await store.commit([remove(keyChecks, 'data-key', always)])).ok)
    t.is(await refusal(t, { ...env, DATA_KEY: WRONG }), other('received', env))
    t.is(await store.find(byId(keyChecks, 'data-key')), null)
    await open(t, env)
    const mark = await store.find(byId(keyChecks, 'data-key'))
    t.is(aesCipher(Buffer.from(RIGHT, 'base64')).open(mark?.sealed ?? '', 'host.key-checks/data-key'), 'portico')
    await open(t, env)
  })

const onSqlite = async (t: ExecutionContext) => {
  const DATA_DIR = await folder(t)
  const path = join(DATA_DIR, 'portico.db')
  return { DATA_DIR, path, env: { DATA_DIR, STORE_URL: `sqlite:${path}` } }
}

test('does not replace a lost key', async (t) => {
  const { DATA_DIR, env } = await onSqlite(t)
  const { secrets, close } = await open(t, env)
  await close()
  const file = join(DATA_DIR, 'data-key')
  await rm(file)
  t.is(await refusal(t, env), lost(env))
  await t.throwsAsync(stat(file), { code: 'ENOENT' })
  await writeFile(file, WRONG)
  t.is(await refusal(t, env), other(`in ${file}`, env))
  t.is(await readFile(file, 'utf8'), WRONG)
  await writeFile(file, Buffer.from(secrets.dataKey).toString('base64'))
  t.deepEqual((await open(t, env)).secrets, secrets)
})

test('does not replace a lost key of an earlier release', async (t) => {
  const { DATA_DIR, env } = await onSqlite(t)
  const api = await openTestApi(t, { env, open: (_url, collections) => openStore(env.STORE_URL, collections) })
  await api.merchant()
  t.is(await refusal(t, env), lost(env))
  await t.throwsAsync(stat(join(DATA_DIR, 'data-key')), { code: 'ENOENT' })
})

test('refuses an emptied store if its key exists', async (t) => {
  const { DATA_DIR, path, env } = await onSqlite(t)
  await (await open(t, env)).close()
  await rm(path)
  await writeFile(path, '')
  const emptied = (key: string) =>
    `STORE_URL: ${path} is empty (0 bytes), but ${key} is the secret of a store: ` +
    'restore it from a copy, or remove the empty file to begin a new store'
  t.is(await refusal(t, env), emptied(join(DATA_DIR, 'data-key')))
  t.is((await stat(path)).size, 0)
  await rm(join(DATA_DIR, 'data-key'))
  t.is(await refusal(t, { ...env, ...STORE_SECRETS }), emptied(join(DATA_DIR, 'jwt-secret')))
  await rm(join(DATA_DIR, 'jwt-secret'))
  t.is(await refusal(t, { ...env, ...STORE_SECRETS, NODE_ENV: 'production' }), emptied('DATA_KEY'))
  // A developer may have made the file and the key.
  await (await open(t, { ...env, ...STORE_SECRETS })).close()
  await rm(path)
  await open(t, { ...env, ...STORE_SECRETS, NODE_ENV: 'production' })
})

test('opens a store in memory with any key', async (t) => {
  const DATA_DIR = await folder(t)
  for (const DATA_KEY of [RIGHT, WRONG]) {
    const { store } = await open(t, { DATA_DIR, DATA_KEY, STORE_URL: 'memory:' })
    t.is(await store.find(byId(keyChecks, 'data-key')), null)
  }
})
