import test, { type ExecutionContext } from 'ava'
import {
  type AnyCollection,
  always,
  type Change,
  eq,
  insert,
  patch,
  type Rec,
  remove,
} from '../../core/kernel/records/record.ts'
import { verifyTallies } from '../../core/kernel/running/verify.ts'
import { byId, byKey, type List, type Store, StoreUnavailable } from '../../core/ports/store.ts'
import { type Thing, thing, thingCollections, things } from '../fixtures/things.ts'
import { newerCollections, newerThings, shelfOf } from './mongodb/newer-things.ts'

/** Opens the store of a test as the process of a release, and closes it at the end of the test. */
export type OpenRelease = (
  collections: readonly AnyCollection[],
  superseded?: (line: string) => void,
) => Promise<Store & { close(): Promise<void> }>

export const older = (id: number, fields: Partial<Thing> = {}): Change =>
  insert(things, thing(id, { valueCents: 1, ...fields }))
export const newer = (id: number): Change =>
  insert(newerThings as never, { ...thing(id, { valueCents: 1 }), shelf: shelfOf(id) })

export const listed = (where: object, when?: string, limit = 500): List<Rec> =>
  ({ kind: 'list', from: newerThings, where, limit, total: true, ...(when && { when }) }) as never

/** Checks that a store of the newer release has these records, in its fields, conditions, indexes and tallies. */
export const stands = async (t: ExecutionContext, store: Store, ids: readonly number[]): Promise<void> => {
  const all: Rec[] = []
  for await (const record of store.scan(newerThings as never, always)) all.push(record)
  const known = new Set(all.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  t.deepEqual(missing, [])
  const totals = async (where: object, when?: string) => (await store.list(listed(where, when, 1))).total
  t.is(await totals(always), all.length)
  for (const record of all) t.is(record.shelf, shelfOf(record.id))
  for (const shelf of ['s0', 's1', 's2'])
    t.is(await totals(eq('shelf', shelf)), all.filter((record) => record.shelf === shelf).length)
  const live = all.filter(({ active, removedAt }) => active === null && removedAt === null)
  t.is(await totals(always, 'live'), live.length)
  t.deepEqual((await verifyTallies(store, newerCollections)).faults, [])
}

/** Registers the promises of upgrades, for a store that processes share. */
export const upgradeTests = (name: string, openingOf: (t: ExecutionContext) => Promise<OpenRelease>): void => {
  test(`${name}: a process of the former release serves beside one that adds fields and indexes`, async (t) => {
    const open = await openingOf(t)
    const lines: string[] = []
    const indexes = [...(things.indexes ?? []), { sort: 'shelf' }]
    const extended: AnyCollection = { ...things, codec: newerThings.codec, indexes }
    const before = await open(thingCollections, (line) => lines.push(line))
    await before.commit([older(1)])
    const after = await open([extended, ...thingCollections.slice(1)])
    t.true((await after.commit([patch(extended as never, 1, { set: { shelf: 'a' } as never, when: always })])).ok)
    t.true((await before.commit([patch(things, 1, { set: { name: 'b' }, when: always }), older(2)])).ok)
    t.like(await after.find(byId(extended as never, 1)), { shelf: 'a', name: 'b' })
    t.like(await after.find(byId(extended as never, 2)), { shelf: null })
    t.deepEqual((await verifyTallies(after, [extended])).faults, [])
    t.deepEqual(lines, [])
    await t.throwsAsync(open(thingCollections), { message: /a newer release has written this store/ })
  })

  test(`${name}: any other change ends the former release with one line, after the commits in hand`, async (t) => {
    const open = await openingOf(t)
    const lines: string[] = []
    const before = await open(thingCollections, (line) => lines.push(line))
    const committed: number[] = []
    const writing = (async () => {
      for (let id = 1; ; id += 1) {
        const outcome = await before.commit([older(id)]).catch((error: unknown) => error)
        if (outcome instanceof StoreUnavailable) return
        committed.push(id)
      }
    })()
    while (committed.length < 20) await new Promise((resolve) => setTimeout(resolve, 5))
    const after = await open(newerCollections)
    await writing
    await t.throwsAsync(before.commit([older(9_999)]), { instanceOf: StoreUnavailable })
    t.is(lines.length, 1)
    t.regex(lines[0] ?? '', /^[^\n]* release has taken the store over[^\n]*$/)
    t.true((await after.commit([newer(10_000)])).ok)
    await stands(t, after, [...committed, 10_000])
  })

  test(`${name}: fills fields of many records, and gives each text of a new key to the first of them`, async (t) => {
    const open = await openingOf(t)
    const first = await open([{ ...things, keys: {} }, ...thingCollections.slice(1)])
    // More than are upgraded at once.
    const ids = Array.from({ length: 1_100 }, (_, index) => index + 1)
    for (const from of [0, 550])
      await first.commit(ids.slice(from, from + 550).map((id) => older(id, { code: `c${id % 550}` })))
    await first.close()
    const store = await open(newerCollections)
    await stands(t, store, ids)
    for (const id of [1, 500, 550])
      t.is((await store.find(byKey(newerThings as never, 'code', `c${id % 550}`)))?.id, id)
  })

  test(`${name}: a key that was dropped and comes again is filled with the present texts`, async (t) => {
    const open = await openingOf(t)
    const keyless: AnyCollection = { ...things, keys: {} }
    const first = await open([things])
    await first.commit([older(1, { code: 'a' }), older(2, { code: 'b' }), older(3)])
    await first.close()
    const second = await open([keyless])
    const code = (id: number, to: string): Change =>
      patch(keyless as never, id, { set: { code: to } as never, when: always })
    t.true((await second.commit([code(1, 'b'), code(2, 'a'), code(3, 'a')])).ok)
    await second.close()
    const third = await open([things])
    const holders = async () =>
      Promise.all(['a', 'b'].map(async (text) => (await third.find(byKey(things, 'code', text)))?.id))
    t.deepEqual(await holders(), [2, 1])
    const taken = { ok: false, conflict: { collection: things.name, key: 'code' } } as const
    t.deepEqual(await third.commit([older(4, { code: 'a' })]), taken)
    t.true((await third.commit([patch(things, 3, { add: { valueCents: 1 }, when: always })])).ok)
    t.deepEqual(await holders(), [2, 1])
    t.true((await third.commit([remove(things, 2, always)])).ok)
    t.true((await third.commit([older(4, { code: 'a' })])).ok)
  })
}
