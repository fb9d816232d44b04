import { chmod, cp, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { CannotStart, readEnvironment } from '../../../apps/host/environment.ts'
import { openHost, ownDataDirectory } from '../../../apps/host/host.ts'
import { refuseMissing } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { STORE_SECRETS } from '../store-url.ts'
import { disk, fill, folder, remount } from './disk.ts'

// Files must be restricted to their owner even without a umask.
process.umask(0)

const opened = async (t: ExecutionContext, DATA_DIR: string, STORE_URL = `sqlite:${join(DATA_DIR, 'portico.db')}`) => {
  const warnings: string[] = []
  const settings = readEnvironment({ DATA_DIR, STORE_URL })
  const host = await openHost(settings, [payments], (line) => warnings.push(line))
  t.teardown(() => host.close())
  return { host, warnings }
}

const refusal = async (t: ExecutionContext, DATA_DIR: string): Promise<string> => {
  const { message } = await t.throwsAsync<CannotStart>(opened(t, DATA_DIR), { instanceOf: CannotStart })
  t.false(message.includes('\n'), message)
  return message
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8)

const modes = async (directory: string): Promise<Readonly<Record<string, string>>> => {
  const names = (await readdir(directory, { recursive: true })).sort()
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await modeOf(join(directory, name))])))
}

const STORE = { 'portico.db': '600', 'portico.db-shm': '600', 'portico.db-wal': '600' }
const SECRETS = { 'data-key': '600', 'jwt-secret': '600' }

test('restricts a new folder and its files to their owner', async (t) => {
  const directory = join(await folder(t), 'a', 'data')
  const { host, warnings } = await opened(t, directory)
  await host.files.write('one', Buffer.from('x'))
  t.is(await modeOf(directory), '700')
  t.deepEqual(await modes(directory), { ...SECRETS, ...STORE, files: '700', 'files/one': '600' })
  t.deepEqual(warnings, [])
})

/** Creates a folder as left by a crash of an earlier release. */
const ofEarlierRelease = async (t: ExecutionContext, directory: string): Promise<void> => {
  const living = await folder(t)
  await opened(t, living)
  await cp(living, directory, { recursive: true })
  await chmod(directory, 0o755)
  for (const name of Object.keys(STORE)) await chmod(join(directory, name), 0o644)
}

test('restricts the files of an earlier release to their owner', async (t) => {
  const directory = await folder(t)
  await ofEarlierRelease(t, directory)
  await mkdir(join(directory, 'files'), { mode: 0o755 })
  const { warnings } = await opened(t, directory)
  t.is(await modeOf(directory), '700')
  t.deepEqual(await modes(directory), { ...SECRETS, ...STORE, files: '700' })
  t.deepEqual(warnings, [])
})

test('does not change the target of a link', async (t) => {
  const directory = await folder(t)
  const [linked, elsewhere] = [join(directory, 'portico.db-journal'), join(await folder(t), 'foreign')]
  await writeFile(elsewhere, 'x')
  await chmod(elsewhere, 0o644)
  await symlink(elsewhere, linked)
  await ownDataDirectory({ DATA_DIR: directory, STORE_URL: `sqlite:${join(directory, 'portico.db')}` }, t.fail)
  t.is(await modeOf(elsewhere), '644')
})

test('refuses a missing store if a generated secret is in use', async (t) => {
  const directory = await folder(t)
  const { host } = await opened(t, directory)
  await host.close()
  for (const name of Object.keys(STORE)) await rm(join(directory, name), { force: true })
  const line = (secret: string): string =>
    `STORE_URL: there is no ${directory}/portico.db, and ${directory}/${secret} is the secret of a store: ` +
    `put that store back or name it by STORE_URL, or remove ${directory}/${secret} to begin a new store`
  t.is(await refusal(t, directory), line('data-key'))
  const { DATA_KEY, JWT_SECRET } = STORE_SECRETS
  const started = (env: Readonly<Record<string, string>>) => {
    refuseMissing(readEnvironment({ DATA_DIR: directory, ...env }))
    return null
  }
  t.throws(() => started({ DATA_KEY }), { message: line('jwt-secret') })
  t.is(started({ DATA_KEY, JWT_SECRET }), null)
  t.is(started({ STORE_URL: 'memory:' }), null)
})

test('refuses a new default store if the one of 0.10.0 exists', async (t) => {
  const [directory, before] = [await folder(t), join(await folder(t), 'portico.db')]
  await writeFile(before, 'a store')
  const settings = readEnvironment({ DATA_DIR: `${directory}/` })
  t.is(settings.STORE_URL, `sqlite:${directory}/portico.db`)
  const remedy = `move it, with its -wal and -shm, to ${directory}/portico.db, or set STORE_URL=sqlite:${before}`
  const found = `${before}, the default up to 0.10.0, is there: ${remedy}`
  const message = `STORE_URL: there is no ${directory}/portico.db, and ${found}`
  t.throws(() => refuseMissing(settings, before), { message })
  await writeFile(join(directory, 'data-key'), '')
  t.throws(() => refuseMissing(settings, before), {
    message: message.replace(', and', `, and ${directory}/data-key is the secret of a store, and`),
  })
  await rm(join(directory, 'data-key'))
  // A store with a key beside it belongs to another instance.
  t.notThrows(() => refuseMissing(readEnvironment({ DATA_DIR: directory, STORE_URL: settings.STORE_URL }), before))
  await writeFile(join(before, '../data-key'), '')
  t.notThrows(() => refuseMissing(settings, before))
})

test('starts all processes that begin an empty folder simultaneously', async (t) => {
  const directory = await folder(t)
  const begun = await Promise.all([1, 2, 3].map(() => opened(t, directory)))
  t.is(new Set(begun.map(({ host }) => Buffer.from(host.secrets.dataKey).toString('hex'))).size, 1)
})

test('warns of a folder with other files, and does not change it', async (t) => {
  const directory = await folder(t)
  await ofEarlierRelease(t, directory)
  await writeFile(join(directory, 'letter.txt'), 'not ours', { mode: 0o644 })
  const { warnings } = await opened(t, directory)
  t.is(await modeOf(directory), '755')
  t.deepEqual(await modes(directory), { ...SECRETS, ...STORE, 'letter.txt': '644' })
  t.deepEqual(warnings, [
    `${directory} is accessible to other users (mode 755) and was not restricted: it contains other files`,
  ])
})

test('restricts a store elsewhere to its owner, but not its folder', async (t) => {
  const [directory, elsewhere] = [await folder(t), await folder(t)]
  await chmod(elsewhere, 0o755)
  const url = `sqlite:${join(elsewhere, 'portico.db')}`
  await opened(t, directory, url)
  for (const name of Object.keys(STORE)) await chmod(join(elsewhere, name), 0o644)
  const { warnings } = await opened(t, directory, url)
  t.is(await modeOf(elsewhere), '755')
  t.deepEqual(await modes(elsewhere), STORE)
  t.deepEqual(await modes(directory), SECRETS)
  t.deepEqual(warnings, [])
})

for (const name of ['data-key', 'jwt-secret'])
  test(`refuses an empty ${name}, and does not change it`, async (t) => {
    const directory = await folder(t)
    const { host } = await opened(t, directory)
    await host.close()
    await writeFile(join(directory, name), '')
    const line = await refusal(t, directory)
    t.true(
      line.startsWith(`DATA_DIR: ${join(directory, name)} has 0 bytes instead of a secret of 32 bytes in base64: `),
      line,
    )
    t.is((await stat(join(directory, name))).size, 0)
  })

test('reads existing secrets from a full or read-only disk, and writes nothing', async (t) => {
  const path = await disk(t, '64k')
  if (path === null) return
  const url = `sqlite:${join(await folder(t), 'portico.db')}`
  const first = await opened(t, path, url)
  await first.host.close()
  await fill(path)
  const before = (await readdir(path)).sort()
  for (const how of ['rw', 'ro'] as const) {
    remount(path, how)
    const { host, warnings } = await opened(t, path, url)
    t.deepEqual(host.secrets, first.host.secrets)
    t.deepEqual((await readdir(path)).sort(), before)
    t.deepEqual(warnings, [])
    await host.close()
  }
})

test('refuses a full disk without secrets, and leaves nothing there', async (t) => {
  const path = await disk(t, '64k')
  if (path === null) return
  await fill(path)
  const url = `sqlite:${join(await folder(t), 'portico.db')}`
  const { message } = await t.throwsAsync<CannotStart>(opened(t, path, url), { instanceOf: CannotStart })
  t.regex(message, /^DATA_DIR: .*(jwt-secret|data-key) cannot be stored: ENOSPC/)
  t.deepEqual(await readdir(path), ['filler'])
  const line = await refusal(t, path)
  t.regex(line, /^(DATA_DIR|STORE_URL): .*(ENOSPC|full)/)
  t.deepEqual(await readdir(path), ['filler'])
})

test('restricts a new folder of a store elsewhere to its owner', async (t) => {
  const home = await folder(t)
  await opened(t, join(home, 'data'), `sqlite:${join(home, 'store/portico.db')}`)
  t.deepEqual([await modeOf(join(home, 'data')), await modeOf(join(home, 'store'))], ['700', '700'])
})
