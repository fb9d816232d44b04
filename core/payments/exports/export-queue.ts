import { insert, patch, remove } from '../../kernel/records/change.ts'
import { type Lease, leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, orThrow } from '../../kernel/running/use-case.ts'
import { type Finding, scanSlices } from '../../kernel/running/verify.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { Chunks, Files } from '../../ports/files.ts'
import { byId, type Store } from '../../ports/store.ts'
import { notificationOf, notifications, recordEvent } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { documentOf } from './document.ts'
import { type Export, encodeExport, exports } from './export.ts'

/** Longer than as many entries take as are written between two renewals: whoever dies is soon followed by another. */
const LEASE_SECONDS = 30
/** How much longer a PDF may take, which is drawn whole, and after those before it. */
const DRAWING_SECONDS = 90
const AT_ONCE = 8
/** Entries after which it is written down how far a document is. */
const PROGRESS_ENTRIES = 10_000
/** What kills the process each time is not tried for ever. */
const MAX_ATTEMPTS = 10
/** How long a file lives. Source: decisions.md §4. */
const LIFE_SECONDS = 7 * 86_400

/** Documents that are to be written, and those that have lived long enough. */
export const exportQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: exports,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    owner: 'accountId',
    handle: async (claimed, _report, lease) => {
      if (claimed.state !== 'waiting') await expire(ports, claimed)
      else if (claimed.attempts > MAX_ATTEMPTS) await end(ports, claimed, 'failed', null)
      else await write(ports, claimed, lease)
    },
  })

/** Somebody else has it in hand: what is written of it here is theirs to write. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

const write = async (ports: PaymentsPorts, claimed: Export, lease: Lease<Export>): Promise<void> => {
  let held = claimed
  let [done, told, sizeBytes] = [0, 0, 0]
  const renew = async (): Promise<void> => {
    const now = ports.clock.now()
    const from = claimed.format === 'pdf' ? addSeconds(now, DRAWING_SECONDS) : now
    const renewed = await lease.renew(from, { done, updatedAt: now })
    if (!renewed) throw new LeaseLost(`${exports.name}/${claimed.id}`)
    held = renewed
    told = done
  }
  const progress = async (entries: number): Promise<void> => {
    done += entries
    if (done - told >= PROGRESS_ENTRIES) await renew()
  }
  async function* measured(chunks: Chunks): Chunks {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      yield chunk
    }
  }
  try {
    if (claimed.format === 'pdf') await renew()
    // What an earlier try has left half-written would be in nobody's way, and on the disk.
    if (claimed.attempts > 1) await ports.files.remove(claimed.notificationId)
    await ports.files.write(claimed.notificationId, measured(documentOf(ports, claimed, progress)))
  } catch (error) {
    if (error instanceof LeaseLost) return
    throw error
  }
  await end(ports, held, 'ready', sizeBytes)
}

/** It is there, or never will be: whoever asked for it is told, and the account's own systems, in one commit. */
const end = async (
  ports: PaymentsPorts,
  held: Export,
  state: 'ready' | 'failed',
  sizeBytes: number | null,
): Promise<void> => {
  const ended = await decideAndCommit(
    ports,
    (store) => store.find(byId(exports, held.id)),
    (found, fresh) => {
      // Where somebody else has claimed it since, theirs counts.
      if (found?.dueAt !== held.dueAt) return accept(null)
      const { now, steady } = fresh
      const set = {
        state,
        sizeBytes,
        done: state === 'ready' ? found.total : found.done,
        readyAt: state === 'ready' ? now : null,
        dueAt: addSeconds(steady, LIFE_SECONDS),
        attempts: 0,
        updatedAt: now,
        // Its removal is no part of the request.
        trace: null,
      }
      const { id, accountId, userId, notificationId } = found
      const data = encodeExport({ ...found, ...set }, ports.settings.publicUrl)
      const told = { accountId, type: state === 'ready' ? 'export.ready' : 'export.failed', data } as const
      return accept(
        null,
        patch(exports, id, { set, when: leaseGuard(held) }),
        insert(notifications, notificationOf({ id: notificationId, userId, now }, told)),
        ...(state === 'ready'
          ? [recordEvent(fresh, 'export.ready', { accountId, subjectId: id, data, urls: [] })]
          : []),
      )
    },
  )
  orThrow(ended)
}

const expire = async ({ files, store }: PaymentsPorts, claimed: Export): Promise<void> => {
  await files.remove(claimed.notificationId)
  await store.commit([remove(exports, claimed.id, leaseGuard(claimed))])
}

/**
 * Looks for the file of each export that is ready, as long as it lives. One that ends meanwhile is no fault. The first break is
 * named. Source: decisions.md §4; issue 33.
 */
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
  const [first, ...more] = lost
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return {
    area: 'exports',
    figures: { ready },
    faults: first === undefined ? [] : [`export ${first} is ready, and has no file${others}`],
  }
}

const hasFile = async (files: Pick<Files, 'open'>, { notificationId }: Export): Promise<boolean> => {
  const chunks = await files.open(notificationId)
  if (chunks === null) return false
  // To leave it lets go of what holds it open.
  for await (const _ of chunks) break
  return true
}
