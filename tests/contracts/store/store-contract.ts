import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
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

/** A store that holds nothing yet, on the collections that it was asked for. */
export interface OpenedStore {
  readonly store: Store
  /** Another store on the same data, as of another process. Where there is none, the races run on the one store. */
  readonly second?: () => Promise<Store>
  /** Closes the store and opens the same data again. Where nothing lasts, what was written is looked for in the store itself. */
  readonly reopen?: () => Promise<Store>
  /** Closes the store and opens the same data as another release does, which keeps these collections. */
  readonly as: (collections: readonly AnyCollection[]) => Promise<Store>
  /** Resolves once what `as` has begun in the background is done; left out where nothing is. */
  readonly settled?: () => Promise<void>
  /** Closes whatever was opened and removes the data. */
  close(): Promise<void>
}

/** How a store of one's own is opened, for each case anew. */
export interface StoreContract {
  open(collections: readonly AnyCollection[]): Promise<OpenedStore>
  /** Whether records outlive what a table says of them; without, those cases are left out. */
  readonly shapes?: boolean
}

export type Body = (store: Store, opened: OpenedStore) => Promise<void>
/** Registers one case on a store of its own. */
export type Case = (name: string, body: Body) => void

/**
 * Everything that the port `Store` promises, the same for every adapter. Some of it is tried with random data, for which
 * `fast-check` has to be installed.
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

const answers: Body = async (store) => (await import('../random/queries.ts')).anyTree(store)
const orders: Body = async (store) => (await import('../random/queries.ts')).anySort(store)
const releases: Body = async (_store, opened) => (await import('../random/queries.ts')).twoReleases(opened)
const batches: Body = async (store) => (await import('../random/batches.ts')).anyBatches(store)
