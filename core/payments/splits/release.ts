import { always, eq, patch } from '../../kernel/records/record.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { processEach, readSlice } from '../../kernel/running/slices.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts, checkTakesWrites, isExisting, takesWrites } from '../accounts/account.ts'
import { releaseBalance } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type SplitShare, splitShares } from './share.ts'

const RELEASE_EVERY_SECONDS = 60
const RELEASED_PER_SLICE = 100

/** The job that releases held shares once their account accepts writes again. */
export const releaseJob = ({ store }: Pick<PaymentsPorts, 'store'>): JobRow => ({
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
    const { records, next } = await readSlice(store, held, place)
    await processEach(splitShares, records, (each) => releaseShare(store, each), report)
    return next
  },
})

const releaseShare = async (store: Store, { id, accountId, heldCents }: SplitShare): Promise<void> => {
  const account = await store.find(byId(accounts, accountId))
  if (!isExisting(account) || !takesWrites(account)) return
  await store.commit([
    checkTakesWrites(accountId),
    patch(splitShares, id, { add: { heldCents: -heldCents }, when: eq('heldCents', heldCents) }),
    releaseBalance(accountId, heldCents),
  ])
}
