/** One promise of a port, for any test runner: `test(name, run)`. Each run opens what it needs and closes it. */
export interface ContractCase {
  readonly name: string
  /** Rejects, with an assertion that says why, where the promise is not kept. */
  run(): Promise<void>
}

/** Tries one promise on what was opened for it. */
export type Check<O> = (name: string, body: (opened: O) => Promise<void>) => void

/** The cases that are registered, each on something of its own. */
export const casesOf = <O extends { close(): Promise<void> }>(
  open: () => Promise<O>,
  register: (check: Check<O>) => void,
): readonly ContractCase[] => {
  const cases: ContractCase[] = []
  register((name, body) =>
    cases.push({
      name,
      run: async () => {
        const opened = await open()
        try {
          await body(opened)
        } finally {
          await opened.close()
        }
      },
    }),
  )
  return cases
}
