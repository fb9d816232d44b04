import test from 'ava'
import { patch } from '../../core/kernel/change.ts'
import { always } from '../../core/kernel/where.ts'
import { books } from '../../core/payments/ledger/book.ts'
import { type Meddle, type Run, simulate } from './run.ts'

const { SEED, PORTICO_FULL } = process.env
const SEEDS = PORTICO_FULL === '1' ? 10_000 : 200
const BATCH = 50
const BATCH_TIMEOUT_MS = 600_000

/** What must have happened somewhere, or nothing was tried: kinds of lines of the traces. */
const KINDS = ['commit', 'broken', 'fault', 'bank', 'told', 'webhook', 'mail', 'report', 'death', 'stop', 'jump', 'key']
const STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'failed']

const replayOf = ({ seed, steps, broken, tail, world }: Run): string =>
  [
    `seed ${seed} (${world.bank.name} bank), step ${steps}:`,
    ...broken,
    'its last lines:',
    ...tail,
    `again: SEED=${seed} npx ava tests/simulation/simulation.test.ts`,
  ].join('\n')

if (SEED !== undefined) {
  test(`seed ${SEED}`, async (t) => {
    const run = await simulate(Number(SEED))
    t.deepEqual(run.broken, [], replayOf(run))
    t.log(run.hash)
  })
} else {
  const seen = new Map<string, number>()
  const count = (run: Run): void => {
    for (const kind of KINDS) seen.set(kind, (seen.get(kind) ?? 0) + run.count(kind))
    for (const status of [...run.world.watch.statuses.values()].flat()) seen.set(status, (seen.get(status) ?? 0) + 1)
    seen.set(run.world.bank.name, (seen.get(run.world.bank.name) ?? 0) + 1)
    seen.set('steps', (seen.get('steps') ?? 0) + run.steps)
  }

  for (let first = 1; first <= SEEDS; first += BATCH) {
    test.serial(`whatever goes wrong, payments stay right: seeds ${first} to ${first + BATCH - 1}`, async (t) => {
      t.timeout(BATCH_TIMEOUT_MS)
      for (let seed = first; seed < first + BATCH; seed += 1) {
        const run = await simulate(seed)
        count(run)
        t.deepEqual(run.broken, [], replayOf(run))
      }
    })
  }

  test.serial('everything was tried', (t) => {
    for (const kind of [...KINDS, ...STATUSES, 'outside', 'embedded']) t.true((seen.get(kind) ?? 0) > 0, kind)
    t.log([...seen].map(([kind, times]) => `${kind} ${times}`).join(', '))
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
      const cent = [patch(books, '1:main', { add: { balanceCents: 1, availableCents: 1 }, when: always })]
      await store.commit(cent)
      await watch.committed(cent)
    }
    const [once, twice] = [await simulate(3, add), await simulate(3, add)]
    t.is(once.steps, 30)
    t.regex(once.broken.join(), /1:main has \d+ and its lines \d+/)
    t.deepEqual([twice.steps, twice.broken, twice.hash], [once.steps, once.broken, once.hash])
  })
}
