import type { ExecutionContext } from 'ava'
import {
  all,
  any,
  type Collection,
  t as codec,
  contains,
  eq,
  gt,
  gte,
  has,
  insert,
  isIn,
  lt,
  lte,
  not,
} from '../../core/kernel/records/record.ts'
import { byKey, type List, listOf, type Store } from '../../core/ports/store.ts'
import { type Thing, things } from '../fixtures/things.ts'

const oddCodec = codec.strict({
  id: codec.Int,
  shop: codec.string,
  n: codec.number,
  on: codec.boolean,
  tags: codec.array(codec.string),
  dueAt: codec.string,
})
type Odd = codec.OutputOf<typeof oddCodec>

/** Conditions of every form, each with an index. */
export const odd: Collection<Odd> = {
  name: 'test.odd',
  ids: 'integer',
  codec: oddCodec,
  owner: 'shop',
  conditions: {
    quoted: eq('shop', "it's"),
    oneOf: isIn('n', [1, -2, 0.5]),
    neither: not(any(eq('on', true), lt('n', 3))),
    between: all(gte('n', -1), lte('n', 1e21), gt('shop', '')),
    part: contains('shop', '%'),
    never: any(),
    tagged: has('tags', 'x'),
  },
  indexes: [
    { sort: 'n', when: 'quoted' },
    { sort: 'n', when: 'oneOf' },
    { sort: 'n', when: 'neither' },
    { sort: 'n', when: 'between' },
    { sort: 'n', when: 'part' },
    { sort: 'n', when: 'tagged' },
    { sort: 'dueAt', acrossOwners: true },
    { sort: 'n', eq: 'on', when: 'never' },
  ],
}

const receiptCodec = codec.strict({
  id: codec.Int,
  shop: codec.string,
  status: codec.string,
  paidOn: codec.union([codec.string, codec.null]),
})

/** Receipts whose status decides whether they have a payment day: by that day, the open ones are all at one end. */
export const receipts: Collection<codec.OutputOf<typeof receiptCodec>> = {
  name: 'test.receipts',
  ids: 'integer',
  codec: receiptCodec,
  owner: 'shop',
  indexes: [{ sort: 'paidOn' }, { eq: 'status', sort: 'id', include: ['paidOn'] }],
  tallies: [
    { by: ['shop'], sum: [] },
    { by: ['shop', 'status'], sum: [] },
  ],
}

const RECEIPTS = 2_000

/** Stores receipts, every other one paid, and returns the page of those of a status by payment day. */
export const receiptsByStatus = async (store: Store) => {
  const receipt = (id: number) =>
    id % 2 === 0 ? ({ status: 'open', paidOn: null } as const) : { status: 'paid', paidOn: `2026-01-${10 + (id % 20)}` }
  const made = Array.from({ length: RECEIPTS }, (_, at) =>
    insert(receipts, { id: at + 1, shop: 'loja', ...receipt(at + 1) }),
  )
  for (let at = 0; at < made.length; at += 500) await store.commit(made.slice(at, at + 500))
  return (status: string) =>
    listOf(receipts, {
      where: all(eq('shop', 'loja'), eq('status', status)),
      sort: { by: 'paidOn', dir: 'desc' },
      limit: 15,
      total: true,
    })
}

type Page = Omit<List<Thing>, 'kind' | 'from'>
export const own = eq('shopId', 'loja')
export const live = { when: 'live', limit: 15 } as const
export const byDay = { by: 'createdDay', dir: 'desc' } as const
const byName = { by: 'name', dir: 'asc' } as const
const byValue = { by: 'valueCents', dir: 'desc' } as const
const days = all(own, gte('createdDay', 'a'), lt('createdDay', 'b'))

/** Pages with the fields and the condition of their index: the equality, the order, the search and the condition. */
export const pages: readonly [
  title: string,
  page: Page,
  index: readonly [equal: string, sort: string, search: string, when: string],
][] = [
  ['live, newest first', { where: own, sort: byDay, ...live }, ['', 'createdDay', '', 'live']],
  ['live, oldest first', { where: own, sort: { ...byDay, dir: 'asc' }, ...live }, ['', 'createdDay', '', 'live']],
  [
    'of a status',
    { where: all(own, eq('status', 'open')), sort: byDay, ...live },
    ['status', 'createdDay', '', 'live'],
  ],
  ['of some days', { where: days, sort: byDay, ...live }, ['', 'createdDay', '', 'live']],
  ['with a further equality', { where: all(own, eq('size', 1)), sort: byDay, ...live }, ['', 'createdDay', '', 'live']],
  ['every name', { where: own, sort: byName, limit: 15 }, ['', 'name', '', '']],
  ['a search', { where: all(own, contains('search', 'x')), sort: byName, ...live }, ['', 'name', 'search', 'live']],
  ['by id', { where: own, ...live }, ['', 'id', '', 'live']],
  ['by a boolean', { where: all(own, eq('active', true)), sort: byValue, limit: 15 }, ['active', 'valueCents', '', '']],
]

/** Asserts that a store rejects unknown names, and turns none of these fields into its own language. */
export const assertUnknownRejected = async (t: ExecutionContext, store: Store, fields: readonly string[]) => {
  await t.throwsAsync(store.find(byKey(things, 'nothing', 'x')), { message: /no key nothing/ })
  const unknown = listOf(things, { where: own, when: 'nothing', limit: 1 })
  await t.throwsAsync(store.list(unknown), { message: /no condition/ })
  for (const field of fields) {
    const where = eq(field as 'size', 1)
    await t.throwsAsync(store.list(listOf(things, { where, limit: 1 })), { message: /invalid field name/ }, field)
  }
}
