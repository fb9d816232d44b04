import type { ExecutionContext, TestFn } from 'ava'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { Store } from '../../core/ports/store.ts'
import { storeAtomicity } from './store-atomicity.ts'
import { storeBatches } from './store-batches.ts'
import { storeConditions } from './store-conditions.ts'
import { storeKeys } from './store-keys.ts'
import { storeOlderRecords } from './store-older-records.ts'
import { storePages } from './store-pages.ts'
import { storeRaces } from './store-races.ts'
import { storeRecords } from './store-records.ts'
import { storeTakes } from './store-takes.ts'
import { storeTallies } from './store-tallies.ts'

/** A store on `thingCollections` that holds nothing yet. */
export interface Opened {
  readonly store: Store
  /** Another store on the same data, as of another process. Where there is none, the races run on the one store. */
  readonly second?: () => Promise<Store>
  /** Closes the store and opens the same data again. Where nothing lasts, what was written is looked for in the store itself. */
  readonly reopen?: () => Promise<Store>
  /** Closes the store and opens the same data as another release does, which keeps these collections. */
  readonly as: (collections: readonly AnyCollection[]) => Promise<Store>
  /** Closes whatever was opened and removes the data. */
  close(): Promise<void>
}

export type Body = (t: ExecutionContext, store: Store, opened: Opened) => Promise<void>
/** Registers one test on a store of its own. */
export type Case = (title: string, body: Body) => void

/** Everything that a store promises, the same for every adapter. */
export const storeContract = (test: TestFn, name: string, open: () => Promise<Opened>): void => {
  const check: Case = (title, body) =>
    test(`${name}: ${title}`, async (t) => {
      const opened = await open()
      try {
        await body(t, opened.store, opened)
      } finally {
        await opened.close()
      }
    })
  storeRecords(check)
  storeKeys(check)
  storeAtomicity(check)
  storeTakes(check)
  storeConditions(check)
  storePages(check)
  storeTallies(check)
  storeOlderRecords(check)
  storeRaces(check)
  storeBatches(check)
}
