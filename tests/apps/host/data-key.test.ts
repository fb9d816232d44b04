// Also runs on MongoDB.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { CannotStart, readEnvironment } from '../../../apps/host/environment.ts'
import { collectionsOf, type Host, openHost } from '../../../apps/host/host.ts'
import { openStore, sqlitePath } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { remove } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { keyChecks } from '../../../core/office/data-key-check.ts'
import { byId } from '../../../core/ports/store.ts'
import { openTestApi } from '../payments/test-api.ts'
import { databaseUrl, STORE_SECRETS } from '../store-url.ts'

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
/** That of the tests' stores, and another one. */
const RIGHT = STORE_SECRETS.DATA_KEY
const WRONG = keyOf(9)

/** A store that nobody has begun. */
const storeUrl = (directory: string): string => {
  const server = process.env.TEST_MONGODB_URL
  return server ? databaseUrl(server) : `sqlite:${join(directory, 'portico.db')}`
}

const folder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'portico-key-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
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

test('a store is opened by the key that it was begun with and by no other, before there is any secret in it', async (t) => {
  const DATA_DIR = await folder(t)
  const env = { ...STORE_SECRETS, DATA_DIR, STORE_URL: storeUrl(DATA_DIR) }
  await (await open(t, env)).close()
  t.is(await refusal(t, { ...env, DATA_KEY: WRONG }), other('received', env))
  // Who signs tokens may change: sessions end, and nothing is lost.
  const again = await open(t, { ...env, JWT_SECRET: 'x'.repeat(32) })
  const { records } = await again.store.list({ kind: 'list', from: keyChecks, where: always, limit: 9 })
  t.is(records.length, 1)
  t.false(JSON.stringify(records).includes(RIGHT))
})

test('of processes that begin a store at once with different keys, those with one of the keys go on', async (t) => {
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

/** What an earlier release kept: secrets, and nothing to know the key by. */
const unmarked: readonly [string, (api: Awaited<ReturnType<typeof openTestApi>>) => Promise<unknown>][] = [
  ['an account', (api) => api.merchant()],
  ['a mail', (api) => api.person()],
]

for (const [what, make] of unmarked)
  test(`a store of an earlier release that keeps ${what} is opened by its key and by no other, and marked`, async (t) => {
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

test('a key that was lost is not replaced by a new one', async (t) => {
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

test('a key that was lost by a store of an earlier release is not replaced either', async (t) => {
  const { DATA_DIR, env } = await onSqlite(t)
  const api = await openTestApi(t, { env, open: (_url, collections) => openStore(env.STORE_URL, collections) })
  await api.merchant()
  t.is(await refusal(t, env), lost(env))
  await t.throwsAsync(stat(join(DATA_DIR, 'data-key')), { code: 'ENOENT' })
})

test('a store that was emptied is not taken for a new one where there is its key', async (t) => {
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

test('what is kept in memory is begun with any key', async (t) => {
  const DATA_DIR = await folder(t)
  for (const DATA_KEY of [RIGHT, WRONG]) {
    const { store } = await open(t, { DATA_DIR, DATA_KEY, STORE_URL: 'memory:' })
    t.is(await store.find(byId(keyChecks, 'data-key')), null)
  }
})
