import test, { type ExecutionContext } from 'ava'
import type { AnyReply } from '../../../apps/http/replies/reply.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { some } from '../../size.ts'
import type { RowsApi } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placesOf } from './places.ts'
import { noteLongRun } from './sampling.ts'
import type { RowsSuite } from './suite.ts'
import { writtenBetween } from './suite.ts'

/** What an API says of what its rows write. */
export interface Writing<A> {
  /** A second process on the store of an app, whose rows are all `speechless`. */
  openFailing(t: ExecutionContext, api: A): Promise<A>
  /** Which collections a row writes although there is no answer: an intent, which somebody else carries on. */
  readonly intents: Readonly<Record<string, readonly string[]>>
  /** Rows that are not asked by GET and write nothing. */
  readonly readOnly: readonly string[]
  /** For rows whose example leaves them nothing to write. */
  readonly more: Readonly<Record<string, (api: A, sent: Prepared) => Promise<Prepared>>>
  /** The row that comes last, since others fail after it. */
  readonly last?: string
  /** What holds of the store in the end, when the worker has had its time. */
  settled(t: ExecutionContext, api: A): Promise<void>
}

/** A row that does everything and has words for nothing. */
export const withFailingReply = (row: AnyRow): AnyRow => {
  const encode = (): never => {
    throw new TypeError('no words for it')
  }
  return { ...row, reply: { ...row.reply, encode } as AnyReply }
}

/** How many rows are asked by key besides those of intents. */
const KEYED = 12

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Collections of what was written between two dumps. */
const collectionsOf = (written: readonly string[]): readonly string[] =>
  [...new Set(written.map((line) => line.split('/')[0] ?? ''))].sort()

/** Whatever writes makes its answer before it commits. */
export const repliesFirstSuite = <A extends RowsApi>(under: RowsSuite<A>, writing: Writing<A>): void => {
  const { rows, restricted: fewMay, open } = under
  const { openFailing: mute, intents, readOnly: looks, last, settled } = writing
  const places = rows
    .filter(({ name }) => !fewMay?.has(name))
    .flatMap((row) => placesOf(row).filter(({ method, path }) => WRITES.has(method) && path === row.paths[0]))
    .toSorted((a, b) => Number(a.row.name === last) - Number(b.row.name === last))

  // What is done by key is the same for all but intents: of the others some are tried, by chance.
  const posts = places.filter(({ method }) => method === 'POST')
  const isIntent = ({ row }: Place) => Object.hasOwn(intents, row.name)
  const others = posts.filter((place) => !isIntent(place))
  const keyed = new Set([...posts.filter(isIntent), ...some(others, KEYED)])
  noteLongRun(`answers by key: of ${keyed.size} rows, and of all ${posts.length} that are posted in the long run`)

  test.serial(
    'whatever writes makes its answer before its commit: where there is none, nothing was done',
    async (t) => {
      t.timeout(300_000)
      const api = await open(t, 'drawing')
      const silent = await mute(t, api)
      const busy = new Set([...Object.keys(intents), ...looks])
      for (const place of places) {
        const { name, reply } = place.row
        for (const key of keyed.has(place) ? [null, `${place.path}: uma vez`] : [null]) {
          const about = `${name} ${place.method}${key === null ? '' : ' by key'}`
          const headers: Readonly<Record<string, string>> = key === null ? {} : { 'idempotency-key': key }
          const { first, again } = await tryRow(under, writing, [silent, api], place, headers)
          t.is(first.status, 500, about)
          // The key of an intent says that it runs.
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
        'every row had something to write',
      )
      await settled(t, api)
    },
  )
}

/** A row that is asked what it has no words for, and then, where nothing came of that, what it has. */
const tryRow = async <A extends RowsApi>(
  { prepare, dump }: RowsSuite<A>,
  { intents, more }: Writing<A>,
  [silent, api]: readonly [silent: A, api: A],
  place: Place,
  headers: Readonly<Record<string, string>>,
) => {
  const usual = await prepare(api, place)
  await api.drain()
  const sent = (await more[place.row.name]?.(api, usual)) ?? usual
  const asked = async (whom: A) => {
    const before = await dump(api)
    const { status } = await askAt(whom, place, sent, { headers })
    return { status, written: collectionsOf(writtenBetween(before, await dump(api))) }
  }
  const first = await asked(silent)
  return { first, again: Object.hasOwn(intents, place.row.name) ? null : await asked(api) }
}
