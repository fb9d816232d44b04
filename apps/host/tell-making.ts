import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../core/ports/store.ts'
import type { Log } from '../http/telemetry.ts'

/** Longer than a store takes that has all it needs. */
const AT_ONCE_MS = 200

/**
 * Tells an operator that a store of an earlier release is still being made what this one needs, and when that is done: until
 * then some answers are 503. Says nothing where nothing is to be made, nor once the process ends.
 */
export const tellMaking = async (
  { settled }: Pick<Store, 'settled'>,
  log: Pick<Log, 'info'>,
  isEnding: () => boolean,
): Promise<void> => {
  if (!settled) return
  const since = performance.now()
  const made = settled().then(() => true)
  if (await Promise.race([made, sleep(AT_ONCE_MS, false, { ref: false })])) return
  log.info('the store is being made what this release needs, beside what is served')
  await made
  if (!isEnding()) log.info('store ready', { seconds: Math.round((performance.now() - since) / 1_000) })
}
