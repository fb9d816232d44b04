import { isLeft } from '../../failure.ts'
import { type Change, type Collection, insert, type Json, orNull, record, t } from '../../kernel/records/record.ts'
import { accept, type Fresh, type Runtime, useCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import type { UnreadableRecord } from '../../ports/bank.ts'
import type { Log } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import { notify } from '../inbox/inbox.ts'
import { adminsOf, type Membership } from '../members/membership.ts'

const report = record({
  /** The kind of the bank's record, and its id at the bank: `pix|E123…`. */
  id: t.string,
  /** Null if the account is not known. */
  accountId: orNull(t.number),
  createdAt: t.string,
  expiresAt: t.string,
})

/** The unreadable bank records that were reported. */
export const unreadableRecords: Collection<t.TypeOf<typeof report>> = {
  name: 'payments.unreadable-bank-records',
  ids: 'text',
  codec: report,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Longer than a bank lists a record. */
const STORED_SECONDS = 400 * 86_400
const MAX_ID_CHARS = 100

type Reporting = Runtime & { readonly log: Log }

/**
 * Reports an unreadable bank record, once: notifies the ADMINs of the account and logs one error with the bank's id. Returns
 * true for the first report.
 */
export const reportUnreadable = (
  ports: Reporting,
  { kind, id }: Pick<UnreadableRecord, 'kind' | 'id'>,
  accountId: number | null,
) => {
  const bankId = replaceUnstorable(id.slice(0, MAX_ID_CHARS))
  const first = useCase(
    ports,
    async (store) => {
      const known = await store.find(byId(unreadableRecords, `${kind}|${bankId}`))
      const admins = known || accountId === null ? [] : (await store.list(adminsOf(accountId))).records
      return { known, admins }
    },
    ({ known, admins }, fresh) => {
      if (known) return accept(false)
      const { now: createdAt, steady } = fresh
      const reported = { id: `${kind}|${bankId}`, accountId, createdAt, expiresAt: addSeconds(steady, STORED_SECONDS) }
      const notifications =
        accountId === null ? [] : notify(fresh, admins, { accountId, type: TYPE, data: { kind, id: bankId } })
      return accept(true, insert(unreadableRecords, reported), ...notifications)
    },
  )
  return useCaseOf<boolean>()(async (hooks) => {
    const reported = await first(hooks)
    if (!isLeft(reported) && reported.right)
      ports.log.error('a record of the bank cannot be read', { kind, id: bankId })
    return reported
  })
}

const TYPE = 'bank.unreadable'

/** A pay-out is sent once: after 60 s without trace it has failed, and for 3 h the bank is asked whether it arrived late. */
export const SENT_ONCE = { lostAfterSeconds: 60, lingerSeconds: 3 * 3_600 } as const

/** Notifies the ADMINs that the bank completed a pay-out that had been reported as failed. */
export const notifyLatePayOut = (
  fresh: Fresh,
  admins: readonly Membership[],
  accountId: number,
  data: Json,
): readonly Change[] => notify(fresh, admins, { accountId, type: 'pay_out.late', data })
