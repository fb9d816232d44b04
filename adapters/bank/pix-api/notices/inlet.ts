import { isLeft, right } from '../../../../core/fp.ts'
import {
  accept,
  decideAndCommit,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../../../core/kernel/running/use-case.ts'
import { listIn, toldIn } from '../client/json.ts'
import { endToEndIdIn } from '../client/received.ts'
import { noticed, unfoundedOf } from './notices.ts'

/** How many notices one commit keeps. */
const AT_ONCE = 500

/** The ids of the payments that a webhook of the bank tells of: what else it says is asked, not believed. */
export const endToEndIdsIn = (pix: unknown): readonly string[] =>
  listIn(pix)
    .map((each) => endToEndIdIn(toldIn(each).endToEndId))
    .filter((id) => id !== null)

/** Keeps what a webhook of the bank tells of: the worker asks the bank. It answers once it is kept. */
export const pixApiInlet =
  (runtime: Runtime) =>
  (endToEndIds: readonly string[]): UseCase<null, RunnerCode> =>
  async () => {
    for (let from = 0; from < endToEndIds.length; from += AT_ONCE) {
      const ids = endToEndIds.slice(from, from + AT_ONCE)
      const kept = await decideAndCommit(
        runtime,
        (store) => unfoundedOf(store, ids),
        (unfounded, fresh) => accept(null, ...noticed(ids, unfounded, fresh)),
      )
      if (isLeft(kept)) return kept
    }
    return right(null)
  }
