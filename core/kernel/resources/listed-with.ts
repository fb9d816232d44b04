import { isLeft, right } from '../../fp.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { UseCase } from '../running/use-case.ts'
import type { Listing } from '../values/page.ts'

/** What is told of records beside what they hold, in their order: read for many of them at once. */
type Telling<R, D> = (records: readonly R[]) => Promise<readonly D[]>

/** A list of which more is told than its records hold. */
export const listedWith =
  <R, D, C extends string, I extends string>(
    asked: UseCase<Listing<R>, C, I>,
    tell: Telling<R, D>,
  ): UseCase<Listing<D>, C, I> =>
  async () => {
    const outcome = await asked()
    if (isLeft(outcome)) return outcome
    const listed = outcome.right
    if ('all' in listed) return right({ all: toldOf(listed.all, tell) })
    return right({ ...listed, records: await tell(listed.records) })
  }

async function* toldOf<R, D>(all: AsyncIterable<R>, tell: Telling<R, D>): AsyncIterable<D> {
  let waiting: R[] = []
  for await (const record of all) {
    waiting.push(record)
    if (waiting.length < MAX_PAGE) continue
    yield* await tell(waiting)
    waiting = []
  }
  yield* await tell(waiting)
}
