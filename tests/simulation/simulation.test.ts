// Runs alone.
import test from 'ava'
import { always, patch } from '../../core/kernel/records/record.ts'
import { ledgerAccounts } from '../../core/payments/ledger/ledger.ts'
import { FULL } from '../size.ts'
import { type Interference, simulate } from './run.ts'
import { batchOf, KINDS, PARTIAL_EVENTS, REFUND_KINDS, replayOf, STATUSES } from './seeds.ts'

const { SEED } = process.env
/** `npm run test:long` runs thousands. */
const SEEDS = 50
const TIMEOUT_MS = 600_000

if (SEED !== undefined) {
  test(`seed ${SEED}`, async (t) => {
    const run = await simulate(Number(SEED))
    t.deepEqual(run.broken, [], replayOf(run))
    t.log(run.hash)
  })
} else {
  test.serial(`no invariant is violated under faults: seeds 1 to ${SEEDS}`, async (t) => {
    t.timeout(TIMEOUT_MS)
    const { replay, seen } = await batchOf('memory', 1, SEEDS)
    t.is(replay, null, replay ?? '')
    for (const kind of [...KINDS, ...PARTIAL_EVENTS, ...REFUND_KINDS, ...STATUSES])
      t.true((seen.get(kind) ?? 0) > 0, kind)
    t.log([...seen].map(([kind, times]) => `${kind} ${times}`).join(', '))
  })

  for (const [title, seed] of [
    ['no over-payment is left of a charge of which the bank returned more than was paid', 3031],
    ['a refund of a part while the title of its rest is requested has it requested again', 304],
  ] as const)
    test.serial(`${title}: seed ${seed}`, async (t) => {
      const { replay } = await batchOf('memory', seed, seed)
      t.is(replay, null, replay ?? '')
    })

  test.serial('a title that reaches the bank after the look-ups by the hour is closed: seed 9990', async (t) => {
    const { replay } = await batchOf('memory', 9990, 9990)
    t.is(replay, null, replay ?? '')
  })

  test('no invariant is violated under faults on a SQLite file', async (t) => {
    t.timeout(TIMEOUT_MS)
    const { replay } = await batchOf('sqlite', 1, 1)
    t.is(replay, null, replay ?? '')
  })

  test.serial('a seed runs the same way twice', async (t) => {
    t.timeout(TIMEOUT_MS)
    const hashes = new Set<string>()
    for (const seed of FULL ? [1, 2, 3, 4, 5, 6] : [1]) {
      const { hash } = await simulate(seed)
      t.is((await simulate(seed)).hash, hash, `seed ${seed}`)
      hashes.add(hash)
    }
    if (FULL) t.is(hashes.size, 6)
  })

  test.serial('a cent added to a balance is detected at once, at the same step in each run of the seed', async (t) => {
    const added: number[] = []
    const add: Interference = async ({ store, watch }, step) => {
      if (step < 30) return
      const cent = [patch(ledgerAccounts, '1:main', { add: { balanceCents: 1, availableCents: 1 }, when: always })]
      // The commit may fail: the cent is added at the first step whose commit succeeds.
      const outcome = await store.commit(cent).catch(() => null)
      if (!outcome?.ok) return
      added.push(step)
      await watch.committed(cent)
    }
    const [once, twice] = [await simulate(8, add), await simulate(8, add)]
    t.deepEqual(added, [once.steps, once.steps])
    t.regex(once.broken.join(), /1:main has \d+, and its entries \d+/)
    t.deepEqual([twice.steps, twice.broken, twice.hash], [once.steps, once.broken, once.hash])
  })
}
