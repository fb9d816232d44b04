import type { Stats } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type ClosingClock, closingClock } from '../../adapters/clock/system-clock.ts'
import { digest } from '../../adapters/crypto/cipher.ts'
import { systemRandom } from '../../adapters/crypto/random.ts'
import { makeDirectory, OWNER_ONLY_DIRECTORY, OWNER_ONLY_FILE } from '../../adapters/files/disk-files.ts'
import type { Sealing, Secrets } from '../../adapters/node/secrets.ts'
import type { Tracing } from '../../adapters/tracing/otlp.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { type IdPool, idPool } from '../../core/kernel/running/fresh.ts'
import { keyChecks } from '../../core/office/data-key-check.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Clock, Digest, Random } from '../../core/ports/runtime.ts'
import { CannotStart, type PorticoSettings } from './environment.ts'
import { openFiles, openStore, refuseEmptied, refuseMissing, type StoreOptions, sqlitePath } from './open-store.ts'
import { secretsOf } from './secrets.ts'
import { VERSION } from './version.ts'
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

/** Told in one line each what an operator should know of. */
export type Warn = (line: string) => void

/** What SQLite keeps beside a store while it is open, or was when it crashed. */
const BESIDE = ['', '-wal', '-shm', '-journal']
const OTHERS = 0o077
const FOLDERS = ['files', 'outbox']
/** What is put into `DATA_DIR` besides a store, what a crash may leave of it, and what a new disk comes with. */
const OURS = /^(jwt-secret|data-key)(\.\d+)?$|^(outbox|files|lost\+found)$|^\.[\da-f-]{36}\.tmp(-\w+)?$/

/**
 * Sees to it that `DATA_DIR`, the secrets in it and the store, wherever it is, are their owner's alone; earlier releases
 * left the store open to others. A folder that holds anything else than ours (a home, `/tmp`) is never touched.
 */
export const ownDataDirectory = async (
  { DATA_DIR, STORE_URL }: Pick<PorticoSettings, 'DATA_DIR' | 'STORE_URL'>,
  warn: Warn,
): Promise<void> => {
  const store = sqlitePath(STORE_URL)
  const stores = store === null ? [] : BESIDE.map((end) => `${store}${end}`)
  // Whoever cannot do without it says so better: with secrets and store elsewhere it may not be needed at all.
  if (store !== null) await makeDirectory(DATA_DIR).catch(() => {})
  // Where there are no users there are no rights of theirs to take away.
  if (process.getuid === undefined) return
  const isIn = (path: string): boolean => resolve(dirname(path)) === resolve(DATA_DIR)
  const names = new Set(stores.filter(isIn).map((path) => basename(path)))
  const isOurs = (name: string): boolean => OURS.test(name) || names.has(name)
  await tightenDirectory(DATA_DIR, isOurs, warn)
  const secrets = ['jwt-secret', 'data-key'].map((name) => join(DATA_DIR, name))
  for (const path of [...secrets, ...stores]) await tighten(path, OWNER_ONLY_FILE, warn)
}

const tightenDirectory = async (path: string, isOurs: (name: string) => boolean, warn: Warn): Promise<void> => {
  const found = await openToOthers(path)
  if (found === null) return
  const names = await readdir(path).catch(() => null)
  if (names?.every(isOurs)) {
    // What earlier releases put into the folders is open, and out of reach from now on.
    for (const name of ['', ...FOLDERS]) await tighten(join(path, name), OWNER_ONLY_DIRECTORY, warn)
  } else warn(`${shown(path, found)}, and stays so: it holds what is not ours`)
}

const tighten = async (path: string, mode: number, warn: Warn): Promise<void> => {
  const found = await openToOthers(path)
  if (found === null) return
  const leave = (why: string): void => warn(`${shown(path, found)}, and stays so: ${why}`)
  // Root may change what is another's, and is not to.
  if (found.uid !== process.getuid?.()) leave('it belongs to another user')
  else await chmod(path, mode).catch((error: Error) => leave(error.message))
}

/** What others than its owner may use, else null. */
const openToOthers = async (path: string): Promise<Stats | null> => {
  const found = await lstat(path).catch(() => null)
  // Where a link leads is somebody else's affair.
  return found !== null && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0 ? found : null
}

const shown = (path: string, { mode }: Stats): string =>
  `${path} is open to others (mode ${(mode & 0o7777).toString(8)})`

/** The packages that tracing needs, in releases that run on Node 20. */
const PACKAGES = [
  '@opentelemetry/api@1.9',
  '@opentelemetry/exporter-trace-otlp-http@0.223',
  '@opentelemetry/resources@2',
  '@opentelemetry/sdk-trace-node@2',
]

const otlp = async () => {
  try {
    return await import('../../adapters/tracing/otlp.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && `${error.code}`.endsWith('MODULE_NOT_FOUND')
    if (!isMissing) throw error
    throw new CannotStart(
      `OTEL_EXPORTER_OTLP_ENDPOINT: tracing needs packages that are not installed: npm install ${PACKAGES.join(' ')}`,
    )
  }
}

/**
 * Opens tracing if the settings name a collector; else null, and nothing of OpenTelemetry is loaded. Throws `CannotStart`
 * if its packages are not installed.
 */
export const openTracing = async (settings: PorticoSettings, warn: Warn): Promise<Tracing | null> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings
  const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint === null ? null : `${endpoint}/v1/traces`)
  if (url === null || settings.OTEL_SDK_DISABLED) return null
  const { otlpTracing } = await otlp()
  return otlpTracing({
    url,
    ...(headers === null ? {} : { headers }),
    version: VERSION,
    report: (line) => warn(`OTEL_EXPORTER_OTLP_ENDPOINT: ${line}`),
  })
}
