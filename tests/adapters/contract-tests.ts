import type { TestFn } from 'ava'
import type { AnyCollection } from '../../core/kernel/records/record.ts'
import type { Store } from '../../core/ports/store.ts'
import type { ContractCase } from '../contracts/contract.ts'

export const contractTests = (test: TestFn, adapter: string, cases: readonly ContractCase[]): void => {
  for (const { name, run } of cases)
    test(`${adapter}: ${name}`, async (t) => {
      const leftOut = await run()
      if (leftOut !== null) t.log(`skipped: ${leftOut}`)
      t.pass()
    })
}

/** The openings of one store, which are closed at its end or before it is opened by another release. */
export const openings = async (
  openStore: (collections: readonly AnyCollection[]) => Promise<Store & { close(): Promise<void> }>,
  collections: readonly AnyCollection[],
  remove = async (): Promise<void> => {},
) => {
  const opened: { close(): Promise<void> }[] = []
  const open = async (others = collections) => {
    const store = await openStore(others)
    opened.push(store)
    return store
  }
  const closeAll = async () => {
    for (const one of opened.splice(0)) await one.close()
  }
  const as = async (others = collections) => {
    await closeAll()
    return open(others)
  }
  return {
    store: await open(),
    second: () => open(),
    reopen: () => as(),
    as,
    close: async () => {
      await closeAll()
      await remove()
    },
  }
}
