import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { bundleOf } from '../../bundle.ts'
import { disk, fill, folder } from '../host/disk.ts'
import { type Printed, printed } from '../host/process.ts'
import { issue, merchant, worked } from '../processes/merchants.ts'
import { startProcess } from '../processes/processes.ts'
import { fixtures, folderOf } from '../releases/fixtures.ts'
import { openWithOneMore } from '../releases/outlives.ts'
import { STORE_SECRETS } from '../store-url.ts'

/** Both apps: with one, the store would lack the tables of the other. */
const bothApps = () => bundleOf('tests/apps/host/program.ts')
const storeIn = (directory: string): string => `sqlite:${join(directory, 'portico.db')}`
const run = (DATA_DIR: string, ...words: readonly string[]): Promise<Printed> =>
  printed(words, storeIn(DATA_DIR), { DATA_DIR })

/** Asserts one line on standard error, and exit code 1. */
const refuses = (t: ExecutionContext, { code, out, err }: Printed, line: RegExp): void => {
  t.deepEqual([code, out], [1, ['']])
  t.regex(err, line)
  t.is(err.indexOf('\n'), err.length - 1)
}

test('backs up a store during writes, and restores it after the server was killed', async (t) => {
  const home = await folder(t)
  const [data, copy, elsewhere] = ['data', 'copy', 'elsewhere'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  const server = await startProcess(storeIn(data), { DATA_DIR: data }, bothApps())
  t.teardown(() => server.end('SIGKILL'))
  const owner = await merchant(server)
  await mkdir(join(data, 'files'), { recursive: true })
  await writeFile(join(data, 'files', 'stored-file'), 'content')
  const before = await issue(server, owner)
  let isOver = false
  const writing = (async () => {
    for (let count = 0; ; count += 1) {
      if (isOver) return count
      await issue(server, owner)
    }
  })()
  const backup = await run(data, 'backup', copy, '--with-keys')
  isOver = true
  t.true((await writing) > 0)
  await server.end('SIGKILL')

  t.deepEqual([backup.code, backup.err], [0, ''])
  t.deepEqual(
    backup.out.slice(0, 4).map((line) => line.replace(/\d+/g, 'N')),
    ['store: N bytes', 'files: N', 'keys: data-key, jwt-secret', 'database: sound'],
  )
  t.regex(backup.out[4] ?? '', /^audit trail: .*: sound$/)
  t.deepEqual(backup.out.slice(-2), [
    `backup: ${copy}`,
    'DATA_KEY is in this copy: keep it as safe as the store itself',
  ])
  t.deepEqual((await readdir(copy)).sort(), ['data-key', 'files', 'jwt-secret', 'portico.db'])
  for (const name of ['data-key', 'jwt-secret', 'portico.db', 'files/stored-file'])
    t.is((await stat(join(copy, name))).mode & 0o777, 0o600, name)

  refuses(t, await run(data, 'restore', copy), /^STORE_URL: .*portico\.db is not empty: move it away/)
  const restored = await run(elsewhere, 'restore', copy)
  t.deepEqual([restored.code, restored.err, restored.out.at(-1)], [0, '', `restore: ${join(elsewhere, 'portico.db')}`])
  t.is(await readFile(join(elsewhere, 'files', 'stored-file'), 'utf8'), 'content')
  const again = await startProcess(storeIn(elsewhere), { DATA_DIR: elsewhere }, bothApps())
  t.teardown(() => again.end('SIGKILL'))
  // The killed server's secret signed the token.
  const { token } = owner
  t.is(worked(await again.ask('GET', `/invoices/${before.id}`, { token })).data.id, before.id)
  await issue(again, owner)
})

test('copies a store of an earlier release unchanged, and restores it only with its key', async (t) => {
  const [fixture] = fixtures()
  const home = await folder(t)
  const [data, copy, target] = ['data', 'copy', 'target'].map((name) => join(home, name)) as [string, string, string]
  await cp(join(folderOf(fixture?.release ?? ''), 'sqlite'), data, { recursive: true })
  const stored = await readFile(join(data, 'portico.db'))
  const { code, out, err } = await run(data, 'backup', copy)
  t.deepEqual([code, err], [0, ''])
  t.true(out.includes('audit: of a second copy that this release upgrades, and removes'), out.join('\n'))
  t.is(
    out.at(-1),
    `DATA_KEY (${join(data, 'data-key')}) is not in this copy: keep it elsewhere, since the copy cannot be opened without it`,
  )
  t.deepEqual((await readdir(copy)).sort(), ['files', 'portico.db'])
  t.deepEqual(await readFile(join(data, 'portico.db')), stored)

  refuses(t, await run(data, 'backup', copy), /copy is not empty: name a new directory\n$/)
  const wrong = await printed(['restore', copy], storeIn(target), { ...STORE_SECRETS, DATA_DIR: target })
  t.deepEqual([wrong.code, (await readdir(home)).includes('target')], [1, false])
  t.regex(wrong.err, /^DATA_KEY: the key received is not the one .*\n$/)
  t.regex(
    (await run(target, 'restore', copy)).out.at(-1) ?? '',
    /^DATA_KEY is not in this copy: set it before the start/,
  )
})

test('refuses impossible backups and restores with one line, and leaves nothing', async (t) => {
  const home = await folder(t)
  const [data, copy] = [join(home, 'data'), join(home, 'copy')]
  const newer = await openWithOneMore(storeIn(data), [])
  refuses(t, await run(data, 'backup', copy), /^STORE_URL: .* a newer release has written this store .*\n$/)
  await newer.close()
  refuses(t, await run(join(home, 'none'), 'backup', copy), /^STORE_URL: there is no .*\n$/)
  refuses(t, await run(data, 'restore', home), /is no backup: it has no portico\.db\n$/)
  refuses(t, await run(data, 'backup', '--all'), /^portico backup DIR \[--with-keys\]\n$/)
  refuses(t, await run(data, 'restore'), /^portico restore DIR\n$/)
  t.deepEqual(await readdir(home), ['data'])

  refuses(t, await printed(['backup', copy], 'memory:'), /^STORE_URL: a store in memory .*\n$/)
  const url = 'mongodb://ana:hu@nt/er2@a,b/portico?replicaSet=rs0&tlsCertificateKeyFilePassword=hunter3'
  for (const [program, tool] of Object.entries({ backup: 'mongodump', restore: 'mongorestore' })) {
    const { code, err } = await printed([program, '/b'], url)
    const command = `${tool} --uri='mongodb://a,b/portico?replicaSet=rs0' --username=USER --gzip --archive='/b.archive.gz'`
    t.deepEqual([code, err.endsWith(`: ${command}\n`), /ana|er2|hunter3/.test(err)], [1, true, false], err)
  }
})

test('ends a backup and a restore on a full disk with one line, and leaves nothing', async (t) => {
  const full = await disk(t, '4m')
  if (full === null) return
  const home = await folder(t)
  const [fixture] = fixtures()
  const data = join(home, 'data')
  await cp(join(folderOf(fixture?.release ?? ''), 'sqlite'), data, { recursive: true })
  t.is((await run(data, 'backup', join(home, 'copy'), '--with-keys')).code, 0)
  await fill(full, 400_000)
  for (const [place, ...words] of [
    [data, 'backup', join(full, 'copy')],
    [join(full, 'data'), 'restore', join(home, 'copy')],
  ] as const) {
    const { code, err } = await run(place, ...words)
    t.is(code, 1)
    t.regex(err, /^.* cannot be (made|restored): .*\n$/)
    t.deepEqual(await readdir(full), ['filler'])
  }
})
