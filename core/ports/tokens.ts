/** Claims of an access token. `acc` is absent from v1 tokens. Times are seconds since the epoch. */
export interface Claims {
  readonly sub: number
  readonly sid: string
  readonly acc?: number
  readonly jti: string
  readonly iat: number
  readonly exp: number
}

/** Signs and checks access tokens: JWT, HS256 only. */
export interface Tokens {
  sign(claims: Claims): string
  /**
   * The claims of a token whose signature and shape are right, else null. Whether it has expired is the caller's
   * to judge, by the clock port: refresh takes tokens that a request may not use.
   */
  read(token: string): Claims | null
}
