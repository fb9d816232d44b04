import { isLeft } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq, gt } from '../../kernel/records/where.ts'
import { type Queue, queueOf, WAITING } from '../../kernel/running/queue.ts'
import { readSlice, type Slice } from '../../kernel/running/slices.ts'
import { orThrow, type Runtime } from '../../kernel/running/use-case.ts'
import { bankOperations, type Operation } from './operation.ts'
import type { AnyOperations } from './resume-operation.ts'

/** With these nothing was recorded; any other failure is an outcome. */
const UNRECORDED: readonly string[] = ['store.busy', 'store.unavailable']

const AT_ONCE = 100

/**
 * What was sent once and waits is asked about at every start, whenever it was due: whoever would have asked may be gone. To ask
 * too early does no harm. Source: decisions.md §11, Withdrawals.
 */
export const askAtStart = async (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  kinds: readonly AnyOperations[],
): Promise<void> => {
  const steady = clock.steady()
  for (const { kind } of kinds.filter(({ isSentOnce }) => isSentOnce)) {
    const where = all<'kind' | 'dueAt'>(eq('kind', kind), gt('dueAt', steady))
    const walk = { from: bankOperations, where, when: WAITING, sort: 'dueAt', limit: AT_ONCE } as const
    let place: string | null = null
    do {
      const slice: Slice<Operation> = await readSlice(store, walk, place)
      for (const { id, dueAt } of slice.records)
        await store.commit([patch(bankOperations, id, { set: { dueAt: steady }, when: eq('dueAt', dueAt) })])
      place = slice.next
    } while (place !== null)
  }
}

/** Operations that the bank has not answered: places for each kind, so that none holds up another. */
export const operationQueues = (kinds: readonly AnyOperations[]): readonly Queue[] =>
  kinds.map(({ kind, places, leaseSeconds, resume }) =>
    queueOf({
      collection: bankOperations,
      name: `${bankOperations.name}.${kind}`,
      only: eq('kind', kind),
      owner: 'accountId',
      leaseSeconds,
      atOnce: places,
      handle: async ({ id }) => {
        const outcome = await resume(id)()
        if (isLeft(outcome) && UNRECORDED.includes(outcome.left.code)) orThrow(outcome)
      },
    }),
  )
