import { type ClosingClock, closingClock } from '../../adapters/clock/closing-clock.ts'
import { digest } from '../../adapters/crypto/digest.ts'
import { systemRandom } from '../../adapters/crypto/system-random.ts'
import type { Sealing } from '../../adapters/node/key-check.ts'
import type { Secrets } from '../../adapters/node/secrets.ts'
import type { Tracing } from '../../adapters/tracing/otlp.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { type IdPool, idPool } from '../../core/kernel/running/fresh.ts'
import { keyChecks } from '../../core/office/data-key-check.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Clock, Digest, Random } from '../../core/ports/runtime.ts'
import { ownDataDirectory, type Warn } from './data-directory.ts'
import type { PorticoSettings } from './environment.ts'
import { openFiles } from './open-files.ts'
import { openStore, refuseEmptied, refuseMissing, type StoreOptions } from './open-store.ts'
import { openTracing } from './open-tracing.ts'
import { secretsOf } from './secrets.ts'
import { untilWritable, type WatchedStore, watchedStore, writeProbes } from './watched-store.ts'

/** What the apps of one process share. */
export interface Host {
  readonly settings: PorticoSettings
  readonly secrets: Secrets
  readonly store: WatchedStore
  readonly files: Files
  readonly ids: IdPool
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
  /** Sends spans to a collector; null or absent where none is set. */
  readonly tracing?: Tracing | null | undefined
  close(): Promise<void>
}

/** One app of a process. */
export interface Startable extends Sealing {
  readonly name: string
  readonly collections: readonly AnyCollection[]
  /** A line for each thing that it cannot start without and is not set. */
  lacks?(settings: PorticoSettings): readonly string[]
  start(host: Host): Promise<Running>
}

/** An app that listens. */
export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** What a process keeps of its own and for its apps: what they share is listed once. */
export const collectionsOf = (apps: readonly Pick<Startable, 'collections'>[]): readonly AnyCollection[] => [
  ...new Set([keyChecks, writeProbes, ...apps.flatMap(({ collections }) => collections)]),
]

const TAKES_NONE = 'STORE_URL: the store takes no commits, for want of room or for its disk: unhealthy until it does'
const TAKES_COMMITS = 'STORE_URL: the store takes commits again'

/** How the store is opened, who is told when a newer release takes it over, and what says that the process is to stop. */
export interface HostOptions extends Pick<StoreOptions, 'superseded' | 'stopping'> {
  readonly open?: typeof openStore
}

/** Opens what the apps share. Throws `CannotStart`. */
export const openHost = async (
  settings: PorticoSettings,
  apps: readonly Startable[],
  warn: Warn,
  { superseded = warn, stopping, open = openStore }: HostOptions = {},
): Promise<Host> => {
  await ownDataDirectory(settings, warn)
  await refuseEmptied(settings)
  refuseMissing(settings)
  const tracing = await openTracing(settings, warn)
  const clock = closingClock(warn)
  const options = { superseded, report: warn, ...(stopping && { stopping }) }
  const opened = await open(settings.STORE_URL, collectionsOf(apps), options)
  const store = watchedStore(opened, (takesCommits) => {
    warn(takesCommits ? TAKES_COMMITS : TAKES_NONE)
    if (!takesCommits) void untilWritable(store, clock)
  })
  try {
    return hostOf({ settings, store, clock, secrets: await secretsOf(store, apps, settings), tracing })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Opened extends Pick<Host, 'settings' | 'store' | 'secrets' | 'tracing'> {
  readonly clock: ClosingClock
}

const hostOf = ({ settings, store, clock, secrets, tracing }: Opened): Host => {
  const ids = idPool(store)
  return {
    settings,
    secrets,
    store,
    files: openFiles(store, settings),
    ids,
    clock,
    random: systemRandom,
    digest,
    tracing,
    async close() {
      try {
        await ids.returnIds()
      } finally {
        await store.close()
        clock.close()
        await tracing?.close()
      }
    },
  }
}
