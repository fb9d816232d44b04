import { type ExecutionContext, registerCompletionHandler } from 'ava'
import { openStore, sqlitePath } from '../../../apps/host/open-store.ts'
import { RATE_SECONDS } from '../../../apps/http/rates.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { type AnyCollection, all, type Collection, type Rec } from '../../../core/kernel/records/record.ts'
import type { Store } from '../../../core/ports/store.ts'
import { emptyDatabase, emptyFile } from '../fresh-store.ts'
import type { ApiUnderTest, Fixture, RowsApi, Start } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placeOf, preparedOf } from './places.ts'
import { type Documented, documentOf } from './schemas.ts'

/** An API under test with the helpers of the suites. */
export interface RowsSuite<A extends RowsApi> extends ApiUnderTest<A> {
  /** Rows that require authentication. */
  readonly closed: readonly AnyRow[]
  /** Returns the app with an empty store. It is shared within a process, so these tests are serial. */
  open(t: ExecutionContext, kind?: Kind): Promise<A>
  /** Runs the fixture of a row and returns the request of its example. Throws for an unknown fixture. */
  prepare(api: A, place: Place): Promise<Prepared>
  dump(api: A): Promise<Dump>
  /** Checks that `act` writes nothing but counts. */
  writesNothing(t: ExecutionContext, api: A, act: () => Promise<void>): Promise<void>
  /** Returns the document of the app, read once. */
  documented(api: A): Promise<Documented>
}

export const suiteOf = <A extends RowsApi>(under: ApiUnderTest<A>): RowsSuite<A> => {
  const dump = dumpsOf(under)
  let document: Promise<Documented> | null = null
  return {
    ...under,
    closed: under.rows.filter(({ auth }) => auth !== 'public'),
    open: sharedApi(under),
    async prepare(api, { row }) {
      return preparedOf(row, await fixtureOf(under, row)(api))
    },
    dump,
    async writesNothing(t, api, act) {
      const before = await dump(api)
      await act()
      t.deepEqual(writtenBetween(before, await dump(api)), [])
    },
    documented(api) {
      document ??= documentOf(api, under.wording)
      return document
    },
  }
}

// On MongoDB every kind uses MongoDB.
const MEMORY = process.env.TEST_MONGODB_URL === undefined ? { STORE_URL: 'memory:' } : {}

/** The stores and settings of the app. */
const KINDS = {
  /** In memory, without rendering. */
  usual: { env: MEMORY, draws: false },
  drawing: { env: MEMORY, draws: true },
  file: { env: {}, draws: false },
} as const satisfies Readonly<Record<string, Omit<Start, 'open'>>>

export type Kind = keyof typeof KINDS

interface Shared<A> {
  readonly api: A
  /** Empties the app. */
  reset(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the app for a test of rows. It is shared within a process and emptied between tests, since starting it takes
 * longer than most tests; therefore they are serial.
 */
const sharedApi = <A extends RowsApi>(under: ApiUnderTest<A>) => {
  const shared = new Map<Kind, Promise<Shared<A>>>()
  let isTaken = false
  // A hook of AVA at import would be declared before the tests of a process whose other files load asynchronously.
  registerCompletionHandler(async () => {
    for (const each of shared.values()) await (await each).close()
  })
  return async (t: ExecutionContext, kind: Kind = 'usual'): Promise<A> => {
    if (isTaken) throw new Error('tests of rows share an app and must be serial')
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
  const { open, empty } = clearableStore()
  const api = await under.start({ teardown: (close) => closing.unshift(close) }, { ...KINDS[kind], open })
  return {
    api,
    async reset() {
      await api.host.ids.returnIds()
      await empty()
      // The app counts requests per minute in memory, too.
      api.clock.advance(RATE_SECONDS)
      under.forget?.(api)
    },
    async close() {
      for (const close of closing) await close()
    },
  }
}

/** Opens stores that can be emptied while they are open. */
const clearableStore = (): { readonly open: typeof openStore; empty(): Promise<void> } => {
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
      return delegatingStore(() => current)
    },
  }
}

/** A store that delegates to the current one. */
const delegatingStore = (current: () => Store): Store => ({
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

const OWN_VERB = /\.\w+$/

type Named = Readonly<Record<string, unknown>>

const isNamed = (value: unknown): value is Named => typeof value === 'object' && value !== null && 'id' in value

/** Returns the record in an answer, in any envelope. */
const recordIn = (body: unknown): Named | undefined =>
  [body, ...Object.values((body ?? {}) as Named)].find((each) => isNamed(each)) as Named | undefined

/** Creates a record as in the example of the resource's `create` row, with new values for unique fields. */
const fromCreateRow =
  <A extends RowsApi>(under: ApiUnderTest<A>, create: AnyRow): Fixture<A> =>
  async (api) => {
    const begun = await fixtureOf(under, create)(api)
    const { body, ...asked } = preparedOf(create, begun)
    const answer = await askAt(api, placeOf(create), { ...asked, body: under.withFreshValues(create, body) })
    const record = recordIn(answer.body)
    if (record === undefined) throw new Error(`${create.name} created no record: ${answer.status} ${answer.text}`)
    return { ...begun, params: { id: `${record.id}` } }
  }

/**
 * Returns the fixture of a name; by default the `create` row of the resource whose examples have that name. Throws for
 * an unknown name.
 */
export const fixtureNamed = <A extends RowsApi>(under: ApiUnderTest<A>, name: string): Fixture<A> => {
  const own = under.given[name]
  if (own) return own
  const shown = under.rows.find(({ example }) => example.given === name)
  const create = shown && under.rows.find((each) => each.name === shown.name.replace(OWN_VERB, '.create'))
  if (!create || create === shown) throw new Error(`unknown fixture ${name}: add it to \`given\` of the API's tests`)
  return fromCreateRow(under, create)
}

/** Returns the fixture of a row's example. */
const fixtureOf = <A extends RowsApi>(under: ApiUnderTest<A>, { example }: AnyRow): Fixture<A> =>
  example.given === undefined ? async () => ({}) : fixtureNamed(under, example.given)

/** Every record of a store as JSON, by collection and id, without counts of guesses and requests. */
type Dump = ReadonlyMap<string, string>

const dumpsOf = <A extends RowsApi>({ collections, counts }: Pick<ApiUnderTest<A>, 'collections' | 'counts'>) => {
  const dumped = collections.filter(({ name }) => !counts.collections.includes(name))
  const fields = new Set(counts.fields)
  const uncounted = (field: string, value: unknown): unknown => (fields.has(field) ? undefined : value)
  // The memory store returns the same object for an unchanged record.
  const texts = new WeakMap<Rec, string>()
  const textOf = (record: Rec): string => {
    const text = texts.get(record) ?? JSON.stringify(record, uncounted)
    texts.set(record, text)
    return text
  }
  return async ({ host: { store } }: RowsApi): Promise<Dump> => {
    const dump = new Map<string, string>()
    for (const collection of dumped) {
      for await (const record of store.scan(read(collection), all())) {
        dump.set(`${collection.name}/${record.id}`, textOf(record))
      }
    }
    return dump
  }
}

/** Drops the type of the records, which are only read. */
const read = (collection: AnyCollection) => collection as Collection<Rec>

/** Returns a line for each record that was inserted, changed or removed between two dumps. */
export const writtenBetween = (before: Dump, after: Dump): readonly string[] => [
  ...[...after].flatMap(([at, record]) => (before.get(at) === record ? [] : [`${at} ${record}`])),
  ...[...before.keys()].filter((at) => !after.has(at)).map((at) => `${at} is gone`),
]
