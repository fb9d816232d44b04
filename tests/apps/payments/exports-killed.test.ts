// Runs in test:long only.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { parse } from 'csv-parse/sync'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { events } from '../../../core/payments/events.ts'
import { type Export, exports } from '../../../core/payments/exports/export.ts'
import { notifications } from '../../../core/payments/inbox/inbox.ts'
import { type Entry, entries, PIX_IN, post } from '../../../core/payments/ledger/ledger.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { draws } from '../../core/payments/statements/random-ledger.ts'
import { everyRecord } from '../../every-record.ts'
import { until } from '../processes/lanes.ts'
import { startProcess } from '../processes/processes.ts'
import { worked } from '../rows/wire.ts'
import { merchant } from './given/merchants.ts'

const ENTRIES = 15_000
const TOGETHER = 100
const KILLS = 2
/** Longer than the lease of a killed process. */
const AHEAD_SECONDS = 400
const LOOK_EVERY_MS = 2

const TOLD = { description: 'Mensalidade', chargeId: null, txid: null, endToEnd: null, payer: null, receiver: null }

/** Writes the ledger of an account without other users. */
const written = async (store: Store, accountId: number): Promise<void> => {
  const fresh = draws().freshAt(new Date().toISOString())
  for (let first = 1; first <= ENTRIES; first += TOGETHER) {
    const movements = Array.from({ length: TOGETHER }, (_, at) =>
      post(fresh, {
        accountId,
        kind: 'main',
        cause: `pix-in:${first + at}`,
        lines: [{ type: PIX_IN, valueCents: first + at, against: 'clearing' }],
        details: TOLD,
      }),
    )
    const outcome = await store.commit(movements.flat())
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  }
}

test('completes an export whose process was killed, once and with one notification', async (t) => {
  t.timeout(300_000)
  const directory = await mkdtemp(join(tmpdir(), 'portico-exports-'))
  const url = `sqlite:${join(directory, 'portico.db')}`
  const env = { DATA_DIR: directory }
  const first = await startProcess(url, env)
  const { token, id: accountId } = await merchant(first)
  await first.end('SIGTERM')
  const store = await openStore(url, payments.collections)
  t.teardown(async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })
  await written(store, accountId)

  const begun = await startProcess(url, env)
  const body = { format: 'csv' }
  const path = '/consolidation/transactions/export-document'
  const { id } = worked(await begun.ask('POST', path, { token, body }))
  const [asked] = await everyRecord(store, exports)
  const found = async () => {
    const now = await store.find(byId(exports, asked?.id ?? 0))
    if (!now) throw new Error('the export is gone')
    return now
  }

  let process = begun
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const isInHand = ({ attempts, done }: Export): boolean => attempts === kill && (kill > 1 || done > 0)
    for (let now = await found(); !isInHand(now); now = await found()) {
      if (now.state === 'ready') throw new Error('the export was ready before the process was killed')
      await sleep(LOOK_EVERY_MS)
    }
    await process.end('SIGKILL')
    const { state, done } = await found()
    t.is(state, 'waiting', 'the process must be killed while it writes')
    t.true(done < ENTRIES)
    process = await startProcess(url, { ...env, CLOCK_AHEAD_SECONDS: `${kill * AHEAD_SECONDS}` })
  }
  t.teardown(() => process.end('SIGKILL'))
  await until(async () => (await found()).state === 'ready')

  const { text } = await process.ask('GET', `/consolidation/exports/download/${id}`, { token })
  const [, ...rows]: readonly (readonly string[])[] = parse(text, { delimiter: ';', bom: true })
  const lines: readonly Entry[] = await everyRecord(store, entries)
  t.is(rows.length, ENTRIES)
  t.deepEqual(
    rows.map(([each]) => Number(each)),
    lines.map((line) => line.id),
  )
  const notified = (await everyRecord(store, notifications)).filter((each) => each.type === 'export.ready')
  t.deepEqual(
    notified.map((each) => each.id),
    [id],
  )
  t.is((await everyRecord(store, events)).filter(({ type }) => type === 'export.ready').length, 1)
})
