import { always, insert, patch, remove } from '../../kernel/records/record.ts'
import { type Lease, leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, orThrow } from '../../kernel/running/use-case.ts'
import { type Finding, firstOf, scanSlices } from '../../kernel/running/verify.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { Chunks, Files } from '../../ports/files.ts'
import { byId, type Store } from '../../ports/store.ts'
import { recordEvent } from '../events.ts'
import { notificationOf, notifications } from '../inbox/inbox.ts'
import { ACTIVE_MEMBERSHIP, membershipOf } from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { retentionSeconds } from '../retention.ts'
import { documentOf } from './document.ts'
import { type Export, encodeExport, exports } from './export.ts'

/** Exceeds the time in which the entries between two renewals are written. */
const LEASE_SECONDS = 30
/** Extra time for a PDF, which is drawn as a whole, after others in the queue of the renderer. */
const DRAWING_SECONDS = 90
const AT_ONCE = 8
/** The entries between two updates of the progress. */
const PROGRESS_ENTRIES = 10_000
/** Limits the attempts of an export that kills the process each time. */
const MAX_ATTEMPTS = 10

/** The queue of exports: writes new ones and removes expired ones. */
export const exportQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: exports,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    owner: 'accountId',
    handle: async (claimed, _report, lease) => {
      if (claimed.state !== 'waiting') await removeExport(ports, claimed)
      else if (claimed.attempts > MAX_ATTEMPTS) await end(ports, claimed, 'failed', null)
      else await write(ports, claimed, lease)
    },
  })

/** Stops writing: another process has claimed the export. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

const write = async (ports: PaymentsPorts, claimed: Export, lease: Lease<Export>): Promise<void> => {
  let leased = claimed
  let [done, storedDone, sizeBytes] = [0, 0, 0]
  const renew = async (): Promise<void> => {
    const now = ports.clock.now()
    const from = claimed.format === 'pdf' ? addSeconds(now, DRAWING_SECONDS) : now
    const renewed = await lease.renew(from, { done, updatedAt: now })
    if (!renewed) throw new LeaseLost(`${exports.name}/${claimed.id}`)
    leased = renewed
    storedDone = done
  }
  const progress = async (entries: number): Promise<void> => {
    done += entries
    if (done - storedDone >= PROGRESS_ENTRIES) await renew()
  }
  async function* measured(chunks: Chunks): Chunks {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      yield chunk
    }
  }
  try {
    if (claimed.format === 'pdf') await renew()
    // Frees the disk space of an incomplete file of an earlier attempt.
    if (claimed.attempts > 1) await ports.files.remove(claimed.notificationId)
    await ports.files.write(claimed.notificationId, measured(documentOf(ports, claimed, progress)))
  } catch (error) {
    if (error instanceof LeaseLost) return
    throw error
  }
  await end(ports, leased, 'ready', sizeBytes)
}

/**
 * Ends an export and notifies the user; if it is ready, also the account's webhooks. All in one commit. The export of a
 * user who has left the account fails, without a notification or a file.
 */
const end = async (
  ports: PaymentsPorts,
  leased: Export,
  outcome: 'ready' | 'failed',
  sizeBytes: number | null,
): Promise<void> => {
  const { accountId, userId, notificationId } = leased
  const ended = await decideAndCommit(
    ports,
    (store) => store.read({ found: byId(exports, leased.id), membership: membershipOf(accountId, userId) }),
    ({ found, membership }, fresh) => {
      // Another process has claimed the export since: its outcome counts.
      if (found?.dueAt !== leased.dueAt) return accept(found?.state ?? null)
      const { now, steady } = fresh
      const isMember = membership?.status === ACTIVE_MEMBERSHIP
      const state = isMember ? outcome : 'failed'
      const set = {
        state,
        sizeBytes: isMember ? sizeBytes : null,
        done: state === 'ready' ? found.total : found.done,
        readyAt: state === 'ready' ? now : null,
        dueAt: addSeconds(steady, retentionSeconds(ports.settings.retentionDays, 'exports')),
        attempts: 0,
        updatedAt: now,
        // The removal is not part of the traced request.
        trace: null,
      }
      const data = encodeExport({ ...found, ...set }, ports.settings.publicUrl)
      const notice = { accountId, type: state === 'ready' ? 'export.ready' : 'export.failed', data } as const
      return accept<Export['state'] | null>(
        state,
        patch(exports, leased.id, { set, when: leaseGuard(leased) }),
        ...(isMember ? [insert(notifications, notificationOf({ id: notificationId, userId, now }, notice))] : []),
        ...(state === 'ready'
          ? [recordEvent(fresh, 'export.ready', { accountId, subjectId: leased.id, data, urls: [] })]
          : []),
      )
    },
  )
  // It failed, or another process has written it, and an erasure or the end of its term has removed it since.
  const state = orThrow(ended)
  if (state === null || state === 'failed') await ports.files.remove(notificationId)
}

/** Removes an export that has ended, and its file. */
const removeExport = async ({ files, store }: PaymentsPorts, ended: Export): Promise<void> => {
  await files.remove(ended.notificationId)
  await store.commit([remove(exports, ended.id, leaseGuard(ended))])
}

/**
 * Removes an export of entries that were erased, and its file. The notification of a ready one reports it to the user,
 * without the link. Returns false if the export or the notification changed meanwhile.
 */
export const removeErasedExport = async (ports: PaymentsPorts, ended: Export): Promise<boolean> => {
  const { files, store, clock, settings } = ports
  const { id, notificationId, state } = ended
  await files.remove(notificationId)
  const notification = state === 'ready' ? await store.find(byId(notifications, notificationId)) : null
  // Only a ready export has a link.
  const data = JSON.stringify(encodeExport({ ...ended, state: 'failed' }, settings.publicUrl))
  const set = { type: 'export.removed', data, readAt: null, updatedAt: clock.now() } as const
  const reported = notification ? [patch(notifications, notificationId, { set, when: always })] : []
  return (await store.commit([remove(exports, id, leaseGuard(ended)), ...reported])).ok
}

/** Verifies that each ready export has its file. An export that expires meanwhile is no fault. */
export const verifyExports = async (store: Store, files: Pick<Files, 'open'>): Promise<Finding> => {
  const lost: number[] = []
  let ready = 0
  for await (const slice of scanSlices(store, exports))
    for (const each of slice) {
      if (each.state !== 'ready') continue
      ready += 1
      if (!(await hasFile(files, each)) && (await store.find(byId(exports, each.id)))?.state === 'ready')
        lost.push(each.id)
    }
  return {
    area: 'exports',
    figures: { ready },
    faults: firstOf(lost.map((id) => `export ${id} is ready, and has no file`)),
  }
}

const hasFile = async (files: Pick<Files, 'open'>, { notificationId }: Export): Promise<boolean> => {
  const chunks = await files.open(notificationId)
  if (chunks === null) return false
  // Leaving the loop closes the file.
  for await (const _ of chunks) break
  return true
}
