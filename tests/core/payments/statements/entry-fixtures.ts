import type { Entry } from '../../../../core/payments/ledger/ledger.ts'

export const NOW = '2026-11-23T13:05:09.123Z'

/** An entry; its `seq` is its id. */
export const anEntry = (over: Partial<Entry> & Pick<Entry, 'id' | 'accountId' | 'valueCents'>): Entry => ({
  book: `${over.accountId}:main`,
  journalId: 'j',
  seq: over.id,
  balanceCents: 0,
  datetime: NOW,
  day: '2026-11-23',
  typeId: 1,
  status: 1,
  direction: over.valueCents < 0 ? 'out' : 'in',
  description: 'Mensalidade',
  chargeId: null,
  txid: null,
  endToEnd: null,
  payer: null,
  receiver: null,
  search: 'mensalidade',
  ...over,
})

/** The empty main book of account 1. */
export const aBook = {
  id: '1:main',
  accountId: 1,
  kind: 'main',
  balanceCents: 0,
  availableCents: 0,
  seq: 0,
  lastAt: NOW,
  lastDay: '2026-11-23',
  settlements: 0,
  settledCents: 0,
} as const
