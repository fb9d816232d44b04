import test, { type ExecutionContext } from 'ava'
import { openStore, sqlitePath } from '../../../apps/host/open-store.ts'
import { RATE_SECONDS } from '../../../apps/http/rates.ts'
import type { Store } from '../../../core/ports/store.ts'
import { emptyDatabase, emptyFile } from '../fresh-store.ts'
import type { ApiUnderTest, RowsApi, Start } from './api-under-test.ts'

// What is run over MongoDB is run over it whole.
const MEMORY = process.env.TEST_MONGODB_URL === undefined ? { STORE_URL: 'memory:' } : {}

/** What rows may run on. */
const KINDS = {
  /** In memory, and draws nothing. */
  usual: { env: MEMORY, draws: false },
  drawing: { env: MEMORY, draws: true },
  file: { env: {}, draws: false },
} as const satisfies Readonly<Record<string, Omit<Start, 'open'>>>

export type Kind = keyof typeof KINDS

interface Shared<A> {
  readonly api: A
  /** Leaves nothing of what was done in it. */
  reset(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens an app for a test of rows: one for all of a process, since to put it together takes longer than most of them, and
 * each finds it empty. Therefore they are serial.
 */
export const sharedApi = <A extends RowsApi>(under: ApiUnderTest<A>) => {
  const shared = new Map<Kind, Promise<Shared<A>>>()
  let isTaken = false
  test.after.always(async () => {
    for (const each of shared.values()) await (await each).close()
  })
  return async (t: ExecutionContext, kind: Kind = 'usual'): Promise<A> => {
    if (isTaken) throw new Error('tests of rows share an app: they are serial')
    isTaken = true
    t.teardown(() => {
      isTaken = false
    })
    const known = shared.get(kind)
    if (known) await (await known).reset()
    const own = known ?? share(under, kind)
    shared.set(kind, own)
    return (await own).api
  }
}

const share = async <A extends RowsApi>(under: ApiUnderTest<A>, kind: Kind): Promise<Shared<A>> => {
  const closing: (() => unknown)[] = []
  const { open, empty } = emptiable()
  const api = await under.start({ teardown: (close) => closing.unshift(close) }, { ...KINDS[kind], open })
  return {
    api,
    async reset() {
      await api.host.ids.returnIds()
      await empty()
      // Limits by the minute are counted in the app, too.
      api.clock.advance(RATE_SECONDS)
      under.forget?.(api)
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
