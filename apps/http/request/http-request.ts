/** What a row is told of the request, whoever asks. */
export interface HttpRequest {
  readonly id: string
  readonly address: string
  /** Aborted once the caller has hung up. */
  readonly signal: { readonly aborted: boolean }
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** As it came: what a row may ask of it is its `input.query`. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  header(name: string): string | null
}
