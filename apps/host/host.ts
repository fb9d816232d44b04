import { closingClock } from '../../adapters/clock/closing-clock.ts'
import { digest } from '../../adapters/crypto/digest.ts'
import { systemRandom } from '../../adapters/crypto/system-random.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { type IdPool, idPool } from '../../core/kernel/running/ids.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Digest } from '../../core/ports/digest.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Store } from '../../core/ports/store.ts'
import { ownDataDirectory, type Warn } from './data-directory.ts'
import type { PorticoSettings } from './environment.ts'
import { openFiles } from './open-files.ts'
import { openStore } from './open-store.ts'
import { type Secrets, secretsOf } from './secrets.ts'

/** What the apps of one process share. */
export interface Host {
  readonly settings: PorticoSettings
  readonly secrets: Secrets
  readonly store: Store
  readonly files: Files
  readonly ids: IdPool
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
  close(): Promise<void>
}

/** Opens what the apps share. Throws `CannotStart`. */
export const openHost = async (
  settings: PorticoSettings,
  collections: readonly AnyCollection[],
  warn: Warn,
): Promise<Host> => {
  await ownDataDirectory(settings, warn)
  const secrets = await secretsOf(settings)
  const store = await openStore(settings.STORE_URL, collections)
  const ids = idPool(store)
  const clock = closingClock()
  return {
    settings,
    secrets,
    store,
    files: openFiles(store, settings),
    ids,
    clock,
    random: systemRandom,
    digest,
    async close() {
      await ids.giveBack()
      await store.close()
      clock.close()
    },
  }
}

/** An app that listens. */
export interface Running {
  readonly url: string
  stop(): Promise<void>
}
