import { mongoStore } from '../../adapters/mongodb/mod.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { Refund } from '../../core/payments/charges/refund-records.ts'
import type { SplitShare } from '../../core/payments/splits/share.ts'
import type { Store } from '../../core/ports/store.ts'
import { someFile } from '../adapters/sqlite/file.ts'
import { emptyDatabase, emptyFile } from '../apps/fresh-store.ts'
import { COLLECTIONS } from './environment/environment.ts'
import type { Snapshot } from './environment/store.ts'
import { type Run, simulate } from './run.ts'

/** The result of some seeds: how to replay the first failed one, and the events of all. */
export interface Batch {
  readonly replay: string | null
  readonly seen: Seen
}

/** Runs seeds of one place, one after the other, until one fails. */
export const batchOf = async (place: PlaceName, first: number, last: number): Promise<Batch> => {
  const seen: Seen[] = []
  let replay: string | null = null
  for (let seed = first; seed <= last && replay === null; seed += 1) {
    const run = await PLACES[place].run(seed)
    seen.push(await seenIn(run))
    if (run.broken.length > 0) replay = replayOf(run)
  }
  return { replay, seen: together(seen) }
}

/**
 * Runs seeds on an empty store whose tables are created once, which takes longer than a seed. Only the store in memory
 * makes a seed run the same way each time.
 */
export interface Place {
  run(seed: number): Promise<Run>
  /** Closes the store that the seeds shared. */
  close(): Promise<void>
}

const inMemory: Place = { run: (seed) => simulate(seed), close: async () => {} }

const onSqlite: Place = {
  async run(seed) {
    const { path, remove } = await someFile()
    await emptyFile(path)
    const store = await sqliteStore(path, COLLECTIONS)
    const run = await simulate(seed, undefined, store)
    await store.close()
    await remove()
    return run
  },
  close: async () => {},
}

/** In a database of the server that `TEST_MONGODB_URL` names. */
const onMongodb = (): Place => {
  let opened: Promise<Store> | null = null
  const urlOf = (): string => {
    const url = new URL(process.env.TEST_MONGODB_URL ?? '')
    url.pathname = `simulation-${process.pid}`
    return url.href
  }
  return {
    async run(seed) {
      opened ??= mongoStore(urlOf(), COLLECTIONS)
      const run = await simulate(seed, undefined, await opened)
      await emptyDatabase(urlOf())
      return run
    },
    close: async () => (await opened)?.close(),
  }
}

export const PLACES = { memory: inMemory, sqlite: onSqlite, mongodb: onMongodb() }

export type PlaceName = keyof typeof PLACES

/** Kinds of trace lines that must occur in a batch. */
export const KINDS = `
  commit broken fault bank acquirer link told nonsense warning webhook mail
  report death stop jump ahead key change delete withdraw withdrawn move
  moved refund called-suspended revoke settle settled consent suspend parts part
`
  .trim()
  .split(/\s+/)

/** Statuses of charges, and the kinds of banks, that must occur in a batch. */
export const STATUSES = 'pending paid paidwithpix cancelled expired failed DELETED outside embedded'.split(' ')

/** Events that must be recorded in a batch. */
export const PARTIAL_EVENTS = ['charge.partially_paid', 'charge.overpaid']

/**
 * Refunds of payments, with shares and without, and shares of payments after a key was revoked, that a batch must have.
 */
export const REFUND_KINDS = [
  'refunded',
  'refund failed',
  'over-payment refunded',
  'shares refunded in full',
  'shares refunded in part',
  'receiver lacked money',
  'revoked receiver was paid',
]

export type Seen = ReadonlyMap<string, number>

export const seenIn = async ({ count, steps, environment }: Run): Promise<Seen> => {
  const statuses = [...environment.watch.statuses.values()].flat()
  const times = (name: string): number => statuses.filter((status) => status === name).length
  const told = [...environment.watch.told.values()].flat()
  return new Map([
    ...KINDS.map((kind) => [kind, count(kind)] as const),
    ...[...new Set<string>(statuses)].map((status) => [status, times(status)] as const),
    ...PARTIAL_EVENTS.map((type) => [type, told.filter((each) => each === type).length] as const),
    ...seenRefunds(await environment.snapshot()),
    [environment.bank.name, 1],
    ['steps', steps],
  ])
}

/** Returns the kinds of stored refunds and shares, with their numbers. */
const seenRefunds = ({ refunds, entries, charges, splitShares, splitReceivers }: Snapshot) => {
  const paid = new Map(entries.map(({ id, valueCents }) => [id, valueCents]))
  const promised = new Map(charges.map(({ id, splits }) => [id, splits]))
  const revoked = new Map(splitReceivers.map(({ key, revokedAt }) => [key, revokedAt]))
  const completed = refunds.filter(({ status }) => status === 'completed')
  const shared = completed.filter(({ shares }) => shares !== null)
  const isFull = ({ entryId, valueCents }: Refund): boolean => paid.get(entryId) === valueCents
  const isAfterRevocation = ({ chargeId, accountId, createdAt }: SplitShare): boolean => {
    const key = promised.get(chargeId)?.find((split) => split.accountId === accountId)?.key
    return createdAt > (revoked.get(key ?? '') ?? createdAt)
  }
  return [
    ['refunded', completed.length],
    ['refund failed', refunds.filter(({ status }) => status === 'failed').length],
    ['over-payment refunded', completed.filter(({ overCents }) => overCents !== null).length],
    ['shares refunded in full', shared.filter(isFull).length],
    ['shares refunded in part', shared.filter((each) => !isFull(each)).length],
    ['receiver lacked money', shared.filter(({ shares }) => shares?.some(({ lackCents }) => lackCents > 0)).length],
    ['revoked receiver was paid', splitShares.filter(isAfterRevocation).length],
  ] as const
}

export const together = (all: Iterable<Seen>): Seen => {
  const sums = new Map<string, number>()
  for (const seen of all) for (const [kind, times] of seen) sums.set(kind, (sums.get(kind) ?? 0) + times)
  return sums
}

/** Describes a failed run: its seed, its violated invariants and its last lines. */
export const replayOf = ({ seed, steps, broken, tail, environment }: Run): string =>
  [
    `seed ${seed} (${environment.bank.name} bank), step ${steps}:`,
    ...broken,
    'its last lines:',
    ...tail,
    `again: SEED=${seed} npm run ava -- tests/simulation/simulation.test.ts`,
  ].join('\n')
