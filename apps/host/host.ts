import type { Stats } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type ClosingClock, closingClock } from '../../adapters/clock/system-clock.ts'
import { digest } from '../../adapters/crypto/cipher.ts'
import { systemRandom } from '../../adapters/crypto/random.ts'
import { makeDirectory, OWNER_ONLY_DIRECTORY, OWNER_ONLY_FILE } from '../../adapters/files/disk-files.ts'
import type { Sealing, Secrets } from '../../adapters/node/secrets.ts'
import {
  type AnyCollection,
  always,
  type Collection,
  insert,
  record,
  remove,
  t,
} from '../../core/kernel/records/record.ts'
import { type IdPool, idPool } from '../../core/kernel/running/ids.ts'
import { keyChecks } from '../../core/office/data-key-check.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Clock, Digest, Random } from '../../core/ports/runtime.ts'
import { byId, type Store, StoreUnwritable } from '../../core/ports/store.ts'
import type { Tracing } from '../../core/ports/tracer.ts'
import { CannotStart, type PorticoSettings } from './environment.ts'
import { openFiles, openStore, refuseEmptied, refuseMissing, type StoreOptions, sqlitePath } from './open-store.ts'
import { secretsOf } from './secrets.ts'
import { VERSION } from './version.ts'

/** The resources that the apps of one process share. */
export interface Host {
  readonly settings: PorticoSettings
  readonly secrets: Secrets
  readonly store: WatchedStore
  readonly files: Files
  readonly ids: IdPool
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
  /** Sends spans to a collector, if one is set. */
  readonly tracing?: Tracing | null | undefined
  close(): Promise<void>
}

/** An app of a process. */
export interface Startable extends Sealing {
  readonly name: string
  readonly collections: readonly AnyCollection[]
  /** Returns a line for each required setting that is missing. */
  missingSettings?(settings: PorticoSettings): readonly string[]
  start(host: Host): Promise<Running>
}

/** A listening app. */
export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** Returns the collections of the process and its apps, shared ones once. */
export const collectionsOf = (apps: readonly Pick<Startable, 'collections'>[]): readonly AnyCollection[] => [
  ...new Set([keyChecks, writeProbes, ...apps.flatMap(({ collections }) => collections)]),
]

const NOT_WRITABLE = 'STORE_URL: the store accepts no commits, since its disk is full or fails: unhealthy until it does'
const WRITABLE = 'STORE_URL: the store accepts commits again'

export interface HostOptions extends Pick<StoreOptions, 'superseded' | 'stopping'> {
  readonly open?: typeof openStore
}

/** Opens the shared resources. Throws `CannotStart`. */
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
  const store = watchedStore(opened, (isWritable) => {
    warn(isWritable ? WRITABLE : NOT_WRITABLE)
    if (!isWritable) void untilWritable(store, clock)
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

/** Receives lines for the operator. */
export type Warn = (line: string) => void

/** The suffixes of SQLite's files: the store, and those beside it while it is open or after a crash. */
const SUFFIXES = ['', '-wal', '-shm', '-journal']
const OTHERS = 0o077
const FOLDERS = ['files', 'outbox']
/**
 * The files of `DATA_DIR` besides a store, the drafts that a crash may leave of them, and `lost+found` of a new disk.
 */
const OURS = /^(jwt-secret|data-key)(\.\d+)?$|^(outbox|files|lost\+found)$|^\.[\da-f-]{36}\.tmp(-\w+)?$/

/**
 * Restricts `DATA_DIR`, its secrets and the store to their owner: earlier releases left the store readable for other
 * users. A folder with any other file, such as a home or `/tmp`, is not changed.
 */
export const ownDataDirectory = async (
  { DATA_DIR, STORE_URL }: Pick<PorticoSettings, 'DATA_DIR' | 'STORE_URL'>,
  warn: Warn,
): Promise<void> => {
  const store = sqlitePath(STORE_URL)
  const stores = store === null ? [] : SUFFIXES.map((suffix) => `${store}${suffix}`)
  // A failure is ignored here: with secrets and store elsewhere the directory may not be needed.
  if (store !== null) await makeDirectory(DATA_DIR).catch(() => {})
  // Without users there are no permissions to restrict.
  if (process.getuid === undefined) return
  const isIn = (path: string): boolean => resolve(dirname(path)) === resolve(DATA_DIR)
  const names = new Set(stores.filter(isIn).map((path) => basename(path)))
  const isOurs = (name: string): boolean => OURS.test(name) || names.has(name)
  await restrictDirectory(DATA_DIR, isOurs, warn)
  const secrets = ['jwt-secret', 'data-key'].map((name) => join(DATA_DIR, name))
  for (const path of [...secrets, ...stores]) await restrict(path, OWNER_ONLY_FILE, warn)
}

const restrictDirectory = async (path: string, isOurs: (name: string) => boolean, warn: Warn): Promise<void> => {
  const found = await statIfOpen(path)
  if (found === null) return
  const names = await readdir(path).catch(() => null)
  if (names?.every(isOurs)) {
    // Files that earlier releases put into the folders stay readable, but cannot be reached any more.
    for (const name of ['', ...FOLDERS]) await restrict(join(path, name), OWNER_ONLY_DIRECTORY, warn)
  } else warn(`${accessOf(path, found)} and was not restricted: it contains other files`)
}

const restrict = async (path: string, mode: number, warn: Warn): Promise<void> => {
  const found = await statIfOpen(path)
  if (found === null) return
  const leave = (why: string): void => warn(`${accessOf(path, found)} and was not restricted: ${why}`)
  // Also for root, which could change the file of another user.
  if (found.uid !== process.getuid?.()) leave('it belongs to another user')
  else await chmod(path, mode).catch((error: Error) => leave(error.message))
}

/** Returns the state of a file that other users may access; null for any other. */
const statIfOpen = async (path: string): Promise<Stats | null> => {
  const found = await lstat(path).catch(() => null)
  // The target of a link is not ours to change.
  return found !== null && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0 ? found : null
}

const accessOf = (path: string, { mode }: Stats): string =>
  `${path} is accessible to other users (mode ${(mode & 0o7777).toString(8)})`

/** The packages of tracing, in releases that run on Node 20. */
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
 * Opens tracing; returns null if the settings name no collector, and then loads nothing of OpenTelemetry. Throws
 * `CannotStart` if its packages are not installed.
 */
const openTracing = async (settings: PorticoSettings, warn: Warn): Promise<Tracing | null> => {
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

const writeProbe = record({
  id: t.string,
  /** As large as the commit of a request: a smaller one may still fit onto a full disk. */
  filling: t.string,
})

/** Records that test whether the store accepts commits. They are removed at once. */
export const writeProbes: Collection<t.TypeOf<typeof writeProbe>> = {
  name: 'host.write-probes',
  ids: 'text',
  codec: writeProbe,
  owner: null,
}

const PROBE = { id: 'probe', filling: '.'.repeat(16_384) }
const PROBE_EVERY_MS = 1_000

/** A store that reports whether it accepts commits. */
export interface WatchedStore extends Store {
  readonly acceptsCommits: () => boolean
  /** Rejects with `StoreUnavailable` if the store cannot be read or accepts no commits. Writes nothing. */
  health(): Promise<void>
  /** Tests by a commit whether the store accepts commits again. Never rejects. */
  probe(): Promise<void>
}

/**
 * Watches the commits of a store: after one that its disk refused, it counts as not writable until a probe succeeds.
 */
export const watchedStore = <S extends Store>(
  store: S,
  changed: (acceptsCommits: boolean) => void = () => {},
): S & WatchedStore => {
  let isWritable = true
  const setWritable = (now: boolean): void => {
    if (isWritable === now) return
    isWritable = now
    changed(now)
  }
  const watched = async <A>(work: Promise<A>): Promise<A> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof StoreUnwritable) setWritable(false)
      throw error
    }
  }
  return {
    ...store,
    commit: (changes, hook) => watched(store.commit(changes, hook)),
    reserve: (collection, count) => watched(store.reserve(collection, count)),
    acceptsCommits: () => isWritable,
    health: async () => {
      if (!isWritable) throw new StoreUnwritable('the store accepts no commits now')
      await store.find(byId(writeProbes, PROBE.id))
    },
    probe: async () => {
      if (await acceptsProbe(store)) setWritable(true)
    },
  }
}

const acceptsProbe = async (store: Store): Promise<boolean> => {
  try {
    const isStored = (await store.commit([insert(writeProbes, PROBE)])).ok
    // If the insert failed, the record is of another process: removing it proves nothing.
    await store.commit([remove(writeProbes, PROBE.id, always)])
    return isStored
  } catch {
    return false
  }
}

/** Probes a store every second until it accepts commits again. */
export const untilWritable = async (store: WatchedStore, clock: Clock): Promise<void> => {
  while (!store.acceptsCommits()) {
    await clock.wait(PROBE_EVERY_MS)
    await store.probe()
  }
}
