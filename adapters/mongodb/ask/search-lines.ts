import { conjuncts, isEquality, searchedField } from '../../../core/kernel/planner/access-paths.ts'
import { counts, serialByName } from '../../../core/kernel/running/concurrency.ts'
import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { type Query, StoreUnavailable } from '../../../core/ports/store.ts'

/**
 * Searches walk, and hold a connection for as long: those of one owner go one after the other, so that whoever searches much
 * waits for themselves, and whoever searches more than may wait is told so. All else is answered at once.
 */
export const searchLines = () => {
  const line = serialByName()
  const asked = counts()
  return async <A>(ask: Query, answer: () => Promise<A>): Promise<A> => {
    const parts = 'where' in ask ? conjuncts(ask.where) : []
    if (parts.every((part) => searchedField(part) === null)) return answer()
    const { name, owner } = ask.from
    const pin = parts.find((part) => owner !== null && isEquality(part, owner))
    const whose = pin && 'eq' in pin ? `${pin.eq[1]}` : name
    // The first of them is being answered.
    if (asked.of(whose) > MAX_WAITING_WALKS) throw new StoreUnavailable('too many long questions are waiting')
    asked.add(whose, 1)
    try {
      return await line(whose, answer)
    } finally {
      asked.add(whose, -1)
    }
  }
}
