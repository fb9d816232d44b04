import { remove } from '../../kernel/records/change.ts'
import { heldBy, type Queue, queueOf } from '../../kernel/running/queue.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { storedFiles } from './stored-file.ts'

/** Longer than removing a file takes. */
const REMOVAL_LEASE_SECONDS = 60
const REMOVALS_AT_ONCE = 4

/** The queue of files that nothing refers to: each is removed, and then the record that it was there. */
export const fileQueue = ({ files, store }: PaymentsPorts): Queue =>
  queueOf({
    collection: storedFiles,
    leaseSeconds: REMOVAL_LEASE_SECONDS,
    atOnce: REMOVALS_AT_ONCE,
    handle: async (file) => {
      await files.remove(file.id)
      await store.commit([remove(storedFiles, file.id, heldBy(file))])
    },
  })
