import { Firestore, type Transaction } from '@google-cloud/firestore'
import type { Mirror } from '../../core/ports/messaging.ts'

/** A Firestore database or its emulator. */
export interface FirestoreProject {
  readonly projectId: string
  /** The host of an emulator, which requires no credentials: `127.0.0.1:8080`. By default Google's service. */
  readonly emulatorHost?: string | null
  /** The limit of one call; 5,000 by default. */
  readonly timeoutMs?: number
}

/** A mirror with connections to close. */
export interface OpenMirror extends Mirror {
  close(): Promise<void>
}

const TIMEOUT_MS = 5_000
const ALREADY_EXISTS = 6
/** Texts that Firestore does not accept as document ids. Users of Firebase have no such ids. */
const NO_DOCUMENT_ID = /^(?:\.{1,2}|__.*__|.*\/.*)$/s

/**
 * Mirrors notifications to Cloud Firestore, at `notifications/{uid}/items/{id}`, with the default credentials of
 * Google's libraries (`GOOGLE_APPLICATION_CREDENTIALS`). Deploy `firestore.rules` and `firestore.indexes.json` with it.
 */
export const firestoreMirror = ({
  projectId,
  emulatorHost = null,
  timeoutMs = TIMEOUT_MS,
}: FirestoreProject): OpenMirror => {
  // With an emulator, Google's libraries must not look for a metadata server.
  if (emulatorHost !== null) process.env.METADATA_SERVER_DETECTION ??= 'none'
  const firestore = new Firestore({
    projectId,
    clientConfig: callsWithin(timeoutMs),
    ...(emulatorHost === null ? {} : { host: emulatorHost, ssl: false }),
  })
  // Only transactions respect the time limits below: the library retries all other calls for ten minutes.
  const write = (change: (transaction: Transaction) => void) =>
    firestore.runTransaction(async (transaction) => change(transaction), { maxAttempts: 1 })
  return {
    async set(uid, notificationId, document) {
      if (NO_DOCUMENT_ID.test(uid)) return
      const at = firestore.collection('notifications').doc(uid).collection('items').doc(notificationId)
      if (document.isRead) await write((transaction) => void transaction.set(at, { ...document }))
      // Created, never overwritten: a late call must not mark a notification as unread again.
      else await write((transaction) => void transaction.create(at, { ...document })).catch(unlessThere)
    },
    close: () => firestore.terminate(),
  }
}

const unlessThere = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS)) throw error
}

/** Client settings: one attempt per call, with this time limit. */
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
