import { collectionsOf } from '../../../../apps/host/host.ts'
import { openStore } from '../../../../apps/host/open-store.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { insert, remove } from '../../../../core/kernel/records/change.ts'
import type { Id } from '../../../../core/kernel/records/record.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { type Charge, charges } from '../../../../core/payments/charges/charge.ts'
import { claimSteps, claims } from '../../../../core/payments/claim.ts'
import { jobs } from '../../../../core/payments/office.ts'
import { byId } from '../../../../core/ports/store.ts'

const CHANGES_AT_ONCE = 1_000
/** What a step has to do, slice by slice. */
const CLAIMS = 150

/** Charges like one that is over, and claims that nobody reads any more; which two of the charges share a text of the next key. */
export const sow = async (storeUrl: string, likeId: Id, sown: number): Promise<readonly Id[]> => {
  const store = await openStore(storeUrl, collectionsOf([payments]))
  try {
    const like = await store.find(byId(charges, likeId))
    if (!like) throw new Error('there is no charge that was cancelled')
    const first = await store.reserve(charges.name, sown)
    const made = Array.from({ length: sown }, (_, index): Charge => {
      const name = `next${first + index}`
      return { ...like, id: first + index, code: name, txid: name, valueCents: 100 * (1 + (index % 100)), pix: null }
    })
    const left = made.slice(0, CLAIMS)
    // A step is run once: in a store that has had it, it is to be run as one that the next release brings.
    const ids = claimSteps.map(({ name }) => `step:${name}`)
    const run = await Promise.all(ids.map((id) => store.find(byId(jobs, id))))
    const changes = [
      ...run.flatMap((job) => (job ? [remove(jobs, job.id, always)] : [])),
      ...made.map((charge) => insert(charges, charge)),
      ...left.map(({ id, txid, accountId }) => insert(claims, { id: `txid:${txid}`, accountId, holder: id })),
    ]
    for (let at = 0; at < changes.length; at += CHANGES_AT_ONCE)
      if (!(await store.commit(changes.slice(at, at + CHANGES_AT_ONCE))).ok) throw new Error('not sown')
    return [first, first + 1]
  } finally {
    await store.close()
  }
}
