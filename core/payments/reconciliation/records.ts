import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { MOVEMENT_KINDS } from '../../ports/bank.ts'

const listed = record({
  /** The run, kind and id of a movement that the bank has listed. */
  id: t.string,
  expiresAt: t.string,
})

/** What the bank has listed in a run: kept beside memory, which does not grow with the day. */
export const listedMovements: Collection<t.TypeOf<typeof listed>> = {
  name: 'payments.listed-movements',
  ids: 'text',
  codec: listed,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

const difference = record({
  /** The run, and which movement differs how. */
  id: t.string,
  runId: t.string,
  /** Whose it is; null where nobody knows. */
  accountId: orNull(t.number),
  /** `missing` in the ledger, `extra` there, `different` from the bank's record, or not to be compared: `unreadable`. */
  what: word('missing', 'extra', 'different', 'unreadable'),
  kind: word(...MOVEMENT_KINDS),
  movementId: t.string,
  /** What the bank says, and what the ledger has; null where there is nothing. */
  bankCents: orNull(t.number),
  ledgerCents: orNull(t.number),
  bankTxid: orNull(t.string),
  ledgerTxid: orNull(t.string),
  expiresAt: t.string,
})

/** Something in which the ledger and the bank differ. */
export type Difference = t.TypeOf<typeof difference>

export const differences: Collection<Difference> = {
  name: 'payments.differences',
  ids: 'text',
  codec: difference,
  owner: null,
  indexes: [
    { eq: 'runId', sort: 'id', acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

const reconciliation = record({
  /** The day that is compared: once, however many processes there are. */
  id: t.string,
  /** When its next slice is due; null once it has ended. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** Where it goes on, as JSON; null where it begins. */
  place: orNull(t.string),
  /** How often in a row the bank did not answer. */
  unanswered: t.number,
  createdAt: t.string,
  /** When it is forgotten; null while it runs. */
  expiresAt: orNull(t.string),
})

/** The comparison of a day that the schedule asked for. */
export type Reconciliation = t.TypeOf<typeof reconciliation>

export const reconciliations: Collection<Reconciliation> = {
  name: 'payments.reconciliations',
  ids: 'text',
  codec: reconciliation,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [
    { sort: 'dueAt', when: WAITING, acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}
