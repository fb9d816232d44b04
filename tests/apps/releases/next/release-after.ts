import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { payments as bankPayments } from '../../../../adapters/bank/fake/books.ts'
import type { AnyCollection } from '../../../../core/kernel/records/collection.ts'
import type { Id } from '../../../../core/kernel/records/record.ts'
import { type StoredShape, shapeChange } from '../../../../core/kernel/records/stored-shape.ts'
import { all, gte, lt } from '../../../../core/kernel/records/where.ts'
import { claims } from '../../../../core/payments/claim.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { bundleOf } from '../../../bundle.ts'
import { printSeed, SEED } from '../../../size.ts'
import { startedLine } from '../../host/say-started.ts'
import { until, worked } from '../../processes/merchants.ts'
import { everyRecord } from '../../processes/money-faults.ts'
import { type Process, startProcess } from '../../processes/processes.ts'
import type { Fixture, KeptStore } from '../fixtures.ts'
import type { Place } from '../survivor.ts'
import { type Load, startLoad } from './load.ts'
import { sow } from './sown.ts'
import { standsAs } from './stands.ts'
import { nextCharges, openAsNext } from './tables.ts'

const KILLS = 4
/** How long a process lives before it is killed: while it fills, builds and counts, or has just done so. */
const MOST_MS = 400
/** Longer than any lease. */
const LATER_SECONDS = 400
const MOST_LAST = 4
/** How long one process has for the rest: longer than the lease of a job, since who is killed in a step is waited for. */
const STEPS_MS = 420_000
const LEAST_ISSUED = 5
/** What a server exits with that could not end within 10 s. */
const HUNG = 1

/** A store on which this release is followed by the next. */
export interface Ground {
  readonly fixture: Fixture
  readonly kept: KeptStore
  readonly place: Place
  /** Charges, and claims of earlier releases, that are laid in beside what is there: enough for work to be cut short. */
  readonly sown: number
  /** What the store says, as it lies there, that it has made of charges. */
  stands(): Promise<StoredShape>
}

/**
 * The next release takes a store over while it is used: it changes all that a table says of charges, is killed in the midst
 * of what that needs, again and again, and at last everything is as if it had always been so.
 */
export const followedBy = async (t: ExecutionContext, ground: Ground): Promise<void> => {
  t.timeout(1_200_000)
  printSeed(t)
  const { fixture, kept, place, sown } = ground
  const twins = await sow(place.STORE_URL, kept.known.charges.cancelled?.id ?? 0, sown)
  const aheadSeconds = Math.round((Date.parse(fixture.now) - Date.now()) / 1_000)
  // An index that is in no row any more is told of, on MongoDB, as a warning.
  const env = { ...kept.env, ...place, TWINS: twins.join(), NODE_NO_WARNINGS: '1' }
  const begun: Process[] = []
  t.teardown(() => Promise.all(begun.map((process) => process.end('SIGKILL'))))
  const start = async (file?: Promise<string>, laterSeconds = 0): Promise<Process> => {
    const CLOCK_AHEAD_SECONDS = `${aheadSeconds + laterSeconds}`
    const process = await startProcess(place.STORE_URL, { ...env, CLOCK_AHEAD_SECONDS }, file)
    begun.push(process)
    return process
  }
  const startNext = (laterSeconds = 0) => start(bundleOf('tests/apps/releases/next/program.ts'), laterSeconds)

  const older = await start()
  const load = startLoad(await callerOf(older, kept), older)
  t.teardown(load.stop)
  load.aim(older)
  await sleep(MOST_MS)
  const next = await startNext()
  load.aim(next)
  const cut = await killed(load, next, startNext, async () => missing(await ground.stands(), nextCharges(twins)))
  await endsBeside(t, older)
  await finished(t, load, startNext, async () => (await isSettled(place, twins)) && (await hasHeard(load)))
  await load.stop()
  t.deepEqual(load.wrong.slice(0, 10), [])
  await standsAs(t, place, twins, load)
  t.log(`${load.sent()} requests, ${load.later()} to come again, ${load.lost()} lost to kills; ${sown} sown`)
  t.log(`still to be made when they were killed: ${cut.map((left) => left.join(', ') || 'nothing').join('; ')}`)
}

const callerOf = async (process: Process, { known }: KeptStore) => {
  const { email, password } = known.owner
  const { data } = worked(await process.ask('POST', '/v1/auth/login', { body: { email, password } }))
  const charge = known.charges.paid
  if (!charge) throw new Error('there is no charge that was paid')
  return { token: data.access_token, clientId: known.clientId, charge }
}

/** The release before finishes what it has in hand, writes no more, and says why it ends. */
const endsBeside = async (t: ExecutionContext, older: Process): Promise<void> => {
  // It may not have written since, and so not have seen it.
  const ended = Promise.race([older.ended.then(() => true), sleep(12_000, false)])
  await older
    .ask('POST', '/fake-bank/faults', { body: { operation: 'pay_out', mode: 'refuse', times: 1 } })
    .catch(() => {})
  t.true(await ended)
  const { code, stderr } = await older.ended
  t.is(code, 1)
  t.regex(stderr, /^STORE_URL: .*(newer|another) release.*\n$/)
}

/** What of a table is still to be made, in words. */
const missing = (stands: StoredShape, collection: AnyCollection): readonly string[] => {
  const { fieldsToFill, newKeys, newIndexes, newTallies } = shapeChange(stands, collection)
  const left = { fields: fieldsToFill, keys: newKeys, indexes: newIndexes, tallies: newTallies }
  return Object.entries(left).flatMap(([what, rows]) => (rows.length > 0 ? [what] : []))
}

/** One process after the other is killed at some moment of its work; says what each of them left to be made. */
const killed = async (
  load: Load,
  first: Process,
  startNext: () => Promise<Process>,
  left: () => Promise<readonly string[]>,
): Promise<readonly (readonly string[])[]> => {
  const cut: (readonly string[])[] = []
  let process = first
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(((SEED + kill * 7_919) % 97) * (MOST_MS / 97))
    load.aim(null)
    await process.end('SIGKILL')
    cut.push(await left())
    if (kill + 1 === KILLS) break
    process = await startNext()
    load.aim(process)
  }
  return cut
}

/**
 * To each process the leases of those before it are over: of those that were killed, and of what found the store not to be
 * written yet. One that a busy machine keeps from ending within its time leaves the rest to the next, and the last ends well.
 */
const finished = async (
  t: ExecutionContext,
  load: Load,
  startNext: (laterSeconds: number) => Promise<Process>,
  isOver: () => Promise<boolean>,
): Promise<void> => {
  for (let after = 1; ; after += 1) {
    const last = await startNext(after * LATER_SECONDS)
    load.aim(last)
    const isLast = await isOver()
    load.aim(null)
    const { code, signal, stdout, stderr } = await last.end('SIGTERM')
    t.deepEqual([signal, stderr], [null, ''])
    t.true(code === 0 || code === HUNG, `${code}`)
    // Work that finds others writing, or the store not to be written yet, is told of and done again.
    const told = stdout
      .replace(startedLine({ payments: last.url }), '')
      .split('\n')
      .slice(0, -1)
    for (const line of told) t.regex(line, /"name":"StoreUnavailable"/)
    if (isLast && code === 0) return
    if (after === MOST_LAST) return t.fail('the steps never ended, or nobody was answered')
  }
}

/** Enough was answered for what follows to say something. */
const hasHeard = async ({ issued, paid }: Load): Promise<boolean> =>
  until(async () => issued.length > LEAST_ISSUED && paid.length > 0, 'answers', STEPS_MS).then(
    () => true,
    () => false,
  )

/** Whether the store comes to have all that the next release makes of it, the steps are over, and the bank has told of all. */
const isSettled = async (place: Place, twins: readonly Id[]): Promise<boolean> => {
  const store = await openAsNext(twins)(place.STORE_URL, [])
  const left = ['code', 'txid'].map((kind) =>
    listOf(claims, { where: all(gte('id', `${kind}:`), lt('id', `${kind};`)), limit: 1 }),
  )
  const isOver = async (): Promise<boolean> =>
    (await Promise.all(left.map((ask) => store.list(ask)))).every(({ records }) => records.length === 0) &&
    // What was not taken at once is told again.
    (await everyRecord(store, bankPayments)).every(({ dueAt }) => dueAt === null)
  try {
    if ('settled' in store && typeof store.settled === 'function') await store.settled()
    return await until(isOver, 'the end of the steps', STEPS_MS).then(
      () => true,
      () => false,
    )
  } finally {
    await store.close()
  }
}
