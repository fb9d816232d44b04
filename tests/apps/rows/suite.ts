import test, { type ExecutionContext } from 'ava'
import { openStore, sqlitePath } from '../../../apps/host/open-store.ts'
import { RATE_SECONDS } from '../../../apps/http/rates.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { all } from '../../../core/kernel/records/where.ts'
import type { Store } from '../../../core/ports/store.ts'
import { emptyDatabase, emptyFile } from '../fresh-store.ts'
import type { ApiUnderTest, Fixture, RowsApi, Start } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placeOf, preparedOf } from './places.ts'
import { type Documented, documentOf } from './schemas.ts'

/** What the suites work with: an API under test, and what can be done with any. */
export interface RowsSuite<A extends RowsApi> extends ApiUnderTest<A> {
  /** Rows that ask for a token. */
  readonly closed: readonly AnyRow[]
  /** The app of a test, empty: one for all of a process, so that these tests are serial. */
  open(t: ExecutionContext, kind?: Kind): Promise<A>
  /** Makes what a row's example speaks of, and gives what it asks. Throws where its fixture is unknown. */
  prepare(api: A, place: Place): Promise<Prepared>
  dump(api: A): Promise<Dump>
  /** That nothing is written but counts, whatever is done. */
  writesNothing(t: ExecutionContext, api: A, act: () => Promise<void>): Promise<void>
  /** The document of the running app: of every test the same, and read once. */
  documented(api: A): Promise<Documented>
}

/** What the suites take, of what an API says of itself. */
export const suiteOf = <A extends RowsApi>(under: ApiUnderTest<A>): RowsSuite<A> => {
  const dump = dumpsOf(under)
  let known: Promise<Documented> | null = null
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
      known ??= documentOf(api, under.wording)
      return known
    },
  }
}

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
  const { open, empty } = clearableStore()
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

/** A store that is another one from time to time. */
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

/** The record that an answer tells of, in whatever envelope. */
const recordIn = (body: unknown): Named | undefined =>
  [body, ...Object.values((body ?? {}) as Named)].find((each) => isNamed(each)) as Named | undefined

/** Makes one of a plain resource as its `create` row shows, of what nobody else has. */
const fromCreateRow =
  <A extends RowsApi>(under: ApiUnderTest<A>, create: AnyRow): Fixture<A> =>
  async (api) => {
    const begun = await fixtureOf(under, create)(api)
    const { body, ...asked } = preparedOf(create, begun)
    const answer = await askAt(api, placeOf(create), { ...asked, body: under.withFreshValues(create, body) })
    const record = recordIn(answer.body)
    if (record === undefined) throw new Error(`${create.name} made nothing: ${answer.status} ${answer.text}`)
    return { ...begun, params: { id: `${record.id}` } }
  }

/** The fixture of a name, or else what the row of the same resource makes whose examples have that name. Throws where there is neither. */
export const fixtureNamed = <A extends RowsApi>(under: ApiUnderTest<A>, name: string): Fixture<A> => {
  const own = under.given[name]
  if (own) return own
  const shown = under.rows.find(({ example }) => example.given === name)
  const create = shown && under.rows.find((each) => each.name === shown.name.replace(OWN_VERB, '.create'))
  if (!create || create === shown) throw new Error(`no fixture is called ${name} in \`given\` of its API's tests`)
  return fromCreateRow(under, create)
}

/** What makes what a row's example speaks of. */
export const fixtureOf = <A extends RowsApi>(under: ApiUnderTest<A>, { example }: AnyRow): Fixture<A> =>
  example.given === undefined ? async () => ({}) : fixtureNamed(under, example.given)

/** Every record of a store as JSON, by collection and id: what counts guesses and requests is left out. */
export type Dump = ReadonlyMap<string, string>

/** Dumps the stores of an API. */
export const dumpsOf = <A extends RowsApi>({
  collections,
  counts,
}: Pick<ApiUnderTest<A>, 'collections' | 'counts'>) => {
  const dumped = collections.filter(({ name }) => !counts.collections.includes(name))
  const fields = new Set(counts.fields)
  const uncounted = (field: string, value: unknown): unknown => (fields.has(field) ? undefined : value)
  // The memory store gives a record that nobody has changed as it gave it before.
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

/** Whatever is in it, it is only read. */
const read = (collection: AnyCollection) => collection as Collection<Rec>

/** What was written between two dumps, a line for each record that is new, other or gone. */
export const writtenBetween = (before: Dump, after: Dump): readonly string[] => [
  ...[...after].flatMap(([at, record]) => (before.get(at) === record ? [] : [`${at} ${record}`])),
  ...[...before.keys()].filter((at) => !after.has(at)).map((at) => `${at} is gone`),
]
