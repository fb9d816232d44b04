/** What a receiver answered, or why it could not be asked (`error`, without anything of the answer in it). */
export type WebhookAnswer =
  | { readonly status: number; readonly body: string; readonly retryAfterSeconds: number | null }
  | { readonly error: string }

/**
 * Posts one webhook: 15 s at most, no redirects followed, the first 4 KB of the answer kept, and no private, loopback
 * or link-local address called unless the adapter was told so: the address that was checked is the one that is dialled.
 * Never rejects. Source: decisions.md §3.
 */
export interface WebhookSender {
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }): Promise<WebhookAnswer>
}
