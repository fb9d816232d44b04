import type { Change } from '../../kernel/records/change.ts'
import type { Json } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Membership } from '../members/membership.ts'
import { notify } from '../office/notifications.ts'

/** Money that leaves is sent once: how long it may be on its way, and how long it is looked for after it failed. Source: decisions.md §5. */
export const SENT_ONCE = { lostAfterSeconds: 60, lingerSeconds: 3 * 3_600 } as const

/** Tells the ADMINs that the bank has paid what had failed. */
export const tellLate = (
  fresh: Fresh,
  admins: readonly Membership[],
  accountId: number,
  data: Json,
): readonly Change[] => notify(fresh, admins, { accountId, type: 'pay_out.late', data })
