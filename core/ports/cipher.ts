/** Encryption at rest of stored secrets (API keys, webhook secrets, SMTP passwords) under `DATA_KEY`, and digests under it. */
export interface Cipher {
  /** `context` (collection, id and field) is bound to the text: a sealed text moved elsewhere does not open. */
  seal(text: string, context: string): string
  /** Throws where the text was not sealed under this key and context. */
  open(sealed: string, context: string): string
  /**
   * By which a text is known again: equal for equal texts of one context. Whoever has not the key cannot try what it may be
   * of, however few there are (a code, a PIN in a request).
   */
  mark(text: string, context: string): string
}
