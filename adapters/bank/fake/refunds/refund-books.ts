import { t } from '../../../../core/fp.ts'
import type { Collection } from '../../../../core/kernel/records/collection.ts'
import { orNull, record } from '../../../../core/kernel/records/record.ts'

const refund = record({
  /** The platform's own id. */
  id: t.string,
  /** The payment that it gives back, or a part of. */
  paymentId: t.string,
  endToEndId: t.string,
  /** By which the banks know it. */
  returnId: t.string,
  valueCents: t.number,
  reason: orNull(t.string),
  createdAt: t.string,
})
export type GivenBack = t.TypeOf<typeof refund>

/** What the fake bank has given back to payers. */
export const refunds: Collection<GivenBack> = {
  name: 'fake-bank.refunds',
  ids: 'text',
  codec: refund,
  owner: null,
  indexes: [{ sort: 'createdAt', acrossOwners: true }],
}
