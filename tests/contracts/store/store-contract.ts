import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import type { Store } from '../../../core/ports/store.ts'
import { parts } from '../../fixtures/parts.ts'
import { olderThings, thingCollections } from '../../fixtures/things.ts'
import { type ContractCase, casesOf } from '../contract.ts'
import { storeAtomicity, storeTakes } from './commits.ts'
import { storeKeys } from './keys.ts'
import { storeOlderRecords } from './older-records.ts'
import { storeConditions, storePages } from './queries.ts'
import { storeRaces } from './races.ts'
import { storeRecords } from './records.ts'
import { storeShapes } from './shapes.ts'
import { storeTallies } from './tallies.ts'

/** An empty store of the requested collections. */
export interface OpenedStore {
  readonly store: Store
  /** Opens another store on the same data, as another process. Without it, the races use one store. */
  readonly second?: () => Promise<Store>
  /** Closes the store and opens the same data again. Leave it out for a store that is not durable. */
  readonly reopen?: () => Promise<Store>
  /** Closes the store and opens the same data as another release with these collections. */
  readonly as: (collections: readonly AnyCollection[]) => Promise<Store>
  /** Closes all stores and removes the data. */
  close(): Promise<void>
}

/** Opens a store for each case. */
export interface StoreContract {
  open(collections: readonly AnyCollection[]): Promise<OpenedStore>
  /** True if the store supports changes of its collections. Otherwise these cases are left out. */
  readonly shapes?: boolean
}

export type Body = (store: Store, opened: OpenedStore) => Promise<void>
/** Registers a case, which gets a new store. */
export type Case = (name: string, body: Body) => void

/**
 * Returns the rules of the port `Store`. The random cases need `fast-check`.
 *
 * ```ts
 * for (const { name, run } of storeContract({ open })) test(name, run)
 * ```
 */
export const storeContract = ({ open, shapes = false }: StoreContract): readonly ContractCase[] => {
  const casesOn = (collections: readonly AnyCollection[], register: (onStore: Case) => void) =>
    casesOf(
      () => open(collections),
      (check) => register((name, body) => check(name, (opened) => body(opened.store, opened))),
    )
  return [
    ...casesOn(thingCollections, (onStore) => {
      storeRecords(onStore)
      storeKeys(onStore)
      storeAtomicity(onStore)
      storeTakes(onStore)
      storeConditions(onStore)
      storePages(onStore)
      storeTallies(onStore)
      storeRaces(onStore)
      storeProperties(onStore)
    }),
    ...casesOn([olderThings], (onStore) => {
      storeOlderRecords(onStore)
      storeOlderProperties(onStore)
    }),
    ...(shapes ? casesOn([parts], storeShapes) : []),
  ]
}

/** Random cases. `fast-check` is imported when they run. */
const storeProperties = (check: Case): void => {
  check('any tree of conditions has the right list, total and groups', answers)
  check('sorts by any field, nulls first, texts by code point, ties by id in the same direction', orders)
  check('random batches have the outcomes, records, keys and tallies of some order', batches)
}

const storeOlderProperties = (check: Case): void => {
  check('lists, sorts and groups records of two releases alike', releases)
}

const answers: Body = async (store) => (await import('../random/queries.ts')).anyTree(store)
const orders: Body = async (store) => (await import('../random/queries.ts')).anySort(store)
const releases: Body = async (_store, opened) => (await import('../random/queries.ts')).twoReleases(opened)
const batches: Body = async (store) => (await import('../random/batches.ts')).anyBatches(store)
