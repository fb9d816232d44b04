import { type Collection, t } from '../../../core/kernel/records/record.ts'

/** The collection of the slow and the hung program. */
export const slow: Collection<{ readonly id: string }> = {
  name: 'tests.slow',
  ids: 'text',
  codec: t.strict({ id: t.string }),
  owner: null,
}
