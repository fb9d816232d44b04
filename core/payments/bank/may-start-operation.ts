import { isLeft, right } from '../../fp.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import {
  type DecisionResult,
  decideAndCommit,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'

/** What a decision comes to that may have nothing to ask a bank: its value at once, or what was begun. */
export type DoneOrBegun<V, B> = { readonly done: V } | { readonly begun: B }

/** A use case that one commit finishes where there is nothing to ask, and that else begins and carries on. */
export const mayStartOperation =
  <
    F,
    V,
    B extends { readonly intent: string },
    C extends string = never,
    I extends string = never,
    D extends string = never,
    J extends string = never,
  >(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => DecisionResult<DoneOrBegun<V, B>, C, I>,
    resume: (begun: B) => UseCase<V, D, J>,
    again: (intent: string) => UseCase<V, D, J>,
  ): UseCase<V, C | D | RunnerCode, I | J> =>
  async (hooks) => {
    if (hooks?.resume) return again(hooks.resume.intent)(hooks)
    const ride = (made: DoneOrBegun<V, B>) =>
      'done' in made ? (hooks?.completed(made.done) ?? []) : (hooks?.started(made.begun.intent) ?? [])
    const made = await decideAndCommit(runtime, read, decide, hooks && ride)
    if (isLeft(made)) return made
    return 'done' in made.right ? right(made.right.done) : resume(made.right.begun)(hooks)
  }
