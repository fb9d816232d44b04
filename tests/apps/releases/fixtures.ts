import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BSON, type Db, type Document } from 'mongodb'
import { ROOT } from '../../root.ts'

/** The folder of the store that 0.10.0, the oldest release whose stores open, left when its last process was killed. */
export const FIXTURE_FOLDER = join(ROOT, 'tests/fixtures/stores/0.10.0')

/** The environment of a store and the data that its users know. */
export interface KeptStore {
  /** The environment of its processes, except the location of the store. */
  readonly env: Readonly<Record<string, string>>
  readonly known: Knowledge
}

/**
 * The content of `fixture.json`. Beside it, `sqlite` is a whole `DATA_DIR` with the file in it, and `mongodb/dump` has
 * the documents of the database, a file for each collection and a line for each document.
 */
export interface Fixture {
  readonly release: string
  /** When its last process died. */
  readonly now: string
  /** The names of the collections of the release. */
  readonly collections: readonly string[]
  readonly sqlite: KeptStore
  readonly mongodb: KeptStore
}

export const readFixture = (): Fixture => JSON.parse(readFileSync(join(FIXTURE_FOLDER, 'fixture.json'), 'utf8'))

const LINES = '.jsonl'

/** Puts the documents of a folder into a database that holds nothing. */
export const loaded = async (db: Db, folder: string): Promise<void> => {
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
    const documents: Document[] = lines.map((line) => BSON.EJSON.parse(line, { relaxed: false }))
    await db.collection(file.slice(0, -LINES.length)).insertMany(documents)
  }
}

export interface Known {
  readonly email: string
  readonly password: string
}

/** A POST that was sent under an idempotency key, to be sent again. */
export interface Keyed {
  readonly path: string
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A payment link as a holder of its address knows it. */
export interface KnownLink {
  readonly id: string
  readonly token: string
}

type ChargeName =
  | 'pending'
  | 'expired'
  | 'paid'
  | 'cancelled'
  | 'silent'
  | 'lapsed'
  | 'left'
  | 'running'
  | 'paidLast'
  | 'bolepixExpired'
  | 'boletoReplaced'
  | `${'boleto' | 'bolepix'}Pending`
  | `untold${'' | 'Cancelled'}`
  | 'lost'
  | 'timedOut'
  | `${'boleto' | 'change' | 'deletion'}${'TimedOut' | 'Lost'}`
  | `${'boleto' | 'change'}Held`

interface KnownCode {
  readonly email: string
  readonly code: string
}

/** An agency, as the people of it know it. */
export interface KnownAgency {
  readonly admin: Known
  readonly broker: Known
  readonly ids: Readonly<Record<string, string>>
  /** The public URLs, with their tokens. */
  readonly links: { readonly feed: string; readonly calendar: string }
  /** The bodies of the answers to the Admin, by path. */
  readonly shown: Readonly<Record<string, string>>
}

/** The data that users knew when the store was left: credentials, mailed codes, requests and answers. */
export interface Knowledge {
  /** The ADMIN of the main account, to which the following fields belong. */
  readonly owner: Known & { readonly accountId: number; readonly pin: string; readonly token: string }
  /** A user with organizations in several statuses. */
  readonly founder: Known
  /** A user who registered in one request while the bank was unavailable. */
  readonly newcomer: Known
  readonly colleagueId: number
  readonly clientId: number
  readonly removedClientId: number
  readonly unreadId: string
  readonly apiKey: string
  readonly smtpPassword: string
  readonly logo: { readonly path: string; readonly base64: string }
  readonly charges: Readonly<Record<ChargeName, { readonly id: number; readonly txid: string }>>
  readonly cards: Readonly<
    Record<'pending' | 'untold' | 'timedOut' | 'lost', { readonly id: number; readonly code: string }>
  >
  readonly links: Readonly<Record<'active' | 'expired' | 'exhausted' | 'waiting' | 'processing', KnownLink>>
  readonly moneyOut: {
    /** The ids of withdrawals, by name. */
    readonly withdrawals: Readonly<Record<string, number>>
    readonly recipientId: number
    /** An unconfirmed look-up: the body of its confirmation without the PIN. */
    readonly awaited: { readonly internal_id: number; readonly keypix: string; readonly value: number }
  }
  readonly agency: KnownAgency
  readonly verification: KnownCode
  readonly recovery: KnownCode
  readonly link: { readonly email: string; readonly token: string }
  /** An e-mail and a telephone to which every message failed. */
  readonly unreached: { readonly email: string; readonly phone: string }
  readonly keys: {
    /** Answered: with what it was answered. */
    readonly done: Keyed & { readonly text: string }
    /** Begun and left by a process that died, long enough ago for a repeat to take it up. */
    readonly leftCharge: Keyed
    /** Like `leftCharge`, for an organization of the founder. */
    readonly leftOrganization: Keyed
    /** Begun a moment ago. */
    readonly running: Keyed
  }
  /** The bodies of answers by user and path. */
  readonly shown: {
    readonly owner: Readonly<Record<string, string>>
    readonly founder: Readonly<Record<string, string>>
  }
}
