import test from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import {
  always,
  type Collection,
  eq,
  gt,
  insert,
  t as io,
  not,
  orNull,
  patch,
  record,
  remove,
} from '../../../core/kernel/records/record.ts'
import { ensureJobs, jobCollection, jobQueue } from '../../../core/kernel/running/jobs.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import { type Migration, migrationJobs, migrationOf, refuseUnmigrated } from '../../../core/office/migrations.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { beforeCommits, justBefore, writesTo } from '../kernel/running/tasks.ts'

const letter = record({ id: io.number, to: orNull(io.string) })
const parcel = record({ id: io.string, to: io.string })
const plain = { owner: null, ids: 'integer' } as const
const letters: Collection<io.TypeOf<typeof letter>> = { ...plain, name: 'test.letters', codec: letter }
const parcels: Collection<io.TypeOf<typeof parcel>> = { ...plain, ids: 'text', name: 'test.parcels', codec: parcel }
const jobs = jobCollection('test.jobs')

const repack = migrationOf({
  name: 'repack',
  from: letters,
  where: not(eq('to', null)),
  changes: ({ id, to }) =>
    to === null
      ? []
      : [patch(letters, id, { set: { to: null }, when: eq('to', to) }), insert(parcels, { id: `${id}`, to })],
})

const LETTERS = 250

const posted = async (): Promise<Store> => {
  const store = memoryStore([letters, parcels, jobs])
  for (let id = 1; id <= LETTERS; id += 1)
    await store.commit([insert(letters, { id, to: id % 5 === 0 ? null : `r${id}` })])
  return store
}

const migrating = (
  store: Store,
  migrations: readonly Migration[] = [repack],
  clock = setClock('2026-11-21T12:00:00.000Z'),
) => {
  const reports: string[] = []
  const rows = migrationJobs(store, migrations)
  const report = (error: unknown, at: string) =>
    reports.push(`${at}: ${error instanceof Error ? error.message : error}`)
  const background = worker({ runtime: { store, clock }, queues: [jobQueue({ store, clock }, jobs, rows)], report })
  const run = async () => {
    await ensureJobs({ store, clock }, jobs, rows)
    await background.drain()
  }
  return { run, clock, reports }
}

const everyParcel = async (store: Store) =>
  (await store.list(listOf(parcels, { where: always, limit: LETTERS, total: true }))).total
const jobOf = (store: Store) => store.find(byId(jobs, 'step:repack'))

test('migrates every matching record in slices, and does not run again', async (t) => {
  const store = await posted()
  const first = migrating(store)
  await first.run()
  t.is(await everyParcel(store), LETTERS * 0.8)
  t.is((await jobOf(store))?.dueAt, null)
  await store.commit([insert(letters, { id: 999, to: 'late' })])
  first.clock.advance(3_600)
  await first.run()
  await migrating(store).run()
  t.is(await everyParcel(store), LETTERS * 0.8)
})

test('refuses a condition on a field that the collection never had', (t) => {
  const asking = (field: string, retired: readonly string[] = []) =>
    migrationOf({ name: 'repack', from: { ...letters, retired }, where: eq(field, 1), changes: () => [] })
  t.throws(() => asking('adress'), { message: 'repack: test.letters has no field adress, neither current nor retired' })
  t.notThrows(() => [asking('to'), asking('address', ['address'])])
})

test('refuses a store with an unfinished migration that this release does not have', async (t) => {
  const store = memoryStore([letters, parcels, jobs])
  const job = { attempts: 0, lastRunAt: null, place: null }
  await store.commit([
    insert(jobs, { ...job, id: 'step:repack', dueAt: '2026-11-21T12:00:00.000Z' }),
    insert(jobs, { ...job, id: 'step:finished', dueAt: null }),
    insert(jobs, { ...job, id: 'sweep', dueAt: '2026-11-21T12:00:00.000Z' }),
  ])
  await t.notThrowsAsync(refuseUnmigrated(store, jobs, [repack]))
  await t.throwsAsync(refuseUnmigrated(store, jobs, []), {
    instanceOf: StoreUnavailable,
    message: /^a release before 0\.10\.0 has written this store \(step:repack\)/,
  })
})

test('another process continues after a crash, and no record is migrated twice', async (t) => {
  const store = await posted()
  let commits = 0
  const dying = beforeCommits(store, () => {
    commits += 1
    if (commits > 170) throw new StoreUnavailable('died')
  })
  const first = migrating(dying)
  await first.run()
  t.true(((await everyParcel(store)) ?? 0) < LETTERS * 0.8)
  const clock = setClock('2026-11-21T12:00:00.000Z')
  clock.advance(3_600)
  await migrating(store, [repack], clock).run()
  t.is(await everyParcel(store), LETTERS * 0.8)
  t.is((await jobOf(store))?.dueAt, null)
})

test('skips a record that another process migrates meanwhile', async (t) => {
  const store = await posted()
  const meanwhile = justBefore(writesTo(letters))
  meanwhile.act = () => store.commit([remove(letters, 1, always)])
  const { run, reports } = migrating(meanwhile.on(store))
  await run()
  t.deepEqual(reports, [])
  t.is(await everyParcel(store), LETTERS * 0.8 - 1)
  t.is((await jobOf(store))?.dueAt, null)
})

test('reports a record that fails, migrates the others, and retries it', async (t) => {
  const store = await posted()
  let isBroken = true
  const migration = migrationOf({
    name: 'repack',
    from: letters,
    where: gt('id', 0),
    changes: (each) => {
      if (isBroken && each.id === 7) throw new Error('torn')
      return each.to === null
        ? []
        : [
            patch(letters, each.id, { set: { to: null }, when: eq('to', each.to) }),
            insert(parcels, { id: `${each.id}`, to: each.to }),
          ]
    },
  })
  const { run, clock, reports } = migrating(store, [migration])
  await run()
  t.is(await everyParcel(store), LETTERS * 0.8 - 1)
  t.true(reports.includes('test.letters/7: torn'), reports.join())
  t.not((await jobOf(store))?.dueAt, null)
  isBroken = false
  clock.advance(3_600)
  await run()
  t.is(await everyParcel(store), LETTERS * 0.8)
  t.is((await jobOf(store))?.dueAt, null)
})
