// Also runs on MongoDB, in test:long.
// Runs in test:long only.
// Runs alone.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { payOuts } from '../../../../adapters/bank/fake/books.ts'
import { openStore } from '../../../../apps/host/open-store.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { always } from '../../../../core/kernel/records/record.ts'
import { entries, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { everyRecord } from '../../../every-record.ts'
import { printSeed } from '../../../size.ts'
import { seededNumbers } from '../../crash/load.ts'
import { until } from '../../processes/lanes.ts'
import { isAsking } from '../../processes/money-faults.ts'
import { type Process, startProcess } from '../../processes/processes.ts'
import { databaseUrl } from '../../store-url.ts'
import { apiKeyOf, fund, merchant } from '../given/merchants.ts'

const ROUNDS = 18
const LANES = 10
const MOST_ANSWERS = 25
const MOST_MS = 30
/** Longer than any lease. */
const AHEAD_SECONDS = '400'

/** Creates an active account with money, and returns its token and API key. */
const rich = async (process: Process) => {
  const { token } = await fund(process, await merchant(process), 100_000)
  return { token, key: await apiKeyOf(process, { token }) }
}

test('completes or fails each transfer once at the bank and in both accounts after random kills', async (t) => {
  t.timeout(900_000)
  printSeed(t)
  const roll = seededNumbers()
  const directory = await mkdtemp(join(tmpdir(), 'portico-transfers-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const { TEST_MONGODB_URL: server } = process.env
  const url = server ? databaseUrl(server) : `sqlite:${join(directory, 'portico.db')}`
  const env = { DATA_DIR: directory }
  const first = await startProcess(url, env)
  const [anna, bia] = [await rich(first), await rich(first)]
  await first.end('SIGKILL')

  let cents = 0
  /** The cents of the transfers with reply 200, by txid. */
  const replied = new Map<string, number>()
  const send = async (process: Process): Promise<void> => {
    cents += 1
    const [from, to, asked] = cents % 2 === 0 ? [anna, bia, cents] : [bia, anna, cents]
    const body = { token: to.key, amount: asked / 100 }
    const { status, body: answer } = await process.ask('POST', '/transfers/internal', { token: from.token, body })
    if (status === 200) replied.set(answer.data.txid, asked)
    // Records of a killed process stay locked for a while: 503 is accepted too.
    else t.true([202, 503].includes(status), `${status}`)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const process = await startProcess(url, env)
    let left = 1 + roll(MOST_ANSWERS)
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await send(process)
      }
    }
    // Requests without a reply reject: their outcome is unknown.
    const lanes = Promise.allSettled(Array.from({ length: LANES }, lane))
    await until(async () => left <= 0)
    await sleep(roll(MOST_MS))
    await process.end('SIGKILL')
    await lanes
  }

  const last = await startProcess(url, { ...env, CLOCK_AHEAD_SECONDS: AHEAD_SECONDS })
  t.teardown(() => last.end('SIGKILL'))
  const store = await openStore(url, payments.collections)
  await until(async () => !(await isAsking(store)))
  await last.end('SIGTERM')

  const made = await everyRecord(store, transfers)
  const lines = await everyRecord(store, entries)
  const sent = (typeId: number) => lines.flatMap((line) => (line.typeId === typeId ? [line.txid] : [])).toSorted()
  // A transfer that was not sent before the kill is never sent.
  const ids = made.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])).toSorted()
  t.true(made.every(({ status }) => status === 'completed' || status === 'failed'))
  t.true([...replied.keys()].every((id) => ids.includes(id)))
  t.true([...replied].every(([id, value]) => made.some((each) => each.id === id && each.valueCents === value)))
  t.deepEqual([sent(7), sent(8)], [ids, ids])
  const { records } = await store.list(listOf(payOuts, { where: always, limit: 500 }))
  if (made.length < 500) t.deepEqual(records.map(({ id }) => id).toSorted(), ids)
  for (const { balanceCents, availableCents } of await everyRecord(store, ledgerAccounts))
    t.is(availableCents, balanceCents)
  t.deepEqual((await verifyLedger(store)).faults, [])
  await store.close()
  t.log(`${made.length} transfers, ${replied.size} of them answered`)
})
