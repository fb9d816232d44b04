/** A rule of a port, for any test runner: `test(name, run)`. Each run opens an adapter of its own and closes it. */
export interface ContractCase {
  readonly name: string
  /**
   * Rejects with an assertion error if the adapter breaks the rule. Resolves with null, or with the reason why the rule
   * does not apply to the adapter.
   */
  run(): Promise<string | null>
}

/** The result of a rule that does not apply to an adapter. */
export class LeftOut {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** Registers a rule; a body that resolves with `LeftOut` tested nothing. */
export type Check<O> = (name: string, body: (opened: O) => Promise<unknown>) => void

/** Returns the registered cases, each on an adapter of its own. */
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
          const tried = await body(opened)
          return tried instanceof LeftOut ? tried.why : null
        } finally {
          await opened.close()
        }
      },
    }),
  )
  return cases
}
