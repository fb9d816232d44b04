import type { Body, Case } from './store-contract.ts'

/** With random data: only these need `fast-check`, which is looked for when they run. */
export const storeProperties = (check: Case): void => {
  check('any tree of conditions finds what it says, with its total and its groups', answers)
  check('sorts by any field, nulls first, texts by code point, ties by id in the same direction', orders)
  check('random batches: outcomes, records, keys and tallies are those of some order', batches)
}

/** The same, over what an older release left. */
export const storeOlderProperties = (check: Case): void => {
  check('lists, sorts and groups records of two releases as if one had written them', releases)
}

const answers: Body = async (store) => (await import('../random/conditions.ts')).anyTree(store)
const orders: Body = async (store) => (await import('../random/pages.ts')).anySort(store)
const releases: Body = async (_store, opened) => (await import('../random/two-releases.ts')).twoReleases(opened)
const batches: Body = async (store) => (await import('../random/batches.ts')).anyBatches(store)
