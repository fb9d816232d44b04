import { t } from '../../../core/fp.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'

/** What the slow program keeps. */
export const slow: Collection<{ readonly id: string }> = {
  name: 'tests.slow',
  ids: 'text',
  codec: t.strict({ id: t.string }),
  owner: null,
}
