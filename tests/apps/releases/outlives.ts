import type { ExecutionContext } from 'ava'
import { findings } from '../../../apps/audit/findings.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/startable.ts'
import type { Rec } from '../../../core/kernel/records/collection.ts'
import { finishesRequests, finishesWork } from './finishes.ts'
import { decodesAll, findsAll, readsAsBefore } from './reads.ts'
import type { Survivor } from './survivor.ts'
import { writesAll } from './writes.ts'

/** What is never written again: money that moved, what the embedded bank knows of an account, and of the server what proves its key and its disk. */
const FOR_EVER = ['fake-bank.accounts', 'host.key-checks', 'host.write-probes', 'payments.entries', 'payments.journals']

/** A store of an earlier release is read, written, finished and found sound by the program of today. */
export const outlives = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, fixture } = survivor
  await findsAll(t, survivor)
  await decodesAll(t, survivor)
  await readsAsBefore(t, survivor)
  const before = await api.everything()
  await writesAll(t, survivor)
  await finishesRequests(t, survivor)
  await finishesWork(t, survivor)
  const after = await api.everything()
  const unwritten = fixture.collections.filter((name) => keptAll(before[name], after[name]))
  t.deepEqual(
    unwritten.toSorted(),
    FOR_EVER.filter((name) => fixture.collections.includes(name)),
  )
  await decodesAll(t, survivor)
  for await (const { area, faults } of findings(api.host, collectionsOf([payments]))) t.deepEqual(faults, [], area)
}

const keptAll = (before: readonly Rec[] = [], after: readonly Rec[] = []): boolean => {
  const now = new Set(after.map((record) => JSON.stringify(record)))
  return before.every((record) => now.has(JSON.stringify(record)))
}
