import type { Collection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { claims } from '../../../core/payments/claim.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { entries, journals, ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import { links } from '../../../core/payments/links/link.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { users } from '../../../core/payments/members/user.ts'
import { audit, events, mails, messages } from '../../../core/payments/office.ts'
import { openings } from '../../../core/payments/registrations/opening.ts'
import { transfers } from '../../../core/payments/transfers/transfer.ts'
import { deliveries } from '../../../core/payments/webhooks/delivery.ts'
import { payOutSums } from '../../../core/payments/withdrawals/limits.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'

const ALL = 1_000_000

/** Reads all that is judged, but only what was written since it was last read. */
export const snapshots = (store: Store, dirty: Set<string>) => {
  // What is being read, too: whoever looks meanwhile waits for it, and nothing older takes its place.
  const known = new Map<string, Promise<readonly Rec[]>>()
  const all = async <R extends Rec>(from: Collection<R>): Promise<readonly R[]> => {
    const kept = known.get(from.name)
    if (kept && !dirty.has(from.name)) return (await kept) as readonly R[]
    dirty.delete(from.name)
    const reading = store.list(listOf(from, { where: always, limit: ALL })).then(({ records }) => records)
    known.set(from.name, reading)
    return (await reading) as readonly R[]
  }
  return async () => ({
    accounts: await all(accounts),
    auditChains: await all(audit.chains),
    auditEntries: await all(audit.entries),
    books: await all(ledgerAccounts),
    charges: await all(charges),
    claims: await all(claims),
    clients: await all(clients),
    deliveries: await all(deliveries),
    entries: await all(entries),
    events: await all(events),
    journals: await all(journals),
    links: await all(links),
    mails: await all(mails),
    memberships: await all(memberships),
    messages: await all(messages),
    openings: await all(openings),
    operations: await all(bankOperations),
    payOutSums: await all(payOutSums),
    refunds: await all(refunds),
    transfers: await all(transfers),
    users: await all(users),
    withdrawals: await all(withdrawals),
  })
}

/** All that payments holds, at one instant. */
export type Snapshot = Awaited<ReturnType<ReturnType<typeof snapshots>>>
