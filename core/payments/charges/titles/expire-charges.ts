import { lte } from '../../../kernel/records/where.ts'
import type { JobRow } from '../../../kernel/running/jobs.ts'
import { processEach, readSlice } from '../../../kernel/running/slices.ts'
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
  run: async ({ steady, cursor: place, report }) => {
    const lapsed = { from: charges, where: lte('lapsesAt', steady), when: 'lapsing', sort: 'lapsesAt' } as const
    const { records, next } = await readSlice(ports.store, { ...lapsed, limit: EXPIRED_A_SLICE }, place)
    await processEach(charges, records, async ({ id }) => orThrow(await expireCharge(ports)(id)()), report)
    return next
  },
})
