// The limits of the core.

/** Changes in one commit. Larger work is stored as an intent, which the worker executes in slices. */
export const MAX_CHANGES_PER_COMMIT = 1_000
/** Changes of a commit that store the caller's idempotency key. */
export const KEY_CHANGES = 2
/** Ids that one decision may take. */
export const MAX_FRESH_IDS = 256
/** Rounds of read and decide in a use case; then it fails as busy (503). */
export const MAX_DECISIONS = 5
/** Commits queued in a process; further ones get 503. */
export const MAX_WAITING_COMMITS = 1_000
/** Scans of one owner queued for a reader thread; further ones get 503. */
export const MAX_WAITING_WALKS = 100
/** Secrets queued for hashing in a process. Above it, the address with the most queued secrets gets 503. */
export const MAX_WAITING_HASHES = 256
/** Records of a page. */
export const MAX_PAGE = 500
/** Indexes of a collection. 16 would halve the write rate. */
export const MAX_INDEXES = 8
/** Concurrent calls of one request to the bank. */
export const MAX_BANK_CALLS = 8
/** `Retry-After` of a busy server. */
export const RETRY_AFTER_SECONDS = 2
/** Withdrawals of one account without an answer of the bank; further ones get 503. */
export const MAX_WAITING_WITHDRAWALS = 50
/** Limits of charges that payers create by one payment link. */
export const LINK_CHARGES = {
  /** Open charges of one payer. */
  openOfPayer: 5,
  /** Unpaid charges of one address an hour: the default of a setting. */
  perHour: 60,
  /** Unpaid charges a day: the default of a setting. */
  perDay: 1_000,
  /** Further charges of a day for each charge paid on it. */
  perPaid: 10,
} as const
/** Declined card payments of an account in an hour: by payer, by card, and by address of payers of links. */
export const DECLINED_TRIES = { document: 5, card: 5, address: 10 } as const
/** Look-ups of Pix keys in an hour that no withdrawal follows: of an account with a CNPJ, and with a CPF. */
export const KEY_LOOKUPS_PER_HOUR = { cnpj: 1_000, cpf: 100 } as const
/** Lines of an imported file. */
export const MAX_IMPORT_LINES = 10_000
/** Lines of a file that is imported in one commit. */
export const MAX_ATOMIC_LINES = 500
