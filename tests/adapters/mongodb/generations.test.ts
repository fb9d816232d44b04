import test from 'ava'
import { ObjectId } from 'mongodb'
import { generationOf, newRev, notWrittenFor, validatorOf } from '../../../adapters/mongodb/layout/document.ts'
import { type GenerationDoc, nextOf } from '../../../adapters/mongodb/shapes/announce.ts'
import { doneDoc, type EarlierDoc, type ShapeDoc, standingOf } from '../../../adapters/mongodb/shapes/shape-docs.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { eq } from '../../../core/kernel/records/where.ts'
import { claims, olderThings, things } from '../../fixtures/things.ts'

const store = (generation: number): GenerationDoc => ({ _id: '_store', generation, fenced: generation, version: 1 })

const next = (
  there: readonly (ShapeDoc | EarlierDoc)[],
  collection: AnyCollection,
  isServed = false,
  generation = 7,
) => {
  const { store: after, docs, changed } = nextOf(store(generation), there, [collection], isServed)
  const doc = docs.get(collection.name)
  if (!doc) throw new Error('no document')
  return {
    generation: after.generation,
    doc,
    changed: changed.length,
    standing: standingOf(doc, collection, new Set()),
  }
}

const fresh = (collection: AnyCollection): ShapeDoc => next([], collection).doc
const [first, ...others] = things.tallies ?? []
const retallied: AnyCollection = { ...things, tallies: [...others, { by: ['status'], sum: [] }] }

test('what names its generation tells it, and a time of an earlier release is of none', (t) => {
  t.is(generationOf(newRev(3)), 3)
  t.is(generationOf(new ObjectId()), 0)
  t.notDeepEqual(newRev(3), newRev(3))
  t.deepEqual(validatorOf(0), {})
  t.regex(JSON.stringify(validatorOf(3)), /"\$gte":"0000000300+","\$lte":"00000003f+"/)
  t.regex(JSON.stringify(notWrittenFor(2, 5)), /"\$lt":"0000000200+".*"\$gt":"00000005f+"/)
})

test('a collection that is new or the same begins no generation', (t) => {
  const made = next([], things)
  t.like(made, { generation: 7, changed: 1, standing: { numbers: [0, 1, 2], unfilled: null, isOpen: true } })
  t.like(next([made.doc], things), { generation: 7, changed: 0 })
  const reordered = { ...things, keys: { code: things.keys?.code, document: things.keys?.document } } as AnyCollection
  t.like(next([made.doc], reordered), { generation: 7, changed: 0 })
})

test('what changes begins one, and stands for the records that are written for it', (t) => {
  const { generation, doc, standing } = next([fresh(things)], retallied)
  t.is(generation, 8)
  t.like(doc, { since: 8, isDone: false, isOpen: true })
  t.deepEqual(standing.numbers, [1, 2, 3])
  t.like(standing.unfilled, { since: 8, tallies: new Set([2]), fields: new Set(), keys: new Set() })
  const keyed = next([fresh(things)], { ...things, keys: { ...things.keys, name: () => null } })
  t.like(keyed.doc, { isOpen: false, keyNames: { document: 'document', code: 'code', name: 'name_8' } })
  t.deepEqual([...(keyed.standing.unfilled?.keys ?? [])], ['name'])
})

test('what a generation gave up does not stand for the next, nor what it had begun', (t) => {
  const begun = next([fresh(things)], retallied).doc
  const back = next([begun], things, false, 8)
  t.is(back.generation, 9)
  // Neither the number that was given up nor the one that was begun is given again.
  t.deepEqual(back.standing.numbers, [4, 1, 2])
  t.deepEqual([...(back.standing.unfilled?.tallies ?? [])], [0])
  const done = { ...back.doc, ...doneDoc(back.doc) }
  t.is(standingOf(done, things, new Set()).unfilled, null)
  const conditioned = { ...things, conditions: { ...things.conditions, live: eq('size', 1) } }
  const returned = next([next([fresh(things)], conditioned).doc], things, false, 8)
  t.deepEqual([...(returned.standing.unfilled?.conditions ?? [])], ['live'])
})

test('a tally or a condition of a field that was null so far, and is filled now, is made anew', (t) => {
  const upgrades = { size: () => 1, status: () => 'open' }
  const { standing } = next([fresh(things)], { ...things, upgrades })
  t.deepEqual([...(standing.unfilled?.tallies ?? [])], [0, 2])
  const named = { ...things, conditions: { ...things.conditions, small: eq('size', 1) } }
  const filled = next([fresh(named)], { ...named, upgrades })
  t.deepEqual([...(filled.standing.unfilled?.conditions ?? [])], ['small'])
})

test('who was overtaken does not take the store back while it is served, and may once it is not', (t) => {
  const newer = next([fresh(things)], retallied).doc
  const refused = { message: /^MongoDB: a newer release is serving this store: .*/ }
  t.throws(() => next([newer], things, true, 8), refused)
  const back = next([newer], things, false, 8)
  t.is(back.generation, 9)
  // It was gone back from, and comes as new as it did the first time.
  t.is(next([back.doc], retallied, true, 9).generation, 10)
})

test('records of a newer release are refused with the fields that it knows', (t) => {
  const refused = { message: /^MongoDB: a newer release has written this store \(test\.things: status, / }
  t.throws(() => next([fresh(things)], olderThings), refused)
  t.throws(() => next([fresh(things)], { ...things, ids: 'text' }), { message: /has integer ids in the database$/ })
})

const earlier = (made: string): EarlierDoc => ({ _id: things.name, ids: 'integer', made })
const { conditions, tallies } = things
const asBefore = earlier(JSON.stringify({ conditions, keys: Object.keys(things.keys ?? {}), tallies }))

test('what 0.3.0 wrote is taken over as it stands, and tells 0.3.0 that it is no longer its own', (t) => {
  const same = next([asBefore], things)
  t.like(same, { generation: 7, changed: 1, standing: { numbers: [0, 1, 2], unfilled: null } })
  t.is(same.doc.ids as string, "a newer release's")
  t.false('made' in same.doc)
  const moved = next([asBefore], { ...things, tallies: [...others, ...(first ? [first] : [])] })
  t.deepEqual([moved.generation, moved.standing.numbers], [7, [1, 2, 0]])
  const changed = next([asBefore], retallied)
  t.deepEqual([changed.generation, changed.standing.numbers], [8, [1, 2, 3]])
  const broken = next([earlier('being rebuilt')], things)
  t.is(broken.standing.unfilled?.tallies.size, 3)
  t.is(
    next([{ _id: claims.name, ids: 'text', made: '{"conditions":{},"keys":[],"tallies":[]}' }], claims).generation,
    7,
  )
})
