import type { ExecutionContext, TestFn } from 'ava'

/** Prepares the state that all tests of a file share, and tears it down after the last one. */
export const beforeAll = (test: TestFn, prepare: (t: Pick<ExecutionContext, 'teardown'>) => Promise<void>): void => {
  const teardowns: (() => unknown)[] = []
  test.before(() => prepare({ teardown: (teardown) => teardowns.push(teardown) }))
  test.after.always(async () => {
    for (const teardown of teardowns) await teardown()
  })
}
