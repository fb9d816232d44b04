import test from 'ava'
import { ObjectId } from 'mongodb'
import { generationOf, newRev, validatorOf } from '../../../adapters/mongodb/layout/document.ts'
import { type Definition, decideDefinitions, storedNames } from '../../../adapters/mongodb/schema/definitions.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { olderThings, things } from '../../fixtures/things.ts'

const filler = new ObjectId()

const next = (stored: readonly Definition[], collection: AnyCollection, isServed = false, generation = 7) => {
  const decided = decideDefinitions({ generation }, stored, [collection], isServed, filler)
  const doc = decided.definitions.get(collection.name)
  if (!doc) throw new Error('no definition')
  const { changed } = decided
  return {
    generation: decided.generation,
    changed: changed.length,
    breaking: changed.filter(({ isDone }) => !isDone).length,
    doc,
    names: storedNames(doc, collection),
  }
}

const fresh = (collection: AnyCollection): Definition => next([], collection).doc
const done = (doc: Definition): Definition => ({ ...doc, stands: doc.shape, isDone: true })
const [, ...others] = things.tallies ?? []
const retallied: AnyCollection = { ...things, tallies: [...others, { by: ['status'], sum: [] }] }

test('a revision has its generation, and one of release 0.3.0 has none', (t) => {
  t.is(generationOf(newRev(3)), 3)
  t.is(generationOf(new ObjectId()), 0)
  t.notDeepEqual(newRev(3), newRev(3))
  t.deepEqual(validatorOf(0), {})
  t.regex(JSON.stringify(validatorOf(3)), /"\$gte":"0000000300+","\$lte":"00000003f+"/)
})

test('a new or unchanged collection begins no generation', (t) => {
  const made = next([], things)
  t.like(made, { generation: 7, changed: 1, breaking: 0, names: { numbers: [0, 1, 2] } })
  t.like(next([made.doc], things, true), { generation: 7, changed: 0 })
  const reordered = { ...things, keys: { code: things.keys?.code, document: things.keys?.document } } as AnyCollection
  t.like(next([made.doc], reordered), { generation: 7, changed: 0 })
})

test('a new index begins no generation, and processes of the former release serve on', (t) => {
  const extended = { ...things, indexes: [...(things.indexes ?? []), { sort: 'size' }] }
  const { doc, ...decided } = next([fresh(things)], extended, true)
  t.like(decided, { generation: 7, changed: 1, breaking: 0 })
  t.like(doc, { isDone: true, past: [fresh(things).digest] })
  t.is(doc.stands, doc.shape)
})

test('any other change begins a generation, for which the records are migrated', (t) => {
  const { generation, doc, names, breaking } = next([fresh(things)], retallied)
  t.deepEqual([generation, breaking], [8, 1])
  t.like(doc, { since: 8, isDone: false, filler })
  t.is(doc.stands, fresh(things).shape)
  // The records are counted under numbers that no tally had.
  t.deepEqual(names.numbers, [3, 4, 5])
  const keyed = next([fresh(things)], { ...things, keys: { ...things.keys, name: () => null } })
  t.deepEqual(keyed.names.keyNames, { document: 'document', code: 'code', name: 'name_8' })
  // It was given up and comes again under another name.
  const back = next(
    [done(next([done(keyed.doc)], things, false, 8).doc)],
    { ...things, keys: { name: () => null } },
    false,
    9,
  )
  t.deepEqual(back.names.keyNames, { name: 'name_10' })
})

test('an interrupted migration is repeated in a new generation, with new names for its keys', (t) => {
  const keyed = { ...things, keys: { ...things.keys, name: () => null } }
  const begun = next([fresh(things)], keyed).doc
  const again = next([begun], keyed, false, 8)
  t.like(again, { generation: 9, breaking: 1, names: { keyNames: { name: 'name_9', code: 'code' } } })
  t.is(again.doc.stands, fresh(things).shape)
  t.deepEqual(again.doc.past, begun.past)
})

test('a key that an interrupted migration was dropping is filled again', (t) => {
  const dropping = next([fresh(things)], { ...things, keys: { code: things.keys?.code } } as AnyCollection).doc
  const back = next([dropping], things, false, 8)
  t.deepEqual(back.names.keyNames, { document: 'document_9', code: 'code' })
  t.deepEqual(JSON.parse(back.doc.stands).keys, ['code'])
})

test('a replaced release is refused while a newer one serves, and accepted later', (t) => {
  const newer = done(next([fresh(things)], retallied).doc)
  const refused = { message: /^MongoDB: a newer release is serving this store: .*/ }
  t.throws(() => next([newer], things, true, 8), refused)
  const back = next([newer], things, false, 8)
  t.is(back.generation, 9)
  // After the return, the newer one is new again.
  t.is(next([done(back.doc)], retallied, true, 9).generation, 10)
})

test('refuses records of a newer release, and a store that is too old or was not completed', (t) => {
  const refused = { message: /^a newer release has written this store \(test\.things: status, / }
  t.throws(() => next([fresh(things)], olderThings), refused)
  const old = { message: /^a release before 0\.10\.0 has written this store \(test\.things\): open it with release/ }
  t.throws(() => next([fresh(things)], { ...things, oldest: { upgrades: ['size'] } }), old)
  const { digest: _, ...first } = fresh(things)
  t.throws(() => next([first as Definition], things), old)
})
