/** One promise of a port, for any test runner: `test(name, run)`. Each run opens what it needs and closes it. */
export interface ContractCase {
  readonly name: string
  /**
   * Rejects, with an assertion that says why, where the promise is not kept. Resolves with null, or with why it was left out:
   * the adapter does not promise it.
   */
  run(): Promise<string | null>
}

/** What a promise that an adapter does not make comes to. */
export class LeftOut {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** Tries one promise on what was opened for it; what resolves with `LeftOut` was not tried. */
export type Check<O> = (name: string, body: (opened: O) => Promise<unknown>) => void

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
