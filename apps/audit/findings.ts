import type { AnyCollection } from '../../core/kernel/records/record.ts'
import { type Finding, verifyKeys, verifyTallies } from '../../core/kernel/running/verify.ts'
import { verifyExports } from '../../core/payments/exports/export-queue.ts'
import { verifyLedger } from '../../core/payments/ledger/verify-ledger.ts'
import { audit } from '../../core/payments/office.ts'
import type { Difference } from '../../core/payments/reconciliation/records.ts'
import { verifyCardSales } from '../../core/payments/reserves/verify-card-sales.ts'
import { verifyCharges } from '../../core/payments/reserves/verify-charges.ts'
import { verifyMoneyOut } from '../../core/payments/reserves/verify-money-out.ts'
import { verifyRemoved, verifyReserves } from '../../core/payments/reserves/verify-reserves.ts'
import { verifySplits } from '../../core/payments/reserves/verify-splits.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Digest } from '../../core/ports/runtime.ts'
import type { Store } from '../../core/ports/store.ts'

/** Verifies a store and its files, area by area. */
export async function* findings(
  { store, digest, files }: { readonly store: Store; readonly digest: Digest; readonly files?: Pick<Files, 'open'> },
  collections: readonly AnyCollection[],
): AsyncIterable<Finding> {
  yield await audit.verify(store, digest)
  yield await verifyLedger(store)
  yield await verifyTallies(store, collections)
  yield await verifyKeys(store, collections)
  yield await verifyReserves(store)
  yield await verifyMoneyOut(store)
  yield await verifyCardSales(store)
  yield await verifyCharges(store)
  yield await verifySplits(store)
  yield await verifyRemoved(store)
  if (files) yield await verifyExports(store, files)
}

const linesOf = ({ area, figures, faults }: Finding): readonly string[] => {
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`)
  const verdict = faults.length === 0 ? 'sound' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`
  return [`${area}: ${counts.join(', ')}: ${verdict}`, ...faults.map((fault) => `  ${fault}`)]
}

/** Prints findings; reports whether there is no fault. */
export const printFindings = async (found: AsyncIterable<Finding>): Promise<boolean> => {
  let isSound = true
  for await (const finding of found) {
    process.stdout.write(`${linesOf(finding).join('\n')}\n`)
    isSound &&= finding.faults.length === 0
  }
  return isSound
}

const reais = (cents: number | null): string => (cents === null ? 'nothing' : (cents / 100).toFixed(2))

/** Returns the line of a difference between the bank and the ledger. */
export const differenceLine = (found: Difference): string => {
  const { what, kind, movementId, accountId, bankCents, ledgerCents, bankTxid, ledgerTxid } = found
  const owner = accountId === null ? ' of no account' : ` of account ${accountId}`
  if (what === 'unreadable') return `${what}: ${kind} ${movementId}${owner}: the bank's record cannot be read`
  const [bank, ledger] = [`${reais(bankCents)} at the bank`, `${reais(ledgerCents)} in the ledger`]
  const sides = what === 'extra' ? `${ledger}, ${bank}` : `${bank}, ${ledger}`
  const titles = what === 'different' && bankCents === ledgerCents ? `: txid ${bankTxid} there, ${ledgerTxid} here` : ''
  return `${what}: ${kind} ${movementId}${owner}: ${sides}${titles}`
}
