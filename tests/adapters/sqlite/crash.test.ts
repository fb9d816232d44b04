// Runs in test:long only.
// Runs alone.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createInterface } from 'node:readline'
import test from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { always, eq } from '../../../core/kernel/records/record.ts'
import { byId, byKey, groupOf, type Store } from '../../../core/ports/store.ts'
import { bundleOf } from '../../bundle.ts'
import { accounts, claims, entries, thingCollections, things } from '../../fixtures/things.ts'
import { FULL } from '../../size.ts'
import { fileFor, openUntilEnd } from './file.ts'
import { work } from './writer.ts'

const startWriter = async (path: string, first: number, last: number) => {
  const args = [await bundleOf('tests/adapters/sqlite/writer.ts'), path, `${first}`, `${last}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: number[] = []
  const listeners = new Set<() => void>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    acknowledged.push(Number(line))
    for (const listener of listeners) listener()
  })
  /** The exit code; null if it was killed. */
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  /** Resolves after `count` acknowledged numbers, or when the process has ended. */
  const waitFor = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (acknowledged.length >= count) resolve()
      }
      listeners.add(look)
      look()
      void ended.then(() => resolve())
    })
  return { process: child, acknowledged: acknowledged as readonly number[], waitFor, ended }
}

const ROUNDS = FULL ? 8 : 2
const A_ROUND = 1_000_000

const integrity = async (path: string): Promise<unknown> => {
  const database = await openDatabase(path)
  const found = database.prepare('PRAGMA integrity_check').get()
  database.close()
  return found?.integrity_check
}

const countOf = async (store: Store) => {
  const count = { where: always, by: [], sum: ['valueCents'] } as const
  const { claimed, made, posted, books } = await store.read({
    claimed: groupOf(claims, { where: always, by: [], sum: [] }),
    made: groupOf(things, count),
    posted: groupOf(entries, count),
    books: byId(accounts, 'a'),
  })
  return { claimed: claimed[0]?.count, made: made[0]?.count, posted: posted[0], books }
}

test('every acknowledged commit of a killed process is complete', async (t) => {
  const path = await fileFor(t)
  const acknowledged: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const writer = await startWriter(path, round * A_ROUND, round * A_ROUND + A_ROUND - 1)
    const after = randomInt(1, 1_500)
    t.log(`round ${round}: killed after ${after}`)
    await writer.waitFor(after)
    writer.process.kill('SIGKILL')
    t.is(await writer.ended, null)
    acknowledged.push(...writer.acknowledged)
    t.true(writer.acknowledged.length >= after)

    t.is(await integrity(path), 'ok')
    const store = await sqliteStore(path, thingCollections)
    for (const number of acknowledged) {
      if ((await store.find(byId(claims, `c${number}`))) === null) t.fail(`${number} is lost`)
      if ((await store.find(byKey(things, 'document', `loja|d${number}`)))?.id !== number)
        t.fail(`${number} is half there`)
    }
    const { claimed, made, posted, books } = await countOf(store)
    t.true((claimed ?? 0) >= acknowledged.length)
    t.deepEqual([made, posted?.count, books?.seq], [claimed, claimed, claimed])
    t.is(posted?.sums.valueCents, books?.balanceCents)
    const open = await store.group(groupOf(things, { where: eq('status', 'open'), when: 'live', by: [], sum: [] }))
    t.is(open[0]?.count, claimed)
    await store.close()
  }
})

test('two processes write one file at once', async (t) => {
  const path = await fileFor(t)
  const store = await openUntilEnd(t, path)
  const [ours, theirs] = [400, 600]
  const writer = await startWriter(path, A_ROUND, A_ROUND + theirs - 1)
  await writer.waitFor(1)
  for (let number = 1; number <= ours; number += 8) {
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => store.commit(work(number + index))))
    t.true(outcomes.every((outcome) => outcome.ok))
  }
  t.is(await writer.ended, 0)
  const { claimed, made, posted, books } = await countOf(store)
  t.deepEqual([claimed, made, posted?.count, books?.seq], Array(4).fill(ours + theirs))
  t.is(posted?.sums.valueCents, books?.balanceCents)
})

test('processes that start at once create the file once', async (t) => {
  const path = await fileFor(t)
  const writers = [1, 2, 3].map((round) => startWriter(path, round * A_ROUND, round * A_ROUND + 49))
  for (const writer of await Promise.all(writers)) t.is(await writer.ended, 0)
  const store = await openUntilEnd(t, path)
  const { claimed, made, posted, books } = await countOf(store)
  t.deepEqual([claimed, made, posted?.count, books?.seq], Array(4).fill(150))
})
