/** How a bank's API Pix is reached, and whose money comes in there. */
export interface PixApiSettings {
  /** Where its paths begin, with its version, without a slash at the end: `https://pix.example.com/api/v2`. */
  readonly url: string
  /** Where tokens are had: OAuth2, client credentials. */
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The client's own certificate, and its key, as PEM. */
  readonly cert: string
  readonly key: string
  /** Who vouches for the server, as PEM; those that the runtime trusts without it. */
  readonly ca?: string | null
  /** The account's Pix key, as the DICT has it. */
  readonly pixKey: string
  /** For one exchange, from its connection to its last byte; 8,000 by default. Several make one call of the bank. */
  readonly timeoutMs?: number
}
