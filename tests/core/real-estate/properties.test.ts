import test from 'ava'
import { isLeft, isRight } from '../../../core/failure.ts'
import { compile } from '../../../core/kernel/records/record.ts'
import { decideMove } from '../../../core/real-estate/properties.ts'
import type { Property } from '../../../core/real-estate/records/property.ts'
import { aProperty } from './records.ts'
import { freshAt } from './world.ts'

const fresh = freshAt()

const codeOf = (found: Property | null, status: Property['status']) => {
  const made = decideMove(found, { status, reason: null }, 'user', fresh)
  return isLeft(made) ? made.left.code : null
}

test('a refused move names the first broken rule', (t) => {
  t.is(codeOf(null, 'Sold'), 'property.unknown')
  t.is(codeOf(aProperty({ status: 'Sold', purpose: 'Lease' }), 'Sold'), 'property.move')
  t.is(codeOf(aProperty({ purpose: 'Sale' }), 'Rented'), 'property.purpose')
  t.is(codeOf(aProperty({ status: 'Rented', activeTenures: 1 }), 'Available'), 'property.leased')
  t.is(codeOf(aProperty({ status: 'Rented' }), 'Available'), null)
  // An active contract of management is no lease.
  t.is(codeOf(aProperty({ status: 'Rented', activeContracts: 1 }), 'Available'), null)
})

test('a move is not committed if the property has moved, was leased or changed its purpose since the read', (t) => {
  const found = aProperty({ status: 'Rented' })
  const made = decideMove(found, { status: 'Available', reason: null }, 'user', fresh)
  if (!isRight(made)) return t.fail()
  const [change] = made.right.changes
  if (change?.kind !== 'patch') return t.fail()
  const holds = compile(change.when)
  t.true(holds({ ...found }))
  // Other counters do not prevent a move.
  t.true(holds({ ...found, visitWrites: 7, openProposals: 2 }))
  for (const meanwhile of [
    { status: 'Available' },
    { activeTenures: 1 },
    { purpose: 'Sale' },
    { removedAt: fresh.now },
    { updatedAt: '2026-11-23T13:05:09.124Z' },
  ] as const)
    t.false(holds({ ...found, ...meanwhile }), JSON.stringify(meanwhile))
})
