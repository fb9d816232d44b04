import { type Finding, faultsIn, firstOf, scanSlices } from '../../kernel/running/verify.ts'
import { sumBy } from '../../kernel/values/money.ts'
import { byId, type Store } from '../../ports/store.ts'
import { failedRefundCause, refundCause, refunds } from '../charges/refund-records.ts'
import { type Journal, journals, ledgerAccountId } from '../ledger/ledger.ts'
import { reversedCents } from '../splits/reversal.ts'
import { readShares, returnCause, type SplitShare, splitShares } from '../splits/share.ts'

/**
 * Compares the shares of payments with the ledger: each share is credited by its journal, a journal credits no other,
 * and refunds reverse no more than was credited. Concurrent writes cause no faults. Reports the first fault of each
 * kind and the number of others.
 */
export const verifySplits = async (store: Store): Promise<Finding> => {
  const wrong: string[] = []
  const unknown: string[] = []
  const figures = { shares: 0, 'shared journals': 0 }
  for await (const slice of scanSlices(store, splitShares)) {
    figures.shares += slice.length
    for (const share of slice) wrong.push(...(await faultsOf(store, share)))
  }
  for await (const slice of scanSlices(store, journals))
    for (const journal of slice.filter(isShared)) {
      figures['shared journals'] += 1
      const known = (await returnedBy(store, journal)) ?? (await creditedBy(store, journal))
      if (known !== sharedCents(journal))
        unknown.push(
          `journal ${journal.id} credits ${sharedCents(journal)} to other accounts, and its shares are ${known}`,
        )
    }
  return { area: 'splits', figures, faults: [...firstOf(wrong), ...firstOf(unknown)] }
}

const faultsOf = async (store: Store, share: SplitShare): Promise<readonly string[]> => {
  const { id, accountId, journalId, creditedCents, heldCents, calledCents: called, reservedCents } = share
  const mostCents = creditedCents + (share.restoredCents ?? 0)
  const journal = await store.find(byId(journals, journalId))
  const book = ledgerAccountId(accountId, 'main')
  const isCredited = journal?.legs.some((leg) => leg.book === book && leg.cents === creditedCents)
  const returnedCents = share.returnedCents ?? 0
  const isWithin = [heldCents, called, reservedCents, returnedCents].every((cents) => cents >= 0 && cents <= mostCents)
  return faultsIn([
    [!isCredited, `share ${id} of ${creditedCents} is not credited by journal ${journalId}`],
    [
      !isWithin || heldCents + reservedCents + returnedCents > mostCents,
      `share ${id} has more held, reversed, reserved or returned than its ${mostCents}`,
    ],
  ])
}

const legsOfOthers = ({ accountId, legs }: Journal) => legs.filter(({ book }) => !book.startsWith(`${accountId}:`))

const isShared = (journal: Journal): boolean => legsOfOthers(journal).length > 0

/** Returns the sum that a journal credits to other accounts; negative if it debits them. */
const sharedCents = (journal: Journal): number => sumBy(legsOfOthers(journal), ({ cents }) => cents)

const creditedBy = async (store: Store, { id: journalId }: Journal): Promise<number> =>
  sumBy(await readShares(store, { journalId }), ({ creditedCents }) => creditedCents)

/**
 * Returns the sum that the journal of a refund, or of a returned share, credits to the receivers, negative for a debit;
 * null for any other journal.
 */
const returnedBy = async (store: Store, { cause }: Journal): Promise<number | null> => {
  if (cause.startsWith(returnCause(''))) {
    const share = await store.find(byId(splitShares, Number(cause.slice(returnCause('').length))))
    return 0 - (share?.returnedCents ?? 0)
  }
  for (const [causeOf, reversals] of [
    [refundCause, 'shares'],
    [failedRefundCause, 'corrections'],
  ] as const) {
    if (!cause.startsWith(causeOf(''))) continue
    const refund = await store.find(byId(refunds, cause.slice(causeOf('').length)))
    return 0 - reversedCents(refund?.[reversals] ?? null)
  }
  return null
}
