import { lte } from '../../../kernel/records/where.ts'
import type { JobRow } from '../../../kernel/running/job.ts'
import { type Queue, queueOf } from '../../../kernel/running/queue.ts'
import { eachOf, sliceAfter } from '../../../kernel/running/slices.ts'
import { orThrow } from '../../../kernel/running/use-case.ts'
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
      orThrow(await registerTitle(ports)(id)(), 'bank.refused', 'bank.unavailable')
    },
  })

/** Pending charges whose time is over become expired, and that is told. */
export const expiryJob = (ports: PaymentsPorts): JobRow => ({
  name: 'expire-charges',
  schedule: { everySeconds: EXPIRE_EVERY_SECONDS },
  run: async ({ now, place, report }) => {
    const lapsed = { from: charges, where: lte('lapsesAt', now), when: 'lapsing', sort: 'lapsesAt' } as const
    const { records, next } = await sliceAfter(ports.store, { ...lapsed, limit: EXPIRED_A_SLICE }, place)
    await eachOf(charges, records, async ({ id }) => orThrow(await expireCharge(ports)(id)()), report)
    return next
  },
})
