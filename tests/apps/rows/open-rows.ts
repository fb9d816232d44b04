import test, { type ExecutionContext } from 'ava'
import { openStore, sqlitePath } from '../../../apps/host/open-store.ts'
import { RATE_SECONDS } from '../../../apps/http/rates/rates.ts'
import type { Store } from '../../../core/ports/store.ts'
import { emptyDatabase, emptyFile } from '../fresh-store.ts'
import { openTestApi, type TestApi } from '../payments/test-api.ts'

type Options = NonNullable<Parameters<typeof openTestApi>[1]>

// What is run over MongoDB is run over it whole.
const MEMORY = process.env.TEST_MONGODB_URL === undefined ? { STORE_URL: 'memory:' } : {}
// Drawing takes longer than all the rest of a request.
const blank = () => ({ qrRenderer: { qrPng: async () => new Uint8Array([137]) } })

/** What rows may run on. */
const KINDS = {
  /** In memory, and draws nothing. */
  usual: { env: MEMORY, instead: blank },
  drawing: { env: MEMORY },
  file: { instead: blank },
} as const satisfies Readonly<Record<string, Options>>

type Kind = keyof typeof KINDS

interface Shared {
  readonly api: TestApi
  /** Leaves nothing of what was done in it. */
  reset(): Promise<void>
  close(): Promise<void>
}

const shared = new Map<Kind, Promise<Shared>>()
let isTaken = false

/**
 * The payments app for a test of rows: one for all of a process, since to put it together takes longer than most of them,
 * and each finds it empty. Therefore they are serial.
 */
export const openRows = async (t: ExecutionContext, kind: Kind = 'usual'): Promise<TestApi> => {
  if (isTaken) throw new Error('tests of rows share an app: they are serial')
  isTaken = true
  t.teardown(() => {
    isTaken = false
  })
  const known = shared.get(kind)
  if (known) await (await known).reset()
  else shared.set(kind, share(KINDS[kind]))
  return ((await (known ?? shared.get(kind))) as Shared).api
}

test.after.always(async () => {
  for (const each of shared.values()) await (await each).close()
})

const share = async (options: Options): Promise<Shared> => {
  const closing: (() => unknown)[] = []
  const { open, empty } = emptiable()
  const api = await openTestApi({ teardown: (close) => closing.unshift(close) }, { ...options, open })
  return {
    api,
    async reset() {
      await api.host.ids.returnIds()
      await empty()
      // Limits by the minute are counted in the app, too.
      api.clock.advance(RATE_SECONDS)
      api.mailer.sent.length = 0
      api.sender.requests.length = 0
    },
    async close() {
      for (const close of closing) await close()
    },
  }
}

/** A store that is emptied under whoever has it open. */
const emptiable = (): { readonly open: typeof openStore; empty(): Promise<void> } => {
  let empty = async (): Promise<void> => {}
  return {
    empty: () => empty(),
    async open(url, collections) {
      let current = await openStore(url, collections)
      if ('files' in current) {
        empty = () => emptyDatabase(url)
        return current
      }
      const path = sqlitePath(url)
      let files = 0
      empty = async () => {
        await current.close()
        files += 1
        current = await openStore(path === null ? url : await emptyFile(`${path}.${files}`), collections)
      }
      return asNow(() => current)
    },
  }
}

/** A store that is another one from time to time. */
const asNow = (current: () => Store): Store => ({
  find: (ask) => current().find(ask),
  list: (ask) => current().list(ask),
  group: (ask) => current().group(ask),
  read: (asks) => current().read(asks),
  scan: (from, where) => current().scan(from, where),
  commit: (changes, hooks) => current().commit(changes, hooks),
  reserve: (collection, count) => current().reserve(collection, count),
  returnIds: (collection, next, end) => current().returnIds(collection, next, end),
  close: () => current().close(),
})
