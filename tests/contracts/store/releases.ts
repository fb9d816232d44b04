import { deepEqual, ok } from 'node:assert/strict'
import { insert } from '../../../core/kernel/records/change.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { always, eq, not, type Where } from '../../../core/kernel/records/where.ts'
import { groupOf, type Store } from '../../../core/ports/store.ts'
import { older, olderThings, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import type { OpenedStore } from './store-contract.ts'
import { sortedRows } from './tallies.ts'

/** The same things, as they read that an older release wrote: what it did not know is null. */
export const asRead = (made: Thing): Thing => {
  const { address, ...fields } = older(made)
  return thing(made.id, { ...fields, address: address && { ...address, number: null } })
}

/** A store of today on which an older release has written these. */
export const left = async (opened: OpenedStore, made: readonly Thing[]): Promise<Store> => {
  ok((await opened.store.commit(made.map((one) => insert(olderThings, older(one))))).ok)
  return opened.as(thingCollections)
}

/** Groups by what some records lack, from the tallies and from the records themselves. */
export const groupsAlike = async (store: Store, known: readonly Thing[]): Promise<void> => {
  const live = known.filter(({ removedAt }) => removedAt === null)
  const byRecords: Where<keyof Thing> = not(eq('id', -1))
  for (const where of [always, byRecords]) {
    for (const by of [['status'], ['active'], ['shopId', 'status', 'createdDay'], ['size', 'name']] as const) {
      const ask = { where, by: [...by], sum: ['valueCents'] as const }
      const all = await store.group(groupOf(things, ask))
      deepEqual(sortedRows(all), sortedRows(groupRecords(known, by, ['valueCents'])), by.join())
      const some = await store.group(groupOf(things, { ...ask, when: 'live' }))
      deepEqual(sortedRows(some), sortedRows(groupRecords(live, by, ['valueCents'])), `live ${by.join()}`)
    }
  }
}
