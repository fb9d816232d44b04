import { isLeft } from '../../fp.ts'
import { eq } from '../../kernel/records/where.ts'
import { type Queue, queueOf } from '../../kernel/running/queue.ts'
import { orThrow } from '../../kernel/running/use-case.ts'
import { bankOperations } from './operation.ts'
import type { AnyOperations } from './resume-operation.ts'

/** With these nothing was recorded; any other failure is an outcome. */
const UNRECORDED: readonly string[] = ['store.busy', 'store.unavailable']

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
