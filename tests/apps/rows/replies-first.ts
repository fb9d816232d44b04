import test, { type ExecutionContext } from 'ava'
import type { AnyReply } from '../../../apps/http/replies/reply.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { some } from '../../size.ts'
import type { RowsApi } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placesOf } from './places.ts'
import { noteLongRun } from './sampling.ts'
import { type RowsSuite, writtenBetween } from './suite.ts'

/** The parts of the test that depend on the API. */
export interface Writing<A> {
  /** Starts a second process on the store of an app, with `withFailingReply` for all rows. */
  openFailing(t: ExecutionContext, api: A): Promise<A>
  /** The collections that a row writes before its answer: those of a bank operation, which is resumed later. */
  readonly intents: Readonly<Record<string, readonly string[]>>
  /** Rows with other methods than GET that write nothing. */
  readonly readOnly: readonly string[]
  /** Prepares rows whose example alone has nothing to write. */
  readonly more: Readonly<Record<string, (api: A, sent: Prepared) => Promise<Prepared>>>
  /** The row to test last, since others fail after it. */
  readonly last?: string
  /** Checks the store at the end. */
  settled(t: ExecutionContext, api: A): Promise<void>
}

/** Returns the row with a reply that throws. */
export const withFailingReply = (row: AnyRow): AnyRow => {
  const encode = (): never => {
    throw new TypeError('cannot be encoded')
  }
  return { ...row, reply: { ...row.reply, encode } as AnyReply }
}

/** The numbers of rows that are tested, and of those called with an idempotency key, those of bank operations aside. */
const TRIED = 50
const KEYED = 8

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const collectionsOf = (written: readonly string[]): readonly string[] =>
  [...new Set(written.map((line) => line.split('/')[0] ?? ''))].sort()

/** Tests that each row encodes its answer before it commits. */
export const repliesFirstSuite = <A extends RowsApi>(under: RowsSuite<A>, writing: Writing<A>): void => {
  const { rows, restricted: fewMay, open } = under
  const { openFailing: mute, intents, readOnly: looks, last, settled } = writing
  const all = rows
    .filter(({ name }) => !fewMay?.has(name))
    .flatMap((row) => placesOf(row).filter(({ method, path }) => WRITES.has(method) && path === row.paths[0]))
    .toSorted((a, b) => Number(a.row.name === last) - Number(b.row.name === last))

  // Only bank operations write before their answer, and treat keys in their own way: of the others a sample is tested.
  const isIntent = ({ row }: Place) => Object.hasOwn(intents, row.name)
  const sample = (of: readonly Place[], count: number) =>
    some(
      of.filter((place) => !isIntent(place)),
      count,
    )
  const tried = new Set([...all.filter(isIntent), ...sample(all, TRIED)])
  const places = all.filter((place) => tried.has(place))
  const posts = places.filter(({ method }) => method === 'POST')
  const keyed = new Set([...posts.filter(isIntent), ...sample(posts, KEYED)])
  noteLongRun(
    `answers before commits: a sample of ${places.length} rows, ${keyed.size} by a key, all ${all.length} in test:long`,
  )

  test.serial('commits nothing if the answer cannot be encoded', async (t) => {
    t.timeout(300_000)
    const api = await open(t, 'drawing')
    const failing = await mute(t, api)
    const busy = new Set([...Object.keys(intents), ...looks])
    for (const place of places) {
      const { name, reply } = place.row
      for (const key of keyed.has(place) ? [null, `${place.path}: uma vez`] : [null]) {
        const about = `${name} ${place.method}${key === null ? '' : ' by key'}`
        const headers: Readonly<Record<string, string>> = key === null ? {} : { 'idempotency-key': key }
        const { first, again } = await tryRow(under, writing, [failing, api], place, headers)
        t.is(first.status, 500, about)
        // The key of a bank operation is stored as running.
        const own = first.written.filter(
          (collection) => key === null || again !== null || collection !== idempotencyKeys.name,
        )
        t.deepEqual(own, [...(intents[name] ?? [])].sort(), about)
        if (again === null) continue
        t.is(again.status, reply.doc.status, about)
        if (again.written.some((collection) => collection !== idempotencyKeys.name)) busy.add(name)
      }
    }
    t.deepEqual(
      places.flatMap(({ row: { name } }) => (busy.has(name) ? [] : [name])),
      [],
      'rows that wrote nothing',
    )
    await settled(t, api)
  })
}

/** Calls a row whose answer cannot be encoded; then, unless it began a bank operation, one whose answer can. */
const tryRow = async <A extends RowsApi>(
  { prepare, dump }: RowsSuite<A>,
  { intents, more }: Writing<A>,
  [failing, api]: readonly [failing: A, api: A],
  place: Place,
  headers: Readonly<Record<string, string>>,
) => {
  const usual = await prepare(api, place)
  await api.drain()
  const sent = (await more[place.row.name]?.(api, usual)) ?? usual
  let before = await dump(api)
  const call = async (on: A) => {
    const { status } = await askAt(on, place, sent, { headers })
    const after = await dump(api)
    const written = collectionsOf(writtenBetween(before, after))
    before = after
    return { status, written }
  }
  const first = await call(failing)
  return { first, again: Object.hasOwn(intents, place.row.name) ? null : await call(api) }
}
