import { t } from '../../../fp.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { record } from '../../../kernel/records/record.ts'
import { byId } from '../../../ports/store.ts'
import { type ChargeDetail, type ChargeReader, findCharge } from '../find-charge.ts'

const otherTitle = record({
  /** Its txid. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
})

/**
 * A title of a charge beside its own: one that was replaced, or is to take its place. Somebody may have its code, and pay it.
 */
export const otherTitles: Collection<t.TypeOf<typeof otherTitle>> = {
  name: 'payments.other-titles',
  ids: 'text',
  codec: otherTitle,
  owner: 'accountId',
}

/** The charge of a title, whichever it had: money is that of the charge all the same. */
export const findByTitle = async (ports: ChargeReader, txid: string): Promise<ChargeDetail | null> => {
  const current = await findCharge(ports, { txid })
  if (current) return current
  const other = await ports.store.find(byId(otherTitles, txid))
  return other && findCharge(ports, { id: other.chargeId })
}
