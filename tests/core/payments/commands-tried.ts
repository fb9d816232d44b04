import { type Either, type Failure, isLeft } from '../../../core/failure.ts'
import { always } from '../../../core/kernel/records/record.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { Store } from '../../../core/ports/store.ts'

/** The collections of payments, to detect any write; the fake bank's are not included. */
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

/** Summarises the result of a command: its value, converted by `told`, the wrong fields, or the failure code. */
export const inShort = <V>(answer: Either<Failure, V>, told: (value: V) => string = () => 'done'): string => {
  if (!isLeft(answer)) return told(answer.right)
  return answer.left.tag === 'invalid'
    ? answer.left.issues.map(({ path, code }) => `${path} ${code}`).join()
    : answer.left.code
}
