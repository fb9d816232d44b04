import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { type AnyCollection, fieldCodecs, t as io, orNull, record } from '../../../core/kernel/records/record.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { bundleOf } from '../../bundle.ts'
import { disk, fill, folder } from '../host/disk.ts'
import { type Command, type Printed, printedInTurn } from '../host/process.ts'
import { issue, merchant } from '../payments/given/merchants.ts'
import { startProcess } from '../processes/processes.ts'
import { FIXTURE_FOLDER } from '../releases/fixtures.ts'
import { worked } from '../rows/wire.ts'
import { STORE_SECRETS } from '../store-url.ts'

/** Both apps: with one, the store would lack the tables of the other. */
const bothApps = () => bundleOf('tests/apps/host/program.ts')
const storeIn = (directory: string): string => `sqlite:${join(directory, 'portico.db')}`
const command = (DATA_DIR: string, ...words: readonly string[]): Command => [words, storeIn(DATA_DIR), { DATA_DIR }]
const NONE: Printed = { code: null, out: [], err: '' }
const run = async (...words: Parameters<typeof command>): Promise<Printed> =>
  (await printedInTurn([command(...words)]))[0] ?? NONE

/** Asserts one line on standard error, and exit code 1. */
const refuses = (t: ExecutionContext, { code, out, err }: Printed = NONE, line: RegExp): void => {
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

  const restores = [command(data, 'restore', copy), command(elsewhere, 'restore', copy)]
  const [refused, restored = NONE] = await printedInTurn(restores)
  refuses(t, refused, /^STORE_URL: .*portico\.db is not empty: move it away/)
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
  const home = await folder(t)
  const [data, copy, target] = ['data', 'copy', 'target'].map((name) => join(home, name)) as [string, string, string]
  await cp(join(FIXTURE_FOLDER, 'sqlite'), data, { recursive: true })
  const stored = await readFile(join(data, 'portico.db'))
  const [backup = NONE, again, nowhere, wrong = NONE] = await printedInTurn([
    command(data, 'backup', copy),
    command(data, 'backup', copy),
    command(data, 'backup', '/proc/portico/copy'),
    [['restore', copy], storeIn(target), { ...STORE_SECRETS, DATA_DIR: target }],
  ])
  const { code, out, err } = backup
  t.deepEqual([code, err], [0, ''])
  t.true(out.includes('audit: of a second copy that this release upgrades, and removes'), out.join('\n'))
  t.is(
    out.at(-1),
    `DATA_KEY (${join(data, 'data-key')}) is not in this copy: keep it elsewhere, since the copy cannot be opened without it`,
  )
  t.deepEqual((await readdir(copy)).sort(), ['files', 'portico.db'])
  t.deepEqual(await readFile(join(data, 'portico.db')), stored)

  refuses(t, again, /copy is not empty: name a new directory\n$/)
  refuses(t, nowhere, /^\/proc\/portico\/copy cannot be written: .*\n$/)
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
  const codec = record({ ...(fieldCodecs(clients.codec) as io.Props), later: orNull(io.string) })
  const newer = await openStore(storeIn(data), [{ ...clients, codec: codec as AnyCollection['codec'] }])
  t.teardown(() => newer.close())
  const begun = join(data, 'begun')
  await mkdir(begun)
  await writeFile(join(begun, 'portico.db'), '')
  const refusals: readonly (readonly [command: Command, line: RegExp])[] = [
    [command(data, 'backup', copy), /^STORE_URL: .* a newer release has written this store .*\n$/],
    [command(join(home, 'none'), 'backup', copy), /^STORE_URL: there is no .*\n$/],
    [command(data, 'restore', home), /is no backup: it has no portico\.db\n$/],
    [command(join(home, 'none'), 'restore', begun), /portico\.db is damaged: it has no store\n$/],
    [command(data, 'backup', '--all'), /^portico backup DIR \[--with-keys\]\n$/],
    [command(data, 'restore'), /^portico restore DIR\n$/],
    [[['backup', copy], 'memory:'], /^STORE_URL: a store in memory .*\n$/],
  ]
  const url = 'mongodb://ana:hu@nt/er2@a,b/portico?replicaSet=rs0&tlsCertificateKeyFilePassword=hunter3'
  const tools = { backup: 'mongodump', restore: 'mongorestore' }
  const results = await printedInTurn([
    ...refusals.map(([each]) => each),
    ...Object.keys(tools).map((program): Command => [[program, '/b'], url]),
  ])
  for (const [index, [, line]] of refusals.entries()) refuses(t, results[index], line)
  t.deepEqual(await readdir(home), ['data'])
  for (const [index, tool] of Object.values(tools).entries()) {
    const { code, err } = results[refusals.length + index] ?? NONE
    const proposal = `${tool} --uri='mongodb://a,b/portico?replicaSet=rs0' --username=USER --gzip --archive='/b.archive.gz'`
    t.deepEqual([code, err.endsWith(`: ${proposal}\n`), /ana|er2|hunter3/.test(err)], [1, true, false], err)
  }
})

test('ends a backup and a restore on a full disk with one line, and leaves nothing', async (t) => {
  const full = await disk(t, '4m')
  if (full === null) return
  const home = await folder(t)
  const data = join(home, 'data')
  await cp(join(FIXTURE_FOLDER, 'sqlite'), data, { recursive: true })
  t.is((await run(data, 'backup', join(home, 'copy'), '--with-keys')).code, 0)
  await fill(full, 400_000)
  const results = await printedInTurn([
    command(data, 'backup', join(full, 'copy')),
    command(join(full, 'data'), 'restore', join(home, 'copy')),
  ])
  for (const { code, err } of results) {
    t.is(code, 1)
    t.regex(err, /^.* cannot be (made|restored): .*\n$/)
  }
  t.deepEqual(await readdir(full), ['filler'])
})
