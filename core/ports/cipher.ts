/** Encryption at rest of stored secrets (API keys, webhook secrets, SMTP passwords) under `DATA_KEY`. */
export interface Cipher {
  /** `context` (collection, id and field) is bound to the text: a sealed text moved elsewhere does not open. */
  seal(text: string, context: string): string
  /** Throws where the text was not sealed under this key and context. */
  open(sealed: string, context: string): string
}
