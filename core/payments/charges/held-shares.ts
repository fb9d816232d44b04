import { all, always, type Change, check, eq, not, patch } from '../../kernel/records/record.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { processEach, readSlice } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, type FactsOf, type Fresh, orThrow } from '../../kernel/running/use-case.ts'
import { type Day, formatDay } from '../../kernel/values/day.ts'
import { byId, listOf, type Store } from '../../ports/store.ts'
import { acceptsWrites, accounts, checkAcceptsWrites, isExisting } from '../accounts/account.ts'
import { type Entry, entries, post, releaseBalance, SPLIT_IN, SPLIT_RETURN, searchOf } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  HELD,
  isHeld,
  returnCause,
  type ShareField,
  type SplitShare,
  shareDetails,
  sidesOf,
  splitShares,
} from '../splits/share.ts'
import { charges, countShareDecision } from './charge.ts'
import { entryDetails } from './detail.ts'

const RELEASE_EVERY_SECONDS = 60
const RELEASED_PER_SLICE = 100

/** The job that releases held shares: once their account accepts writes again, or to the issuer if it was removed. */
export const releaseJob = (ports: PaymentsPorts): JobRow => ({
  name: 'release-split-shares',
  schedule: { everySeconds: RELEASE_EVERY_SECONDS },
  run: async ({ cursor: place, report }) => {
    const held = {
      from: splitShares,
      where: always,
      when: 'held',
      sort: 'createdAt',
      limit: RELEASED_PER_SLICE,
    } as const
    const { records, next } = await readSlice(ports.store, held, place)
    await processEach(splitShares, records, (each) => releaseShare(ports, each), report)
    return next
  },
})

const releaseShare = async (ports: PaymentsPorts, { id }: SplitShare): Promise<void> => {
  orThrow(await decideAndCommit(ports, (store) => readHeld(store, id), decideRelease))
}

const readHeld = async (store: Store, id: number) => {
  const share = await store.find(byId(splitShares, id))
  if (!share || !isHeld(share)) return null
  const { account, issuer, charge } = await store.read({
    account: byId(accounts, share.accountId),
    issuer: byId(accounts, share.issuerId),
    charge: byId(charges, share.chargeId),
  })
  if (!account || !issuer || !charge || (isExisting(account) && !acceptsWrites(account))) return null
  return { share, account, issuer, charge, held: await readHeldEntry(store, share) }
}

type HeldFacts = NonNullable<FactsOf<typeof readHeld>>
type EntryField = keyof Entry & string

/** Reads the entry that says that a share is held. */
const readHeldEntry = async (
  store: Store,
  { accountId, journalId, heldEntryId }: SplitShare,
): Promise<Entry | undefined> => {
  const where =
    heldEntryId === null
      ? all<EntryField>(eq('accountId', accountId), eq('typeId', SPLIT_IN.id), eq('journalId', journalId))
      : eq<EntryField>('id', heldEntryId)
  const { records } = await store.list(listOf(entries, { where, sort: { by: 'seq', dir: 'desc' }, limit: 1 }))
  return records[0]
}

const decideRelease = (facts: HeldFacts | null, fresh: Fresh) => {
  if (!facts) return accept(null)
  const { account, issuer, share } = facts
  if (isExisting(account)) return accept(null, ...releaseToReceiver(facts, fresh.today))
  // A pending refund reserves a part of the share, which is held again if it fails. A removed issuer gains nothing.
  const isReturned = isExisting(issuer) && share.reservedCents === 0
  return accept(null, ...(isReturned ? returnToIssuer(facts, fresh) : []))
}

/** Releases a held share to its account, which accepts writes again; its entry then says since when. */
const releaseToReceiver = ({ share, held }: HeldFacts, today: Day): readonly Change[] => {
  const { id, accountId, heldCents } = share
  const set = { heldEntryId: null }
  return [
    checkAcceptsWrites(accountId),
    patch(splitShares, id, { set, add: { heldCents: -heldCents }, when: eq('heldCents', heldCents) }),
    ...(heldCents === 0 ? [] : [releaseBalance(accountId, heldCents)]),
    ...describeReleased(held, heldCents, today),
  ]
}

/**
 * Returns the held share of a removed account to the issuer of the charge, where such shares have stayed since 0.21.0.
 * The guard of the share and the cause of the journal make it happen once; concurrent refunds are decided again.
 */
const returnToIssuer = ({ share, account, issuer, charge, held }: HeldFacts, fresh: Fresh): readonly Change[] => {
  const { id, accountId, issuerId, heldCents } = share
  const details = shareDetails(issuer)
  return [
    check(accounts, accountId, not(eq('removedAt', null))),
    patch(splitShares, id, {
      set: { heldEntryId: null, returnedCents: heldCents },
      add: { heldCents: -heldCents },
      when: all<ShareField>(eq('heldCents', heldCents), eq('reservedCents', 0), eq('returnedCents', null)),
    }),
    ...countShareDecision(charge),
    ...describeReleased(held, 0, fresh.today),
    ...(heldCents === 0
      ? []
      : [
          releaseBalance(accountId, heldCents),
          ...post(fresh, {
            accountId: issuerId,
            kind: 'main',
            cause: returnCause(id),
            lines: [{ type: SPLIT_RETURN, valueCents: heldCents, against: 'shares', sides: sidesOf(account, issuer) }],
            shares: [
              {
                ...{ accountId, type: SPLIT_RETURN, valueCents: -heldCents, heldCents: 0 },
                details: { ...details, payer: null, receiver: details.payer },
              },
            ],
            details: entryDetails(charge),
          }),
        ]),
  ]
}

/** Refunds may have taken all that was held: then nothing was released. */
const describeReleased = (held: Entry | undefined, releasedCents: number, today: Day): readonly Change[] => {
  if (!held?.description.endsWith(HELD)) return []
  const text = held.description.slice(0, -HELD.length)
  const description = releasedCents === 0 ? text : `${text} (liberado em ${formatDay(today)})`
  const set = { description, search: searchOf({ ...held, description }) }
  return [patch(entries, held.id, { set, when: eq('description', held.description) })]
}
