import { Firestore, type Transaction } from '@google-cloud/firestore'
import type { Mirror } from '../../core/ports/messaging.ts'

/** A database of the identity provider, or what stands in for it. */
export interface FirestoreProject {
  readonly projectId: string
  /** `127.0.0.1:8080`: an emulator, which asks for no credentials; Google's own service without it. */
  readonly emulatorHost?: string | null
  /** How long one call may take; 5,000 by default. */
  readonly timeoutMs?: number
}

/** A mirror that holds connections. */
export interface OpenMirror extends Mirror {
  close(): Promise<void>
}

const TIMEOUT_MS = 5_000
/** What Firestore answers where a document is there that was to be made. */
const ALREADY_EXISTS = 6
/** What no id of a document is; no user of Firebase has such a one. */
const NO_DOCUMENT_ID = /^(?:\.{1,2}|__.*__|.*\/.*)$/s

/**
 * A mirror in Cloud Firestore, at `notifications/{uid}/items/{id}`. Credentials come from where Google's libraries look for
 * them (`GOOGLE_APPLICATION_CREDENTIALS`). `firestore.rules` and `firestore.indexes.json` beside this file go with it.
 * Source: 03-real-estate.md, Events; reference/real-estate.md, Mirror.
 */
export const firestoreMirror = ({
  projectId,
  emulatorHost = null,
  timeoutMs = TIMEOUT_MS,
}: FirestoreProject): OpenMirror => {
  // Outside Google's machines its libraries would look for a server that tells them where they run.
  if (emulatorHost !== null) process.env.METADATA_SERVER_DETECTION ??= 'none'
  const firestore = new Firestore({
    projectId,
    clientConfig: callsWithin(timeoutMs),
    ...(emulatorHost === null ? {} : { host: emulatorHost, ssl: false }),
  })
  // Of what the library has, a transaction alone goes by our own times: all else is tried again for ten minutes.
  const write = (change: (transaction: Transaction) => void) =>
    firestore.runTransaction(async (transaction) => change(transaction), { maxAttempts: 1 })
  return {
    async set(uid, notificationId, document) {
      if (NO_DOCUMENT_ID.test(uid)) return
      const at = firestore.collection('notifications').doc(uid).collection('items').doc(notificationId)
      if (document.isRead) await write((transaction) => void transaction.set(at, { ...document }))
      // Made and not overwritten: a call that arrives late leaves one that is read meanwhile as it is.
      else await write((transaction) => void transaction.create(at, { ...document })).catch(unlessThere)
    },
    close: () => firestore.terminate(),
  }
}

const unlessThere = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS)) throw error
}

/** How its client calls: once, and so long. */
const callsWithin = (milliseconds: number) => {
  const call = { timeout_millis: milliseconds, retry_codes_name: 'none', retry_params_name: 'once' }
  return {
    interfaces: {
      'google.firestore.v1.Firestore': {
        retry_codes: { none: [] },
        retry_params: {
          once: {
            initial_retry_delay_millis: 100,
            retry_delay_multiplier: 1,
            max_retry_delay_millis: 100,
            initial_rpc_timeout_millis: milliseconds,
            rpc_timeout_multiplier: 1,
            max_rpc_timeout_millis: milliseconds,
            total_timeout_millis: milliseconds,
          },
        },
        methods: { BeginTransaction: call, Commit: call, Rollback: call },
      },
    },
  }
}
