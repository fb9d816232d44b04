/** The answer of a receiver, or the reason why there is none (`error`, without anything of the answer in it). */
export type WebhookAnswer =
  | { readonly status: number; readonly body: string; readonly retryAfterSeconds: number | null }
  | { readonly error: string }

/**
 * Posts one webhook. Waits 15 s for the status of the answer, then 2 s for its body, and returns the first 4 KB of it: a body
 * that never ends takes nothing from the status. Follows no redirects. Calls no private, loopback or link-local address unless
 * the adapter allows it: the address that was checked is the one that is dialled. Never rejects.
 */
export interface WebhookSender {
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }): Promise<WebhookAnswer>
}
