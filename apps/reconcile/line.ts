import type { Difference } from '../../core/payments/reconciliation/records.ts'

const reais = (cents: number | null): string => (cents === null ? 'nothing' : (cents / 100).toFixed(2))

/** A difference as it is printed, a line each. */
export const lineOf = (found: Difference): string => {
  const { what, kind, movementId, accountId, bankCents, ledgerCents, bankTxid, ledgerTxid } = found
  const whose = accountId === null ? ", nobody's" : ` of account ${accountId}`
  if (what === 'unreadable') return `${what}: ${kind} ${movementId}${whose}: the bank's record cannot be read`
  const [bank, ledger] = [`${reais(bankCents)} at the bank`, `${reais(ledgerCents)} in the ledger`]
  const sides = what === 'extra' ? `${ledger}, ${bank}` : `${bank}, ${ledger}`
  const titles = what === 'different' && bankCents === ledgerCents ? `: txid ${bankTxid} there, ${ledgerTxid} here` : ''
  return `${what}: ${kind} ${movementId}${whose}: ${sides}${titles}`
}
