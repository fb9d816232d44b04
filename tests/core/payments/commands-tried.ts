import type { Failure } from '../../../core/failure.ts'
import { type Either, isLeft } from '../../../core/fp.ts'
import { always } from '../../../core/kernel/records/where.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { Store } from '../../../core/ports/store.ts'

/** All that payments keeps, to see whether anything is written; the bank's own books are not ours. */
export const allKept = async ({
  pay,
  store,
}: {
  readonly pay: Pick<Payments, 'collections'>
  readonly store: Store
}): Promise<string> => {
  const all: unknown[] = []
  for (const each of pay.collections) for await (const record of store.scan(each, always)) all.push([each.name, record])
  return JSON.stringify(all)
}

/** What a command came to, in short: its value as `told` has it, the fields that were wrong, or the code of its failure. */
export const inShort = <V>(answer: Either<Failure, V>, told: (value: V) => string = () => 'done'): string => {
  if (!isLeft(answer)) return told(answer.right)
  return answer.left.tag === 'invalid'
    ? answer.left.issues.map(({ path, code }) => `${path} ${code}`).join()
    : answer.left.code
}
