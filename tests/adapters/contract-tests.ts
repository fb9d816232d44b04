import type { TestFn } from 'ava'
import type { ContractCase } from '../contracts/contract.ts'

/** Every case of a contract as a test of an adapter. */
export const contractTests = (test: TestFn, adapter: string, cases: readonly ContractCase[]): void => {
  for (const { name, run } of cases)
    test(`${adapter}: ${name}`, async (t) => {
      const leftOut = await run()
      if (leftOut !== null) t.log(`skipped: ${leftOut}`)
      t.pass()
    })
}
