import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BSON, type Db, type Document } from 'mongodb'
import { ROOT } from '../../root.ts'

/** The folder of the stores of releases, one sub-folder each. */
export const STORES = join(ROOT, 'tests/fixtures/stores')

/** The environment of a store and the data that its users know. */
export interface KeptStore {
  /** The environment of its processes, but for the place where it lies. */
  readonly env: Readonly<Record<string, string>>
  readonly known: Knowledge
}

/**
 * The content of `fixture.json`. Beside it, `sqlite` is a whole `DATA_DIR` with the file in it; `mongodb` is another,
 * and its `dump` contains the documents of the database, a file for each collection and a line for each document.
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

export const folderOf = (release: string): string => join(STORES, release)

/** Returns the stores of earlier releases, the oldest first, and of this one once it is released. */
export const fixtures = (): readonly Fixture[] =>
  readdirSync(STORES)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((release) => join(STORES, release, 'fixture.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))

const LINES = '.jsonl'

/** The documents of a database as they lie there, types and all: a text for each collection. */
export const dumped = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
  const texts = new Map<string, string>()
  for (const name of names) {
    const documents = await db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray()
    const lines = documents.map((document) => BSON.EJSON.stringify(document, { relaxed: false }))
    if (lines.length > 0) texts.set(`${name}${LINES}`, `${lines.join('\n')}\n`)
  }
  return texts
}

/** Puts the documents of a folder into a database that holds nothing. */
export const loaded = async (db: Db, folder: string): Promise<void> => {
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
    const documents: Document[] = lines.map((line) => BSON.EJSON.parse(line, { relaxed: false }))
    await db.collection(file.slice(0, -LINES.length)).insertMany(documents)
  }
}

/** The credentials of a user. */
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

/** A charge as its payer knows it. */
export interface KnownCharge {
  readonly id: number
  readonly txid: string
}

/** A charge of a card; it has no title. */
export interface KnownCard {
  readonly id: number
  readonly code: string
}

/** A payment link as a holder of its address knows it. */
export interface KnownLink {
  readonly id: string
  readonly token: string
}

/** Withdrawals by id, exports by download path, and the other data of outgoing money. */
export interface KnownMoneyOut {
  readonly withdrawals: ByName<number>
  readonly exports: ByName<string>
  /** A recipient that was paid. */
  readonly recipientId: number
  /** The API key of another account, by which it is sent money. */
  readonly receiverKey: string
  /** An unconfirmed look-up: the body of its confirmation without the PIN. */
  readonly awaited?: { readonly internal_id: number; readonly keypix: string; readonly value: number }
}

/** Records by name; a name that an earlier release did not have is absent. */
type ByName<T> = Readonly<Partial<Record<string, T>>>

export interface KnownCode {
  readonly email: string
  readonly code: string
}

/** The second factors of two persons, and a key of the main account. */
export interface KnownSecrets {
  readonly app: { readonly email: string; readonly secret: string }
  readonly passkey: { readonly email: string; readonly id: string; readonly recoveryCode: string }
  readonly key: string
}

/** A charge that was paid in part and shared: its issuer, and the receiver of the share with the id of its key. */
export interface KnownShare {
  readonly issuer: Known
  readonly charge: KnownCharge
  readonly receiver: Known & { readonly keyId: number }
}

/** An agency, as the people of it know it. */
export interface KnownAgency {
  readonly admin: Known
  readonly broker: Known
  /** The ids of its records, by name. */
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
  /** Of the account's own mail server. */
  readonly smtpPassword: string
  readonly logo: { readonly path: string; readonly base64: string }
  readonly charges: Readonly<Record<string, KnownCharge>>
  readonly cards: ByName<KnownCard>
  readonly links: ByName<KnownLink>
  readonly moneyOut: KnownMoneyOut
  readonly agency: KnownAgency
  readonly secrets?: KnownSecrets
  readonly share?: KnownShare
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
