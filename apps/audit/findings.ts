import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { Finding } from '../../core/kernel/running/finding.ts'
import { verifyKeys } from '../../core/kernel/running/verify-keys.ts'
import { verifyTallies } from '../../core/kernel/running/verify-tallies.ts'
import { verifyLedger } from '../../core/payments/ledger/verify-ledger.ts'
import { audit } from '../../core/payments/office/audit.ts'
import { verifyReserves } from '../../core/payments/reserves/verify-reserves.ts'
import type { Digest } from '../../core/ports/digest.ts'
import type { Store } from '../../core/ports/store.ts'

/** What there is to be found in a store, area by area. */
export async function* findings(
  { store, digest }: { readonly store: Store; readonly digest: Digest },
  collections: readonly AnyCollection[],
): AsyncIterable<Finding> {
  yield await audit.verify(store, digest)
  yield await verifyLedger(store)
  yield await verifyTallies(store, collections)
  yield await verifyKeys(store, collections)
  yield await verifyReserves(store)
}

/** A finding as it is printed: a line with its figures, and one for every fault. */
export const linesOf = ({ area, figures, faults }: Finding): readonly string[] => {
  const told = Object.entries(figures).map(([name, count]) => `${name} ${count}`)
  const verdict = faults.length === 0 ? 'sound' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`
  return [`${area}: ${told.join(', ')}: ${verdict}`, ...faults.map((fault) => `  ${fault}`)]
}
