import { t } from '../../../../core/fp.ts'
import type { Collection } from '../../../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../../../core/kernel/records/record.ts'
import { BANK_ACCOUNT_TYPES } from '../../../../core/ports/bank.ts'

const payOut = record({
  /** The platform's own id: what is asked twice by it is paid once. */
  id: t.string,
  endToEndId: t.string,
  valueCents: t.number,
  /** Null where it was paid by the data of an account. */
  key: orNull(t.string),
  name: t.string,
  document: t.string,
  ispb: t.string,
  branch: t.string,
  account: t.string,
  accountType: word(...BANK_ACCOUNT_TYPES),
  paidAt: t.string,
})
export type PayOut = t.TypeOf<typeof payOut>

/** What the fake bank has paid out. */
export const payOuts: Collection<PayOut> = {
  name: 'fake-bank.payouts',
  ids: 'text',
  codec: payOut,
  owner: null,
  indexes: [{ sort: 'paidAt', acrossOwners: true }],
}
