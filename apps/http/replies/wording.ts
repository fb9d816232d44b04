/** What a caller is told of a failure: a status where it is not its tag's, and a text where it is not its tag's. */
export interface Wording {
  readonly status?: number
  readonly message?: string
}
