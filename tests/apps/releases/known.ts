/** Somebody who signs in. */
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

/** A charge as whoever pays it knows it. */
export interface KnownCharge {
  readonly id: number
  readonly txid: string
}

export interface KnownCode {
  readonly email: string
  readonly code: string
}

/** What people knew of a store when it was kept: what they signed in with, what they were mailed, what they had asked for. */
export interface Knowledge {
  /** The ADMIN of the account in which most of it happened, and of whom is what follows. */
  readonly owner: Known & { readonly accountId: number; readonly pin: string; readonly token: string }
  /** Somebody with organizations in several statuses. */
  readonly founder: Known
  /** Somebody who was given a password when they registered at once, while the bank was away. */
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
  readonly verification: KnownCode
  readonly recovery: KnownCode
  readonly link: { readonly email: string; readonly token: string }
  /** Whose e-mail or telephone nothing reached. */
  readonly unreached: { readonly email: string; readonly phone: string }
  readonly keys: {
    /** Answered: with what it was answered. */
    readonly done: Keyed & { readonly text: string }
    /** Begun and left by a process that died, long enough ago for a repeat to take it up. */
    readonly leftCharge: Keyed
    /** The same, of the founder. */
    readonly leftOrganization: Keyed
    /** Begun a moment ago. */
    readonly running: Keyed
  }
  /** What was answered to whom, by path, as it came. */
  readonly shown: {
    readonly owner: Readonly<Record<string, string>>
    readonly founder: Readonly<Record<string, string>>
  }
}
