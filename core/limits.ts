/** Every bound of the core has a name here. Source: design, section 5. */

/** Changes in one commit; what is larger is an intent that the worker carries on in slices. */
export const MAX_CHANGES_PER_COMMIT = 1_000
/** Of these, the ones that keep the caller's idempotency key. */
export const KEY_CHANGES = 2
/** Ids that one decision may draw. */
export const MAX_FRESH_IDS = 256
/** Times a use case reads and decides before it answers 503. */
export const MAX_DECISIONS = 5
/** Commits that may wait in a process; further ones are 503. */
export const MAX_WAITING_COMMITS = 1_000
/** Questions of one owner that may wait for a thread that walks; further ones are 503. */
export const MAX_WAITING_WALKS = 100
/** Secrets that wait in a process to be hashed. Further ones are 503, first those of the address with the most. */
export const MAX_WAITING_HASHES = 256
/** Records of a page. */
export const MAX_PAGE = 500
/** Index rows of a collection: 16 would halve the write rate. */
export const MAX_INDEXES = 8
/** Calls to the bank that one request may have under way. */
export const MAX_BANK_CALLS = 8
/** The wait that a caller is asked for when the server is busy. */
export const RETRY_AFTER_SECONDS = 2
/** Withdrawals of one account that the bank has not answered; further ones are 503. */
export const MAX_WAITING_WITHDRAWALS = 50
/** Charges that strangers make by one payment link. */
export const LINK_CHARGES = {
  /** Open ones of one payer. */
  openOfPayer: 5,
  /** Unpaid ones of one address an hour, unless a setting says otherwise. */
  perHour: 60,
  /** Unpaid ones a day, unless a setting says otherwise. */
  perDay: 1_000,
  /** The places that each one paid on a day adds to that day. */
  perPaid: 10,
} as const
/** Declined tries an hour, in one account: of one payer, of one card, and by links of one address. */
export const DECLINED_TRIES = { document: 5, card: 5, address: 10 } as const
/** Look-ups of Pix keys an hour that no withdrawal follows, of an account with a CNPJ and of one with a CPF. */
export const KEY_LOOKUPS_PER_HOUR = { cnpj: 1_000, cpf: 100 } as const
/** Lines of a file that is imported. */
export const MAX_IMPORT_LINES = 10_000
/** Those of one that is imported whole or not at all. */
export const MAX_ATOMIC_LINES = 500
