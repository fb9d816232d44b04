import { setClock } from '../../../adapters/clock/set-clock.ts'
import { aesCipher, digest } from '../../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import type { Queue } from '../../../core/kernel/running/queue.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import type { Store } from '../../../core/ports/store.ts'
import { everyOf } from '../payments/access/test-ports.ts'

export const START = '2026-11-21T13:05:09.123Z'

/** Companies and users have UUIDs. */
export const COMPANY = '0b6f2f6a-6a0e-4e0a-9d67-2f8a3f1c5d01'
export const OTHER_COMPANY = '7c0d9b1e-33c4-4e9e-8a51-90a1b2c3d402'
export const ANA = 'f4b1c2d3-0e5f-4a6b-8c7d-112233445503'

/** A business in memory, with a clock that stands still and seeded randomness. */
export const openEstate = (collections: readonly AnyCollection[]) => {
  const store = memoryStore(collections)
  const clock = setClock(START)
  const cipher = aesCipher(new Uint8Array(32).fill(1))
  const ports = { store, clock, random: seededRandom(7), ids: idPool(store), digest, cipher }
  const reports: unknown[] = []
  return {
    ports,
    clock,
    reports,
    /** A worker for these queues. */
    workerOf: (on: Store, ...queues: readonly Queue[]) =>
      worker({ runtime: { ...ports, store: on }, queues, report: (error) => reports.push(error) }),
    every: everyOf(store),
  }
}
