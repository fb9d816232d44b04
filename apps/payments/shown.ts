import { right } from '../../core/fp.ts'
import type { UseCase } from '../../core/kernel/running/use-case.ts'

/** What a row answers that shows its record as it was found. */
export const shown =
  <R>(record: R): UseCase<R, never> =>
  async () =>
    right(record)
