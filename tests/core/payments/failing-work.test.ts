import test from 'ava'
import { type AnyCollection, type Change, eq, type Id, insert, type Rec } from '../../../core/kernel/records/record.ts'
import { ensureJobs, JOB_LEASE_SECONDS, type JobRow, jobQueue } from '../../../core/kernel/running/jobs.ts'
import type { Queue } from '../../../core/kernel/running/queue.ts'
import { type Fresh, freshOf } from '../../../core/kernel/running/use-case.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import { dayOf } from '../../../core/kernel/values/day.ts'
import { subscribersOf, sweepJob, sweepsOf } from '../../../core/office/worker.ts'
import { throttles } from '../../../core/payments/access/log-in.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { bankOperations, enqueueOperation, subjectOf } from '../../../core/payments/bank/operation.ts'
import { operationQueues } from '../../../core/payments/bank/run-operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { expiryJob } from '../../../core/payments/charges/end.ts'
import { CREATE_TITLE, createTitle, titleOrder } from '../../../core/payments/charges/titles.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { events, outbox, recordEvent } from '../../../core/payments/events.ts'
import { mailQueues } from '../../../core/payments/mail.ts'
import {
  audit,
  jobs,
  mails,
  messages,
  queueMail,
  queueMessage,
  recordAudit,
  shortMessages,
} from '../../../core/payments/office.ts'
import { parts } from '../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import { decideRegistration, registrationQueue } from '../../../core/payments/registrations/register.ts'
import { registrations } from '../../../core/payments/registrations/registration.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { anyDocument } from '../../apps/given/basics.ts'
import { aCharge, aClient, anAccount } from './records.ts'
import { NOW, openPayments, right } from './world.ts'

/** More records than a slice, and than the places of a queue. */
const FAILING = 150
const LATER_SECONDS = 40 * 86_400
const DAY = dayOf(NOW)

/** A kind of background work over waiting records. */
interface Kind {
  readonly of: AnyCollection
  /** The name of its queue, if its collection has several. */
  readonly queue?: string
  /** Inserts the nth record. */
  readonly make: (ports: PaymentsPorts, fresh: Fresh, nth: number) => readonly Change[]
  readonly work: (ports: PaymentsPorts) => readonly Queue[] | JobRow
  readonly isDone: (record: Rec | null) => boolean
  /** The wait before a retry. */
  readonly againSeconds: number
}

const NO_HOLDER = { email: null, document: null, userDocument: null, only: null }
const isGone = (record: Rec | null): boolean => record === null
const isOver = (record: Rec | null): boolean => record?.dueAt === null

const QUEUES: Readonly<Record<string, Kind>> = {
  events: {
    of: events,
    make: (_, fresh) => [recordEvent(fresh, 'charge.paid', { accountId: 1, subjectId: 1, data: {}, urls: [] })],
    work: (ports) => [outbox.queue(ports, subscribersOf(parts, ports))],
    isDone: isOver,
    againSeconds: 60,
  },
  mails: {
    of: mails,
    make: ({ cipher }, fresh) => [queueMail(cipher, fresh, { to: 'a@example.com', subject: 'a', blocks: [] })],
    work: mailQueues,
    isDone: isOver,
    againSeconds: 180,
  },
  messages: {
    of: messages,
    make: ({ cipher }, fresh, nth) => [
      queueMessage(cipher, fresh, { id: `m${nth}`, channel: 'sms', to: '1', text: 'a', expiresAt: '2099-01-01' }),
    ],
    work: (ports) => shortMessages.part.queues(ports),
    isDone: isOver,
    againSeconds: 180,
  },
  'chains of the audit': {
    of: audit.chains,
    make: (_, fresh, nth) =>
      recordAudit(fresh, { userId: 1 }, { chain: `account:${nth}`, action: 'pin.set', subject: `account:${nth}` }),
    work: (ports) => audit.part.queues(ports),
    isDone: isOver,
    againSeconds: 60,
  },
  'titles that the bank is asked for': {
    of: bankOperations,
    queue: `${bankOperations.name}.create-title`,
    make: (ports, fresh, nth) => {
      const txid = `T${nth}`
      const open = { pix: null, lapsesAt: null, operationId: txid, updatedAt: fresh.now }
      const charge = aCharge({ id: nth, code: `c${nth}`, txid, ...open })
      const order = titleOrder(txid, 'PIX', { charge, client: aClient, account: anAccount() })
      const input = { id: txid, accountId: 1, subject: subjectOf(charges, nth), order }
      return [insert(charges, charge), enqueueOperation(ports.cipher, CREATE_TITLE, input, fresh)]
    },
    work: (ports) => operationQueues([createTitle(ports)]),
    isDone: isOver,
    againSeconds: 60,
  },
  'abandoned registrations': {
    of: registrations,
    make: (ports, fresh, nth) => {
      const asked = { name: 'A', email: `a${nth}@example.com`, address: 'A', document: anyDocument() }
      return right(decideRegistration(ports, NO_HOLDER, { ...asked, origin: null }, fresh)).changes
    },
    work: (ports) => [registrationQueue(ports)],
    isDone: isGone,
    againSeconds: 60,
  },
}

const JOBS: Readonly<Record<string, Kind>> = {
  'the expiry of charges': {
    of: charges,
    // All at one instant, as the records of a day.
    make: (_, __, nth) => [
      insert(charges, aCharge({ id: nth, code: `c${nth}`, txid: `T${nth}`, lapsesAt: `${DAY}T03:00:00.000Z` })),
    ],
    work: expiryJob,
    isDone: (record) => record?.status === 'expired',
    againSeconds: 60,
  },
  'the sweep': {
    of: throttles,
    make: (_, { now }, nth) => [
      insert(throttles, { id: `${1_000 + nth}`, failures: 1, expiresAt: now, openTries: null }),
    ],
    work: (ports) => sweepJob(ports, sweepsOf(parts, ports)),
    isDone: isGone,
    againSeconds: 60,
  },
}

const isClaim = ([change, ...more]: readonly Change[]): boolean =>
  more.length === 0 && change?.kind === 'patch' && change.add?.attempts === 1

type Way = (changes: readonly Change[], at: Change['at']) => ReturnType<Store['commit']> | null
const broken = (): Promise<never> => Promise.reject(new Error('refused'))

const WAYS = {
  'cannot be claimed': broken,
  'cannot be done': (changes) => (isClaim(changes) ? null : broken()),
  'is never as it was read': async (_, at) => ({ ok: false, stale: at }),
} satisfies Record<string, Way>

/** A number of failing records followed by a good one, a worker of one process and its reports. */
const ground = async ({ of, queue = of.name, make, work, isDone }: Kind, way: Way) => {
  const { ports: plain, clock } = openPayments()
  const failing = new Set<string>()
  const store: Store = {
    ...plain.store,
    commit: (changes, hooks) => {
      const one = changes.find(({ at }) => failing.has(at.join('/')))
      return (one && way(changes, one.at)) ?? plain.store.commit(changes, hooks)
    },
  }
  const ports: PaymentsPorts = { ...plain, store }
  await plain.store.commit([insert(accounts, anAccount()), insert(clients, aClient)])
  const put = async (nth: number): Promise<Id> => {
    await Promise.all([of.name, 'payments.audit'].map((name) => plain.ids.refill(name)))
    const changes = make(plain, freshOf(plain).fresh, nth)
    const outcome = await plain.store.commit(changes)
    const made = changes.find(({ at }) => at[0] === of.name)
    if (!outcome.ok || !made) throw new Error(`the ${nth}th is not there`)
    return made.at[1]
  }
  for (let nth = 1; nth <= FAILING; nth += 1) failing.add(`${of.name}/${await put(nth)}`)
  clock.advance(1)
  const last = await put(FAILING + 1)
  clock.advance(LATER_SECONDS)

  const done = work(ports)
  const rows = 'run' in done ? [done] : []
  const reports: string[] = []
  const process = () =>
    worker({
      runtime: ports,
      queues: 'run' in done ? [jobQueue(ports, jobs, rows)] : done,
      report: (_, at) => reports.push(at.replace(`${queue}/`, `${of.name}/`)),
    })
  await ensureJobs(ports, jobs, rows)
  const isLastDone = async () => isDone(await plain.store.find(byId(of as never, last)))
  return { clock, plain, ports, process, reports, failing, isLastDone, work: done }
}

const cases = [
  ...Object.entries(QUEUES).flatMap(([name, kind]) =>
    (['cannot be claimed', 'cannot be done'] as const).map((way) => [name, kind, way] as const),
  ),
  ...Object.entries(JOBS).map(([name, kind]) => [name, kind, 'cannot be done'] as const),
  ['the expiry of charges', JOBS['the expiry of charges'] as Kind, 'is never as it was read'] as const,
]

for (const [name, kind, way] of cases)
  test(`${name}: what ${way} is reported, hides nothing, and is tried again later`, async (t) => {
    const { clock, process, reports, failing, isLastDone } = await ground(kind, WAYS[way])
    await process().drain()
    t.true(await isLastDone())
    t.deepEqual(reports.sort(), [...failing].sort())
    reports.length = 0
    const own = process()
    clock.advance(kind.againSeconds)
    await own.drain()
    t.deepEqual([...new Set(reports)].sort(), [...failing].sort(), 'again')
    t.is(reports.length, failing.size)
  })

test('ends the run if the store is unreachable, and continues it at the same place in any process', async (t) => {
  const kind = JOBS['the expiry of charges'] as Kind
  let isDown = false
  let taken = 0
  const { clock, plain, process, reports, isLastDone } = await ground(kind, () => {
    taken += 1
    // The first slice completes, the second fails.
    if (taken === 120) isDown = true
    return isDown ? Promise.reject(new StoreUnavailable('down')) : null
  })
  const countOf = async (status: string) =>
    (await plain.store.list(listOf(charges, { where: eq('status', status), limit: 1_000 }))).records.length
  await process().drain()
  t.deepEqual(reports, ['payments.jobs/expire-charges'])
  t.deepEqual([await countOf('expired'), await countOf('pending')], [119, 32])
  t.like(await plain.store.find(byId(jobs, 'expire-charges')), { attempts: 1, place: `["${DAY}T03:00:00.000Z",100]` })
  isDown = false
  const other = process()
  clock.advance(JOB_LEASE_SECONDS)
  await other.drain()
  t.true(await isLastDone())
  t.is(await countOf('expired'), FAILING + 1)
  t.like(await plain.store.find(byId(jobs, 'expire-charges')), { attempts: 0, place: null })
  t.is(reports.length, 1)
})
