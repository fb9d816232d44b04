import { lte } from '../../../kernel/records/where.ts'
import type { JobRow } from '../../../kernel/running/job.ts'
import { eachOf, sliceAfter } from '../../../kernel/running/slices.ts'
import { orThrow } from '../../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { charges } from '../charge.ts'
import { expireCharge } from '../end-open-charge.ts'

const EXPIRE_EVERY_SECONDS = 60
const EXPIRED_A_SLICE = 100

/** Pending charges whose time is over become expired, and that is told. */
export const expiryJob = (ports: PaymentsPorts): JobRow => ({
  name: 'expire-charges',
  schedule: { everySeconds: EXPIRE_EVERY_SECONDS },
  run: async ({ steady, place, report }) => {
    const lapsed = { from: charges, where: lte('lapsesAt', steady), when: 'lapsing', sort: 'lapsesAt' } as const
    const { records, next } = await sliceAfter(ports.store, { ...lapsed, limit: EXPIRED_A_SLICE }, place)
    await eachOf(charges, records, async ({ id }) => orThrow(await expireCharge(ports)(id)()), report)
    return next
  },
})
