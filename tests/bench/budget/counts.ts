import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { fakeBankCollections } from '../../../adapters/bank/fake/books.ts'
import { readEnvironment } from '../../../apps/host/environment.ts'
import { openHost } from '../../../apps/host/host.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { serve } from '../../../apps/http/server.ts'
import { buildPayments, payments } from '../../../apps/payments/app.ts'
import { buildRealEstate, realEstate } from '../../../apps/real-estate/app.ts'
import type { Store } from '../../../core/ports/store.ts'
import { withReplicaSet } from '../../adapters/mongodb/server.ts'
import { STORE_SECRETS } from '../../apps/store-url.ts'
import { signInAdmin } from '../agency/figures.ts'
import { fillAgency } from '../agency/history.ts'
import { burst, wire } from '../http/load.ts'
import { inDirectory, issueMany, merchant } from '../http/stage.ts'
import { median } from '../rates.ts'
import { type Kind, requestsOf } from './requests.ts'

/** The calls that one request causes before its answer, and its worker after it. */
export interface Counts {
  readonly reads: number
  /** Reads one after the other; those in flight together are one round. */
  readonly rounds: number
  /** Durable commits, reservations of ids among them. */
  readonly commits: number
  readonly commitsAfter: number
  /** Commands sent to MongoDB; 0 on SQLite. */
  readonly trips: number
}

type Counter = { -readonly [K in keyof Counts]: Counts[K] }

const ZERO: Counts = { reads: 0, rounds: 0, commits: 0, commitsAfter: 0, trips: 0 }

/** Charges, and agency records of each kind. */
const RECORDS = 60
const WARM_UP = 6
const COUNTED = 9

const flushedLater = new Set(fakeBankCollections.filter((each) => each.isFlushedLater).map(({ name }) => name))

const countingStore = <S extends Store>(store: S, counter: Counter): S => {
  let inFlight = 0
  const counted = async <A>(queries: number, read: () => Promise<A>): Promise<A> => {
    counter.reads += queries
    if (inFlight === 0) counter.rounds += 1
    inFlight += 1
    try {
      return await read()
    } finally {
      inFlight -= 1
    }
  }
  return {
    ...store,
    find: (query) => counted(1, () => store.find(query)),
    list: (query) => counted(1, () => store.list(query)),
    group: (query) => counted(1, () => store.group(query)),
    read: (queries) => counted(Object.keys(queries).length, () => store.read(queries)),
    async *scan(from, where) {
      await counted(1, async () => {})
      yield* store.scan(from, where)
    },
    commit: (changes, hook) => {
      if (hook || !changes.every(({ at: [name] }) => flushedLater.has(name))) counter.commits += 1
      return store.commit(changes, hook)
    },
    reserve: (collection, count) => {
      counter.commits += 1
      return store.reserve(collection, count)
    },
  }
}

/** Counts the commands of all clients that connect from now on; their URLs need `monitorCommands=true`. */
const countCommands = (counter: Counter): void => {
  const { connect } = MongoClient.prototype
  MongoClient.prototype.connect = function (this: MongoClient) {
    this.on('commandStarted', () => {
      counter.trips += 1
    })
    return connect.call(this)
  }
}

const quiet = (): void => {}

/**
 * Counts the calls of each kind of request, sent one by one to both apps in this process. Their workers run only after
 * an answer, so that no load and no clock changes a count. Returns the medians.
 */
const countOn = (storeUrl: (directory: string) => string, counter: Counter): Promise<ReadonlyMap<Kind, Counts>> =>
  inDirectory(async (directory) => {
    const settings = readEnvironment({
      DATA_DIR: directory,
      STORE_URL: storeUrl(directory),
      ...STORE_SECRETS,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'silent',
    })
    const host = await openHost(settings, [payments, realEstate], quiet, {
      open: async (...options) => countingStore(await openStore(...options), counter),
    })
    const [paymentsApp, estateApp] = [await buildPayments(host), await buildRealEstate(host)]
    const workers = [paymentsApp.api.worker, estateApp.api.worker]
    for (const worker of workers) await worker.prepare()
    const [pay, estate] = [
      await serve(paymentsApp.api, { host: '127.0.0.1', port: 0 }),
      await serve(estateApp.api, { host: '127.0.0.1', port: 0 }),
    ]
    const drain = async (): Promise<void> => {
      for (const worker of workers) await worker.drain()
    }
    try {
      await fillAgency(host.store, RECORDS)
      const token = await merchant(pay.url)
      await issueMany(pay.url, token, RECORDS)
      const urls = {
        payments: { url: pay.url, token },
        estate: { url: estate.url, token: await signInAdmin(estate.url) },
      }
      const kinds = await requestsOf(urls)
      const counts = new Map<Kind, Counts>()
      for (const [kind, { url, prepare }] of kinds) {
        const [warm, measured] = [await prepare(WARM_UP), await prepare(COUNTED)]
        await burst(url, WARM_UP, (number) => warm[number - 1] ?? warm[0])
        counts.set(kind, await countEach(url, measured, { counter, drain }))
      }
      return counts
    } finally {
      for (const server of [pay, estate]) await server.stop()
      for (const app of [paymentsApp, estateApp]) await app.close()
      await host.close()
    }
  })

interface Counting {
  readonly counter: Counter
  readonly drain: () => Promise<void>
}

const countEach = async (url: string, requests: readonly Buffer[], { counter, drain }: Counting): Promise<Counts> => {
  const one = await wire(url)
  const all: Counts[] = []
  for (const request of requests) {
    await drain()
    Object.assign(counter, ZERO)
    const { status, body } = await one.ask(request)
    if (status >= 300) throw new Error(`a counted request was answered ${status}: ${body}`)
    const before = { ...counter }
    await drain()
    all.push({ ...before, commitsAfter: counter.commits - before.commits })
  }
  one.close()
  const of = (name: keyof Counts): number => median(all.map((counts) => counts[name]))
  return Object.fromEntries(Object.keys(ZERO).map((name) => [name, of(name as keyof Counts)])) as Counter
}

export const countOnSqlite = (): Promise<ReadonlyMap<Kind, Counts>> =>
  countOn((directory) => `sqlite:${join(directory, 'portico.db')}`, { ...ZERO })

/** As on SQLite, with the round trips; null if no server is named. */
export const countOnMongo = (): Promise<ReadonlyMap<Kind, Counts> | null> =>
  withReplicaSet((server) => {
    const counter = { ...ZERO }
    countCommands(counter)
    return countOn(() => `${server.getUri('bench')}&monitorCommands=true`, counter)
  })
