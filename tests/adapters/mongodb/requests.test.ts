import test from 'ava'
import { type Document, ObjectId } from 'mongodb'
import { docOf } from '../../../adapters/mongodb/layout/document.ts'
import { shapeOf } from '../../../adapters/mongodb/layout/shape.ts'
import { prepareQuery, runQueries } from '../../../adapters/mongodb/queries.ts'
import { type ReadRequest, type RequestReader, readInTurn, readTogether } from '../../../adapters/mongodb/requests.ts'
import { all, eq, insert, isIn } from '../../../core/kernel/records/record.ts'
import { byId, byKey, groupOf, type Listed, listOf } from '../../../core/ports/store.ts'
import { claim, claims, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import { byDay, live, own } from '../planned-pages.ts'
import { onReplicaSet, openUntilEnd } from './replica-set.ts'

interface Command {
  readonly from: string
  readonly pipeline: readonly Document[] | null
  readonly hint: string | undefined
}

const notedBy = (commands: Command[], found: readonly Document[] = []): RequestReader => ({
  find: async (from, { hint }) => {
    commands.push({ from, pipeline: null, hint })
    return []
  },
  aggregate: async (from, pipeline, hint) => {
    commands.push({ from, pipeline, hint })
    return [...found]
  },
})

const record = (from: string, id: number): ReadRequest => ({ from, id })
const page = (from: string, hint: string): ReadRequest => ({
  from,
  search: { filter: { size: 1 }, sort: { _id: 1 }, skip: 5, limit: 2, hint },
})
const numbered = (part: number): Document => ({ $replaceWith: { part, doc: '$$ROOT' } })

test('one command reads the records by id of each collection and one page with a hint, which comes first', async (t) => {
  const commands: Command[] = []
  const [one, list, other] = [{ _id: 1 }, { _id: 8 }, { _id: 2 }]
  const found = [
    { part: 0, doc: list },
    { part: 1, doc: other },
    { part: 1, doc: one },
  ]
  const requests = [record('a', 1), record('a', 2), page('b', 'size _id'), record('a', 1), record('a', 3)]
  t.deepEqual(await readTogether(requests, notedBy(commands, found)), [[one], [other], [list], [one], []])
  const byIds = [{ $match: { _id: { $in: [1, 2, 3] } } }, numbered(1)]
  t.deepEqual(commands, [
    {
      from: 'b',
      hint: 'size _id',
      pipeline: [
        { $match: { size: 1 } },
        { $sort: { _id: 1 } },
        { $skip: 5 },
        { $limit: 2 },
        numbered(0),
        { $unionWith: { coll: 'a', pipeline: byIds } },
      ],
    },
  ])
})

test('each further page with a hint is a command of its own', async (t) => {
  const commands: Command[] = []
  await readTogether([page('a', 'x'), page('b', 'y'), record('c', 1)], notedBy(commands))
  t.deepEqual(commands.map(({ from, hint }) => [from, hint]).sort(), [
    ['a', 'x'],
    ['b', 'y'],
  ])
})

test('a single request is a find, and so is each request in turn', async (t) => {
  const commands: Command[] = []
  await readTogether([record('a', 1)], notedBy(commands))
  await readInTurn([record('b', 1), page('c', 'x')], notedBy(commands))
  t.deepEqual(commands, [
    { from: 'a', pipeline: null, hint: undefined },
    { from: 'b', pipeline: null, hint: undefined },
    { from: 'c', pipeline: null, hint: 'x' },
  ])
})

test('a page is in order, whatever the order of the documents of a command', async (t) => {
  const shape = shapeOf(things)
  const days = ['2026-11-02', null, '2026-11-01', '2026-11-02', '2026-11-03']
  const records = days.map((createdDay, index) => thing(index + 1, { createdDay }))
  const docs = records.map((record) => docOf(shape, record, {}, new ObjectId()))
  const idsOf = async (sort: typeof byDay | undefined, found: readonly Document[]) => {
    const query = prepareQuery(shape, listOf(things, { where: own, ...live, ...(sort && { sort }), total: true }))
    const reader = { ...notedBy([]), readAll: async () => [[...found], [{ n: found.length }]] }
    const [page] = (await runQueries([query], reader)) as Listed<Thing>[]
    return page?.records.map(({ id }) => id)
  }
  for (const found of [docs, docs.toReversed(), [...docs.slice(2), ...docs.slice(0, 2)]]) {
    t.deepEqual(await idsOf(byDay, found), [5, 4, 1, 3, 2])
    t.deepEqual(await idsOf(undefined, found), [1, 2, 3, 4, 5])
  }
})

onReplicaSet(test, (server) => {
  test('queries that are read together have the same results as alone, however many', async (t) => {
    const store = await openUntilEnd(t, server.url(), thingCollections)
    const codes = Array.from({ length: 150 }, (_, index) => `c${index}`)
    await store.commit([
      ...codes.map((code, index) => insert(things, thing(index + 1, { code, valueCents: index }))),
      insert(claims, claim('x')),
    ])
    const queries = {
      page: listOf(things, { where: own, sort: byDay, total: true, ...live, limit: 7, offset: 3 }),
      deep: listOf(things, { where: own, sort: byDay, total: true, ...live, limit: 7, offset: 300 }),
      ids: listOf(things, { where: all(own, isIn('id', [9, 4])), limit: 5 }),
      none: listOf(things, { where: own, limit: 0 }),
      sums: groupOf(things, { where: own, when: 'live', by: ['status'], sum: ['valueCents'] }),
      counted: groupOf(things, { where: eq('size', 1), by: [], sum: [] }),
      claim: byId(claims, 'x'),
      absent: byId(claims, 'y'),
      ...Object.fromEntries(codes.map((code) => [code, byKey(things, 'code', code)])),
      ...Object.fromEntries(codes.map((_, index) => [`${index + 1}`, byId(things, index + 1)])),
    }
    const together: Readonly<Record<string, unknown>> = await store.read(queries)
    for (const [name, query] of Object.entries(queries)) {
      t.deepEqual(together[name], await store[query.kind](query as never), name)
    }
  })
})
