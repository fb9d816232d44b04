import { lte } from '../../../kernel/records/where.ts'
import type { JobRow } from '../../../kernel/running/job.ts'
import { type Queue, queueOf } from '../../../kernel/running/queue.ts'
import { listOf } from '../../../ports/store.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { charges } from '../charge.ts'
import { expireCharge } from '../end-open-charge.ts'
import { CHARGE_LEASE_SECONDS } from '../issue-charge.ts'
import { registerTitle } from './register-title.ts'

const AT_ONCE = 8
const EXPIRE_EVERY_SECONDS = 60
const EXPIRED_A_SLICE = 100

/** Charges whose title the bank has not confirmed yet: whoever began them is gone or was told to wait. */
export const chargeQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: charges,
    leaseSeconds: CHARGE_LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async ({ id }) => {
      await registerTitle(ports)(id)()
    },
  })

/** Pending charges whose time is over become expired, and that is told. */
export const expiryJob = (ports: PaymentsPorts): JobRow => ({
  name: 'expire-charges',
  schedule: { everySeconds: EXPIRE_EVERY_SECONDS },
  run: async (now) => {
    const { records } = await ports.store.list(
      listOf(charges, {
        where: lte('lapsesAt', now),
        when: 'lapsing',
        sort: { by: 'lapsesAt', dir: 'asc' },
        limit: EXPIRED_A_SLICE,
      }),
    )
    for (const { id } of records) await expireCharge(ports)(id)()
    return records.length === EXPIRED_A_SLICE ? 'more' : 'done'
  },
})
