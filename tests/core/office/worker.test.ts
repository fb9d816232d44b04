import test from 'ava'
import { memoryLog } from '../../../adapters/telemetry/log.ts'
import { type Collection, t as codec, insert, record } from '../../../core/kernel/records/record.ts'
import { sweepOf } from '../../../core/kernel/running/jobs.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { eventFields, outboxIn } from '../../../core/office/outbox.ts'
import { jobsIn, type Part, processesIn, withWorker } from '../../../core/office/worker.ts'
import { until } from '../kernel/running/tasks.ts'
import { COMPANY, openEstate, START } from './estate.ts'

const event = record({ ...eventFields(['lease.ended']), companyId: codec.string, leaseId: codec.string })
const outbox = outboxIn('estate', event, 'companyId')
const jobs = jobsIn('estate')
const processes = processesIn('estate')

const notes: Collection<{ id: string; expiresAt: string }> = {
  name: 'estate.notes',
  ids: 'text',
  codec: record({ id: codec.string, expiresAt: codec.string }),
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

const LIFE_SECONDS = 600

const openBusiness = () => {
  const { ports: plain, ...here } = openEstate([outbox.events, jobs, processes, notes])
  const alerts: string[] = []
  type Ports = typeof plain & { readonly log: ReturnType<typeof memoryLog> }
  const part: Part<Ports, codec.TypeOf<typeof event>> = {
    sweeps: [sweepOf(notes)],
    jobs: ({ clock }) => [
      {
        name: 'alerts',
        schedule: { at: '07:00' },
        run: async () => {
          alerts.push(clock.now())
          return null
        },
      },
    ],
    subscribers: () => [
      outbox.subscriber({
        name: 'notes',
        types: ['lease.ended'],
        read: async () => null,
        decide: ({ leaseId }, _, { now }) => [insert(notes, { id: leaseId, expiresAt: addSeconds(now, LIFE_SECONDS) })],
      }),
    ],
  }
  const ports: Ports = { ...plain, log: memoryLog() }
  const business = withWorker({ jobs, processes, outbox }, [part], ports)
  const end = (leaseId: string) =>
    business.ports.store.commit([
      outbox.record(freshOf(ports).fresh, { type: 'lease.ended', companyId: COMPANY, leaseId, data: {} }),
    ])
  return { ...here, ...business, alerts, end }
}

test('creates the records of its jobs at the start, and runs them when due', async (t) => {
  const { worker, every, alerts, clock } = openBusiness()
  t.is(jobs.name, 'estate.jobs')
  const working = worker()
  await working.prepare()
  t.like(await every(jobs), [
    { id: 'alerts', dueAt: '2026-11-22T10:00:00.000Z' },
    { id: 'sweep', dueAt: START },
  ])
  await working.drain()
  t.deepEqual(alerts, [])
  clock.set('2026-11-22T10:00:00.000Z')
  await working.drain()
  t.deepEqual(alerts, ['2026-11-22T10:00:00.000Z'])
})

test('delivers events to the subscribers of its parts, and sweeps expired records', async (t) => {
  const { worker, every, end, clock } = openBusiness()
  const working = worker()
  await working.prepare()
  await end('l-1')
  await working.drain()
  t.deepEqual(await every(notes), [{ id: 'l-1', expiresAt: addSeconds(START, LIFE_SECONDS) }])
  clock.advance(LIFE_SECONDS)
  await working.drain()
  t.deepEqual(await every(notes), [])
})

test('a commit by its ports wakes the worker, and an error of the work is logged', async (t) => {
  const { worker, every, end, ports } = openBusiness()
  const broken = outbox.subscriber({
    name: 'broken',
    types: ['lease.ended'],
    read: async () => Promise.reject(new Error('not read')),
    decide: () => [],
  })
  const working = worker({ parts: [{ subscribers: () => [broken] }] })
  void working.run()
  await end('l-1')
  await until(() => ports.log.warnings.length > 0)
  t.like(ports.log.warnings[0], { message: 'work failed' })
  t.is((await every(notes)).length, 1)
  await working.stop()
})
