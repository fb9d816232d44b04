import { buffer } from 'node:stream/consumers'
import test from 'ava'
import { parse } from 'csv-parse/sync'
import { isLeft } from '../../../../core/failure.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { events } from '../../../../core/payments/events.ts'
import { exports } from '../../../../core/payments/exports/export.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { entries, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { payments } from '../../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import type { Chunks } from '../../../../core/ports/files.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { deferred, failing, until } from '../../kernel/running/tasks.ts'
import { aBook, aMembership, anAccount, anEntry } from '../records.ts'
import { failureOf, openPayments, right, wrongIn } from '../world.ts'

const MANY = 25_000
const AT_ONCE = 500
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' }
const LEASE_SECONDS = 30
const ASKER = { userId: 7, accountId: 1 }

const addEntries = async (store: Store, from: number, count: number): Promise<void> => {
  for (let first = from; first < from + count; first += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, from + count - first) }, (_, index) => first + index)
    await store.commit(ids.map((id) => insert(entries, anEntry({ id, accountId: 1, valueCents: 1, balanceCents: id }))))
  }
}

/** An account with `count` entries. */
const businessWith = async (count: number) => {
  const { ports, clock, every } = openPayments()
  await ports.store.commit([
    insert(accounts, anAccount()),
    insert(memberships, aMembership(ASKER)),
    insert(ledgerAccounts, { ...aBook, seq: count }),
  ])
  await addEntries(ports.store, 1, count)
  const state = async () => (await every(exports))[0]
  const sentNotices = async () => (await every(notifications)).map(({ type, userId, id }) => ({ type, userId, id }))
  return { ports, clock, every, state, sentNotices }
}

const idsIn = (bytes: Buffer): readonly number[] => {
  const rows: { readonly ID: string }[] = parse(bytes, { bom: true, delimiter: ';', columns: true })
  return rows.map(({ ID }) => Number(ID))
}

const oneTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

const workerOf = (ports: PaymentsPorts) => payments(ports).worker({ report: failing })

test('contains the entries at the time of the request, once and in order, and reports its progress', async (t) => {
  const { ports, state, sentNotices, every } = await businessWith(MANY)
  const pay = payments(ports)
  const asked = right(await pay.exports.exportTransactions(ASKER, { format: 'csv' })())
  await addEntries(ports.store, MANY + 1, 10)
  const done: number[] = []
  const watching = {
    ...ports.store,
    commit: async (...given: Parameters<Store['commit']>) => {
      const outcome = await ports.store.commit(...given)
      const now = await state()
      if (now && now.state === 'waiting') done.push(now.done)
      return outcome
    },
  }
  await workerOf({ ...ports, store: watching }).drain()
  t.deepEqual([...new Set(done)], [0, 10_000, 20_000])
  t.like(await state(), { state: 'ready', done: MANY, total: MANY })
  t.deepEqual(await sentNotices(), [{ type: 'export.ready', userId: 7, id: asked.notificationId }])
  t.is((await every(events)).filter(({ type }) => type === 'export.ready').length, 1)
  const bytes = await buffer(right(await pay.exports.open(asked.notificationId)()).chunks)
  t.deepEqual(idsIn(bytes), oneTo(MANY))
  t.is(right(await pay.exports.read(ASKER, asked.notificationId)()).sizeBytes, bytes.length)
  t.true(isLeft(await pay.exports.read({ accountId: 2 }, asked.notificationId)()))
})

test('continues after the lease of a halted process, whose later result is ignored', async (t) => {
  const { ports, clock, state, sentNotices, every } = await businessWith(MANY)
  const asked = right(await payments(ports).exports.exportTransactions(ASKER, { format: 'csv' })())
  const halted = deferred()
  let isHalted = false
  async function* halting(chunks: Chunks): Chunks {
    let count = 0
    for await (const chunk of chunks) {
      count += 1
      if (count === 15) {
        isHalted = true
        await halted.promise
      }
      yield chunk
    }
  }
  const keep: PaymentsPorts['files']['write'] = (name, content) =>
    ports.files.write(name, content instanceof Uint8Array ? content : halting(content))
  const dying = workerOf({ ...ports, files: { ...ports.files, write: keep } }).drain()
  await until(() => isHalted)
  t.like(await state(), { state: 'waiting', done: 10_000, attempts: 1 })
  const second = workerOf(ports)
  clock.advance(LEASE_SECONDS - 1)
  await second.drain()
  t.like(await state(), { state: 'waiting', attempts: 1 })
  clock.advance(1)
  await second.drain()
  t.like(await state(), { state: 'ready', done: MANY })
  const before = await state()
  halted.resolve()
  await dying
  t.deepEqual(await state(), before)
  t.is((await sentNotices()).length, 1)
  t.is((await every(events)).filter(({ type }) => type === 'export.ready').length, 1)
  const file = right(await payments(ports).exports.open(asked.notificationId)())
  t.deepEqual(idsIn(await buffer(file.chunks)), oneTo(MANY))
})

test('leaves no file of a halted process that wrote it after the removal of the export', async (t) => {
  const { ports, clock, state } = await businessWith(1)
  const asked = right(await payments(ports).exports.exportTransactions(ASKER, { format: 'csv' })())
  const halted = deferred()
  let isHalted = false
  const write: PaymentsPorts['files']['write'] = async (...file) => {
    isHalted = true
    await halted.promise
    await ports.files.write(...file)
  }
  const dying = workerOf({ ...ports, files: { ...ports.files, write } }).drain()
  await until(() => isHalted)
  clock.advance(LEASE_SECONDS)
  await workerOf(ports).drain()
  t.like(await state(), { state: 'ready' })
  clock.advance(8 * 86_400)
  await workerOf(ports).drain()
  t.is(await state(), undefined)
  halted.resolve()
  await dying
  t.is(await ports.files.open(asked.notificationId), null)
})

test('fails the export of a user who has left the account, without notification, webhook or file', async (t) => {
  const { ports, every, state, sentNotices } = await businessWith(1)
  const asked = right(await payments(ports).exports.exportTransactions(ASKER, { format: 'csv' })())
  const [membership] = await every(memberships)
  await ports.store.commit([patch(memberships, membership?.id ?? 0, { set: { status: 0 }, when: always })])
  await workerOf(ports).drain()
  t.like(await state(), { state: 'failed', sizeBytes: null, readyAt: null })
  t.deepEqual([await sentNotices(), await every(events)], [[], []])
  t.is(await ports.files.open(asked.notificationId), null)
})

test('leases a PDF for the time of its drawing', async (t) => {
  const { ports, clock, state } = await businessWith(3)
  right(await payments(ports).exports.exportStatement(ASKER, NOVEMBER)())
  const hang = deferred()
  let drawings = 0
  const statementRenderer = {
    ...ports.statementRenderer,
    statementPdf: async (...given: Parameters<typeof ports.statementRenderer.statementPdf>) => {
      drawings += 1
      if (drawings === 1) await hang.promise
      return ports.statementRenderer.statementPdf(...given)
    },
  }
  const slow = workerOf({ ...ports, statementRenderer }).drain()
  await until(() => drawings === 1)
  clock.advance(119)
  await workerOf({ ...ports, statementRenderer }).drain()
  t.is(drawings, 1)
  clock.advance(1)
  await workerOf({ ...ports, statementRenderer }).drain()
  t.like(await state(), { state: 'ready', attempts: 0 })
  t.is(drawings, 2)
  hang.resolve()
  await slow
})

test('fails an export after ten attempts, and notifies the user', async (t) => {
  const { ports, clock, state, sentNotices } = await businessWith(3)
  const pay = payments(ports)
  const asked = right(await pay.exports.exportStatement(ASKER, NOVEMBER)())
  const statementRenderer = {
    ...ports.statementRenderer,
    statementPdf: () => Promise.reject(new Error('no ink')),
  }
  const reported: unknown[] = []
  const worker = payments({ ...ports, statementRenderer }).worker({ report: (error) => void reported.push(error) })
  for (let tries = 1; tries <= 12; tries += 1) {
    await worker.drain()
    clock.advance(LEASE_SECONDS)
  }
  t.is(reported.length, 10)
  t.like(await state(), { state: 'failed' })
  t.deepEqual(await sentNotices(), [{ type: 'export.failed', userId: 7, id: asked.notificationId }])
  t.is(failureOf(await pay.exports.open(asked.notificationId)())?.code, 'export.unknown')
  clock.advance(7 * 86_400)
  await worker.drain()
  t.is(await state(), undefined)
})

test('rejects a PDF of more than 20,000 entries', async (t) => {
  const { ports } = await businessWith(20_001)
  const pay = payments(ports)
  const { exportTransactions, exportStatement, downloadTransactions } = pay.exports
  t.like(failureOf(await exportTransactions(ASKER, { format: 'pdf' })()), { issues: [{ path: 'format' }] })
  t.true(isLeft(await downloadTransactions(ASKER, { format: 'pdf' })()))
  t.deepEqual(wrongIn(await exportStatement(ASKER, NOVEMBER)()), ['to export.pdf-max'])
  right(await exportTransactions(ASKER, { format: 'xlsx' })())
  const none = await exportTransactions(ASKER, { format: 'pdf', search: 'nada', status: -1 })()
  t.is(failureOf(none)?.code, 'export.empty')
})

test("writes another account's export while one account has many in the queue", async (t) => {
  const { ports } = await businessWith(1)
  const other = 2
  await ports.store.commit([
    insert(accounts, anAccount({ id: other, uuid: '00000000-0000-4000-8000-000000000002', codeAccount: 'A2' })),
    insert(ledgerAccounts, { ...aBook, id: `${other}:main`, accountId: other, seq: 1 }),
    insert(entries, anEntry({ id: 2, accountId: other, seq: 1, valueCents: 1, balanceCents: 1 })),
  ])
  const hang = deferred()
  const begun: string[] = []
  const files = {
    ...ports.files,
    write: async (id: string, chunks: Parameters<typeof ports.files.write>[1]) => {
      begun.push(id)
      if (id !== last) await hang.promise
      return ports.files.write(id, chunks)
    },
  }
  const pay = payments(ports)
  for (let asked = 0; asked < 20; asked += 1) right(await pay.exports.exportTransactions(ASKER, { format: 'csv' })())
  const neighbour = { userId: 8, accountId: other }
  const { notificationId: last } = right(await pay.exports.exportTransactions(neighbour, { format: 'csv' })())
  const done = workerOf({ ...ports, files }).drain()
  await until(() => begun.includes(last))
  t.true(begun.length <= 5, `${begun.length}`)
  hang.resolve()
  await done
  t.is(new Set(begun).size, 21)
})

test('reads no export of another account', async (t) => {
  const { pay, merchant } = openPayments()
  const [{ member }, { member: other }] = [await merchant(), await merchant()]
  const days = { from: '2026-11-01', to: '2026-11-23' }
  const { notificationId } = right(await pay.exports.exportStatement(member, days)())
  t.is(right(await pay.exports.read(member, notificationId)()).notificationId, notificationId)
  t.is(failureOf(await pay.exports.read(other, notificationId)())?.code, 'export.unknown')
})
