import { type Entry, emptyLedgerAccount } from '../../../../core/payments/ledger/ledger.ts'

export const NOW = '2026-11-23T13:05:09.123Z'

const NO_DETAILS = { chargeId: null, txid: null, endToEnd: null, payer: null, receiver: null }

/** An entry; its `seq` is its id. */
export const anEntry = (over: Partial<Entry> & Pick<Entry, 'id' | 'accountId' | 'valueCents'>): Entry => ({
  ...{ book: `${over.accountId}:main`, journalId: 'j', seq: over.id, balanceCents: 0, typeId: 1, status: 1 },
  ...{ datetime: NOW, day: '2026-11-23', direction: over.valueCents < 0 ? 'out' : 'in' },
  ...{ description: 'Mensalidade', search: 'mensalidade', ...NO_DETAILS },
  ...over,
})

/** The empty main book of account 1. */
export const aBook = emptyLedgerAccount(1, 'main', NOW)
