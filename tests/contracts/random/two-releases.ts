import { ok } from 'node:assert/strict'
import fc from 'fast-check'
import { insert } from '../../../core/kernel/records/change.ts'
import { type Thing, things } from '../../fixtures/things.ts'
import { asRead, groupsAlike, left } from '../store/releases.ts'
import type { OpenedStore } from '../store/store-contract.ts'
import { answersAlike } from './conditions.ts'
import { pagesAlike } from './pages.ts'
import { randomThings, randomWhere, sortable } from './things.ts'

/** Records that two releases wrote are listed, sorted and grouped as if one had written them. */
export const twoReleases = async (opened: OpenedStore): Promise<void> => {
  const ids = Array.from({ length: 30 }, (_, index) => index + 1)
  const drawn = fc.tuple(randomThings(1, ids.length, 'loja'), fc.array(randomWhere(ids), { minLength: 40 }))
  const property = fc.asyncProperty(drawn, async ([made, trees]) => {
    const isOld = ({ id }: Thing): boolean => id % 3 !== 0
    const store = await left(opened, made.filter(isOld))
    ok((await store.commit(made.filter((one) => !isOld(one)).map((one) => insert(things, one)))).ok)
    const known = made.map((one) => (isOld(one) ? asRead(one) : one))
    for (const tree of trees) await answersAlike(store, known, tree)
    for (const by of sortable) for (const dir of ['asc', 'desc'] as const) await pagesAlike(store, known, { by, dir })
    await groupsAlike(store, known)
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
}
