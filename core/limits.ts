/** Every bound of the core has a name here. Source: design, section 5. */

/** Changes in one commit; what is larger is an intent that the worker carries on in slices. */
export const MAX_CHANGES_PER_COMMIT = 1_000
/** Ids that one decision may draw. */
export const MAX_FRESH_IDS = 256
/** Times a use case reads and decides before it answers 503. */
export const MAX_DECISIONS = 5
/** Commits that may wait in a process; further ones are 503. */
export const MAX_WAITING_COMMITS = 1_000
/** Questions of one owner that may wait for a thread that walks; further ones are 503. */
export const MAX_WAITING_WALKS = 100
/** Records of a page. */
export const MAX_PAGE = 500
/** Index rows of a collection: 16 would halve the write rate. */
export const MAX_INDEXES = 8
/** Calls to the bank that one request may have under way. */
export const MAX_BANK_CALLS = 8
/** What a busy caller is told to wait. */
export const RETRY_AFTER_SECONDS = 2
