import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { patch } from '../../core/kernel/records/change.ts'
import { always } from '../../core/kernel/records/where.ts'
import { ledgerAccounts } from '../../core/payments/ledger/ledger-account.ts'
import { bundleOf } from '../apps/processes/bundle.ts'
import { FULL } from '../size.ts'
import { type Meddle, simulate } from './run.ts'
import { KINDS, replayOf, type Seen, seenIn, together } from './seen.ts'

const { SEED } = process.env
const SEEDS = FULL ? 10_000 : 60
const BATCH = FULL ? 500 : 30
const BATCH_TIMEOUT_MS = 2_100_000

const STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'failed', 'DELETED']

interface Batch {
  /** How the first that failed is replayed. */
  readonly replay: string | null
  readonly seen: Seen
}

const here = async (first: number, last: number): Promise<Batch> => {
  const seen: Seen[] = []
  for (let seed = first; seed <= last; seed += 1) {
    const run = await simulate(seed)
    seen.push(seenIn(run))
    if (run.broken.length > 0) return { replay: replayOf(run), seen: together(seen) }
  }
  return { replay: null, seen: together(seen) }
}

/** The same in a process of its own, of one file: that runs a quarter faster, and two at once. */
const elsewhere = async (first: number, last: number): Promise<Batch> => {
  const child = spawn(process.execPath, [await bundleOf('tests/simulation/seeds.ts'), `${first}`, `${last}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { replay, seen } = JSON.parse(await text(child.stdout))
  return { replay, seen: new Map(seen) }
}

if (SEED !== undefined) {
  test(`seed ${SEED}`, async (t) => {
    const run = await simulate(Number(SEED))
    t.deepEqual(run.broken, [], replayOf(run))
    t.log(run.hash)
  })
} else {
  const seen: Seen[] = []
  const lanes = [Promise.resolve(), Promise.resolve()]

  for (let first = 1; first <= SEEDS; first += BATCH) {
    const last = first + BATCH - 1
    const add = FULL ? test : test.serial
    add(`whatever goes wrong, payments stay right: seeds ${first} to ${last}`, async (t) => {
      t.timeout(BATCH_TIMEOUT_MS)
      const lane = Math.floor(first / BATCH) % lanes.length
      const before = lanes[lane]
      const batch = FULL ? Promise.resolve(before).then(() => elsewhere(first, last)) : here(first, last)
      lanes[lane] = batch.then(() => {})
      const { replay, seen: ofBatch } = await batch
      seen.push(ofBatch)
      t.is(replay, null, replay ?? '')
    })
  }

  test.after('everything was tried', (t) => {
    const all = together(seen)
    for (const kind of [...KINDS, ...STATUSES, 'outside', 'embedded']) t.true((all.get(kind) ?? 0) > 0, kind)
    t.log([...all].map(([kind, times]) => `${kind} ${times}`).join(', '))
  })

  test.serial('a seed is one execution: it comes twice to the same end by the same way', async (t) => {
    t.timeout(BATCH_TIMEOUT_MS)
    for (const seed of [1, 2, 3, 4, 5, 6])
      t.is((await simulate(seed)).hash, (await simulate(seed)).hash, `seed ${seed}`)
    t.not((await simulate(1)).hash, (await simulate(2)).hash)
  })

  test.serial('a cent too much is noticed at once, and again at the same step by the same seed', async (t) => {
    const add: Meddle = async ({ store, watch }, step) => {
      if (step !== 30) return
      const cent = [patch(ledgerAccounts, '1:main', { add: { balanceCents: 1, availableCents: 1 }, when: always })]
      await store.commit(cent)
      await watch.committed(cent)
    }
    const [once, twice] = [await simulate(6, add), await simulate(6, add)]
    t.is(once.steps, 30)
    t.regex(once.broken.join(), /1:main has \d+, and its entries \d+/)
    t.deepEqual([twice.steps, twice.broken, twice.hash], [once.steps, once.broken, once.hash])
  })
}
