// Runs in test:long only.
// Runs alone.

import test, { type ExecutionContext } from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { all, always, eq, insert, not, patch } from '../../../core/kernel/records/record.ts'
import { MAX_PER_HOST } from '../../../core/kernel/running/concurrency.ts'
import { codes } from '../../../core/payments/access/code.ts'
import { type Charge, charges } from '../../../core/payments/charges/charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { events } from '../../../core/payments/events.ts'
import { jobs } from '../../../core/payments/office.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { byId, listOf, type Store } from '../../../core/ports/store.ts'
import { onReplicaSet, type ReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { anyDocument, anyEmail, PASSWORD, PIN } from '../../core/payments/world.ts'
import { everyRecord } from '../../every-record.ts'
import {
  chargeBody,
  issue,
  type Merchant,
  merchant,
  organizationBody,
  person,
  personBody,
} from '../payments/given/merchants.ts'
import type { Answer } from '../payments/test-api.ts'
import { inLanes, numbers, until } from '../processes/lanes.ts'
import { isOnceEach } from '../processes/money-faults.ts'
import { type Processes, startProcesses } from '../processes/processes.ts'
import { receiver, type Webhook } from '../processes/webhooks.ts'
import { worked } from '../rows/wire.ts'

const PROCESSES = 3
const CHARGES = 60
/** A busy machine takes half of it to start three processes on one database. */
const LONGEST_MS = 300_000

interface Shared {
  readonly processes: Processes
  /** The store of all three, opened by the test. */
  readonly store: Store
}

const sharedOn = (server: ReplicaSet): (() => Promise<Shared>) => {
  let shared: Promise<Shared> | null = null
  const begin = async (): Promise<Shared> => {
    const url = server.url()
    const processes = await startProcesses(Array.from({ length: PROCESSES }, () => url))
    return { processes, store: await openStore(url, payments.collections) }
  }
  test.after.always(async () => {
    const { processes, store } = (await shared) ?? {}
    await processes?.end('SIGKILL')
    await store?.close()
  })
  return () => {
    shared ??= begin()
    return shared
  }
}

/** Waits until no event or delivery of the account is due. */
const untilDelivered = (store: Store, { id }: Merchant): Promise<void> =>
  until(async () => {
    const where = all(eq('accountId', id), not(eq('dueAt', null)))
    const { made, sent } = await store.read({
      made: listOf(events, { where, when: 'waiting', limit: 1 }),
      sent: listOf(deliveries, { where, when: 'waiting', limit: 1 }),
    })
    return made.records.length + sent.records.length === 0
  })

const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status).sort()

const webhookTexts = (received: readonly Webhook[]): readonly string[] =>
  received.map(({ type, chargeId }) => `${type} ${chargeId}`)

const counted = async ({ all }: Processes, name: string): Promise<number> => {
  const pages = await Promise.all(all.map((process) => process.ask('GET', '/metrics')))
  const lines = pages
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.startsWith(`${name},app="payments"`))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const issuing = (shared: () => Promise<Shared>): void => {
  test.serial('charges issued on three processes at once have unique ids, and each webhook is sent once', async (t) => {
    t.timeout(LONGEST_MS)
    const { processes, store } = await shared()
    const owner = await merchant(processes.at(0))
    const hook = await receiver()
    t.teardown(hook.close)
    // No call is answered before each process has its maximum in flight: so all three take part.
    hook.holdUntil(PROCESSES * MAX_PER_HOST)
    const issued = await inLanes(12, numbers(CHARGES), (number) =>
      issue(processes.at(number), owner, { webhook: hook.url, document: anyDocument() }),
    )
    t.true(isOnceEach(issued.map(({ id }) => id)))
    t.true(isOnceEach(issued.map(({ code }) => code)))
    t.true(isOnceEach(issued.map(({ txid }) => txid)))
    const payers = (await everyRecord(store, clients)).filter(({ accountId }) => accountId === owner.id)
    t.is(payers.length, issued.length)

    await untilDelivered(store, owner)
    t.is(hook.mostAtOnce(), PROCESSES * MAX_PER_HOST)
    t.true(isOnceEach(hook.received.map(({ webhookId }) => webhookId)))
    t.deepEqual(webhookTexts(hook.received).toSorted(), issued.map(({ id }) => `charge.created ${id}`).toSorted())
    const tried = (await everyRecord(store, deliveries)).filter(({ accountId }) => accountId === owner.id)
    t.is(tried.length, issued.length)
    for (const { status, attempts } of tried) t.deepEqual([status, attempts], ['delivered', 1])
  })

  test.serial('a charge issued on one process is read at once on the others, by id, code and list', async (t) => {
    const { processes } = await shared()
    const owner = await merchant(processes.at(0))
    for (const number of numbers(6)) {
      const { id, code } = await issue(processes.at(number), owner)
      for (const process of processes.all) {
        const [own, open, list] = await Promise.all([
          process.ask('GET', `/invoices/${id}`, { token: owner.token }),
          process.ask('GET', `/public/charge?code=${code}`),
          process.ask('GET', '/invoices', { token: owner.token }),
        ])
        t.is(own.body.data.code, code)
        t.is(open.body.charge.id, id)
        t.is(list.body.data[0].id, id)
        t.is(list.body.meta.total, number + 1)
      }
    }
  })
}

const FAR = '2099-01-01T00:00:00.000Z'
const PAST = '2020-01-02T03:00:00.000Z'
const EXPIRY = 'expire-charges'
const OVERDUE = 90

/** Pending charges whose time is over: copies of one that was issued. */
const overdue = async (store: Store, of: Charge): Promise<readonly Charge[]> => {
  const first = await store.reserve(charges.name, OVERDUE)
  const made = numbers(OVERDUE).map((number): Charge => {
    const [id, code, txid] = [first + number, `late${of.id}x${number}`, `late${of.id}txid${number}`]
    return { ...of, id, code, txid, lapsesAt: PAST, dueDate: '2020-01-01' }
  })
  await store.commit(made.map((charge) => insert(charges, charge)))
  return made
}

/** Reports whether the job has finished a run since then and is not due again. */
const isAsleep = async (store: Store, since: string | null): Promise<boolean> => {
  const job = await store.find(byId(jobs, EXPIRY))
  if (!job || job.lastRunAt === since || job.attempts > 0) return false
  return (await store.commit([patch(jobs, EXPIRY, { set: { dueAt: FAR }, when: eq('attempts', 0) })])).ok
}

const recurrent = (shared: () => Promise<Shared>): void => {
  test.serial('one of three processes runs a job, and its notification is sent once', async (t) => {
    t.timeout(LONGEST_MS)
    const { processes, store } = await shared()
    const owner = await merchant(processes.at(0))
    const hook = await receiver()
    t.teardown(hook.close)
    const { id } = await issue(processes.at(0), owner, { webhook: hook.url })
    const issued = await store.find(byId(charges, id))
    if (!issued) return t.fail()
    await until(() => isAsleep(store, null))
    const runs = () => counted(processes, `jobs_total{job="${EXPIRY}",outcome="done"`)
    const before = await runs()
    // The first takes some seconds, in which every process looks for work; the others end at once.
    const expired = await overdue(store, issued)
    for (const round of [1, 2, 3, 4]) {
      const last = (await store.find(byId(jobs, EXPIRY)))?.lastRunAt ?? null
      await store.commit([patch(jobs, EXPIRY, { set: { dueAt: new Date().toISOString() }, when: always })])
      await until(() => isAsleep(store, last))
      t.is((await runs()) - before, round)
    }
    await untilDelivered(store, owner)
    const types = ['charge.created', ...expired.map(() => 'charge.expired')]
    t.deepEqual(hook.received.map(({ type }) => type).toSorted(), types)
    t.true(isOnceEach(webhookTexts(hook.received)))
    const left = await store.list(listOf(charges, { where: eq('status', 'expired'), limit: 500, total: true }))
    t.is(left.total, OVERDUE)
  })
}

const keyed = (shared: () => Promise<Shared>): void => {
  const KEYS = 6
  const TIMES = 4

  /** One request with one key, several times over all processes at once; then again, after it was answered. */
  const repeated = async (t: ExecutionContext, path: string, made: number) => {
    const { processes } = await shared()
    const owner = await merchant(processes.at(0))
    const bodies = numbers(KEYS).map((key) => ({ key: `key ${key}`, body: chargeBody({ document: anyDocument() }) }))
    const asking = (process: number, { key, body }: (typeof bodies)[number]) =>
      processes.at(process).ask('POST', path, { token: owner.token, body, headers: { 'idempotency-key': key } })
    for (const one of bodies) {
      const answers = await Promise.all(numbers(PROCESSES * TIMES).map((process) => asking(process, one)))
      const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed') === 'true'
      const first = answers.filter((answer) => answer.status === made && !replayed(answer))
      t.is(first.length, 1, JSON.stringify(statuses(answers)))
      for (const { status, text, headers } of answers) {
        if (status === 409) t.regex(headers.get('retry-after') ?? '', /^\d+$/)
        else t.deepEqual([status, text], [made, first[0]?.text])
      }
      for (const process of numbers(PROCESSES)) {
        const again = await asking(process, one)
        t.deepEqual([again.status, again.text, replayed(again)], [made, first[0]?.text, true])
        const other = await asking(process, { ...one, body: { ...one.body, name: 'Outra' } })
        t.is(other.status, 422)
      }
    }
    return owner
  }

  test.serial('simultaneous requests with one key on all processes issue one charge and have one answer', async (t) => {
    const { store } = await shared()
    const owner = await repeated(t, '/invoices', 200)
    const made = (await everyRecord(store, charges)).filter(({ accountId }) => accountId === owner.id)
    t.is(made.length, KEYS)
  })

  test.serial(
    'simultaneous requests with one key on all processes register one client and have one answer',
    async (t) => {
      const { store } = await shared()
      const owner = await repeated(t, '/v1/clients', 201)
      const made = (await everyRecord(store, clients)).filter(({ accountId }) => accountId === owner.id)
      t.is(made.length, KEYS)
    },
  )
}

const people = (shared: () => Promise<Shared>): void => {
  test.serial('all processes together compare five wrong passwords of a user', async (t) => {
    const { processes } = await shared()
    const [calm, hasty] = [anyEmail(), anyEmail()]
    await Promise.all([person(processes.at(0), calm), person(processes.at(1), hasty)])
    const logIn = (process: number, email: string, password: string) =>
      processes.at(process).ask('POST', '/v1/auth/login', { body: { email, password } })

    for (const process of numbers(5)) t.is((await logIn(process, calm, 'errada-123')).status, 401)
    const guesses = await Promise.all(numbers(12).map((process) => logIn(process, hasty, 'errada-123')))
    t.deepEqual(statuses(guesses), [...Array(5).fill(401), ...Array(7).fill(429)])
    for (const email of [calm, hasty]) {
      for (const process of numbers(PROCESSES)) {
        const { status, headers } = await logIn(process, email, PASSWORD)
        t.is(status, 429)
        t.regex(headers.get('retry-after') ?? '', /^\d+$/)
      }
    }
  })

  test.serial('all processes together count wrong PINs of an account and wrong codes of a user', async (t) => {
    const { processes, store } = await shared()
    const { token, email } = await merchant(processes.at(0))
    const pinned = { token, body: { pin: PIN, confirm_pin: PIN } }
    worked(await processes.at(1).ask('POST', '/access/account/pin', pinned))
    const guess = (process: number, pin: string) =>
      processes.at(process).ask('PUT', '/access/account', { token, body: { pin } })
    const guesses = await Promise.all(numbers(12).map((number) => guess(number, `20000${number % 10}`)))
    const said = guesses.map(({ status, body }) => `${status} ${body.message}`).sort()
    const [wrong, locked] = ['403 PIN inválido.', '403 PIN bloqueado. Tente novamente mais tarde.']
    t.deepEqual(said, [...Array(7).fill(locked), ...Array(5).fill(wrong)])
    for (const process of numbers(PROCESSES)) t.is((await guess(process, PIN)).body.message, locked?.slice(4))

    worked(await processes.at(2).ask('POST', '/v1/auth/forgot-password', { body: { email } }))
    const body = { email, password: PASSWORD, password_confirmation: PASSWORD }
    const tries = await Promise.all(
      numbers(12).map((number) =>
        processes.at(number).ask('POST', '/v1/auth/reset-password', { body: { ...body, code: `00000${number % 10}` } }),
      ),
    )
    t.deepEqual(statuses(tries), Array(12).fill(422))
    t.is((await store.find(byId(codes, email)))?.triesLeft, 15)
  })

  test.serial('a session that ends on one process ends on all, and other sessions of the user continue', async (t) => {
    const { processes } = await shared()
    const email = anyEmail()
    const [kept, ended] = [
      await person(processes.at(0), email),
      ((body) => body.data.access_token)(
        worked(await processes.at(1).ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })),
      ),
    ]
    const me = (token: string) =>
      Promise.all(processes.all.map((process) => process.ask('GET', '/v1/auth/me', { token })))
    t.deepEqual(statuses(await me(ended)), [200, 200, 200])
    const logOuts = await Promise.all(
      processes.all.map((process) => process.ask('POST', '/v1/auth/logout', { token: ended })),
    )
    t.deepEqual(statuses(logOuts), [200, 401, 401])
    t.deepEqual(statuses(await me(ended)), [401, 401, 401])
    t.deepEqual(statuses(await me(kept)), [200, 200, 200])
  })

  test.serial(
    'simultaneous registrations of one user on all processes: one succeeds, the others fail as duplicates',
    async (t) => {
      const { processes } = await shared()
      const tokens = await Promise.all(processes.all.map((process) => person(process)))
      for (const round of numbers(2)) {
        const [document, email] = [anyDocument(), anyEmail()]
        const organizations = await Promise.all(
          processes.all.map((process, index) => {
            const token = tokens[index] ?? ''
            return process.ask('POST', '/v1/organizations', { token, body: organizationBody(document) })
          }),
        )
        t.deepEqual(statuses(organizations), [201, 422, 422], `${round}`)
        const users = await Promise.all(
          processes.all.map((process) => process.ask('POST', '/v1/auth/register', { body: personBody(email) })),
        )
        t.deepEqual(statuses(users), [201, 422, 422], `${round}`)
        for (const { status, body } of [...organizations, ...users]) {
          if (status === 422) t.regex(Object.keys(body.errors).join(), /^(document|email)$/)
        }
      }
    },
  )
}

const ofAll = (server: ReplicaSet): void => {
  const shared = sharedOn(server)
  issuing(shared)
  keyed(shared)
  recurrent(shared)
  people(shared)

  test.serial('all three processes end after SIGTERM, without a logged error', async (t) => {
    const { processes } = await shared()
    for (const ended of await processes.end('SIGTERM')) t.like(ended, { code: 0, signal: null, stderr: '' })
  })
}

onReplicaSet(test, ofAll)
