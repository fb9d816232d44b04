import { refunds as givenBack, payments, payOuts } from '../../../adapters/bank/fake/books.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { entries, journals, ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import { transfers } from '../../../core/payments/transfers/transfer.ts'
import { payOutSums } from '../../../core/payments/withdrawals/limits.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import type { Store } from '../../../core/ports/store.ts'
import { givenBackOnce } from '../../simulation/invariants/refunds.ts'
import { paidOutOnce, waitingCounted } from '../../simulation/invariants/withdrawals.ts'
import { everyRecord } from './ledger-faults.ts'

/** What is wrong with money that has left, as the simulation judges it: what the embedded bank has paid is posted, once. */
export const moneyOutFaults = async (store: Store): Promise<readonly string[]> => {
  const held = {
    books: await everyRecord(store, ledgerAccounts),
    charges: await everyRecord(store, charges),
    entries: await everyRecord(store, entries),
    journals: await everyRecord(store, journals),
    operations: await everyRecord(store, bankOperations),
    payOutSums: await everyRecord(store, payOutSums),
    refunds: await everyRecord(store, refunds),
    transfers: await everyRecord(store, transfers),
    withdrawals: await everyRecord(store, withdrawals),
  }
  const out = await everyRecord(store, payOuts)
  const bank = {
    payOuts: out.map(({ id: txid, endToEndId, valueCents }) => ({ txid, endToEndId, valueCents })),
    refunds: await everyRecord(store, givenBack),
    payments: (await everyRecord(store, payments)).map(({ id: endToEndId, valueCents }) => ({
      endToEndId,
      valueCents,
    })),
  }
  return [paidOutOnce, waitingCounted, givenBackOnce].flatMap((invariant) => invariant({ held, bank }))
}
