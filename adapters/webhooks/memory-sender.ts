import type { WebhookAnswer, WebhookSender } from '../../core/ports/messaging.ts'

type WebhookRequest = Parameters<WebhookSender['post']>[0]

const accepted = (): WebhookAnswer => ({ status: 200, body: '', retryAfterSeconds: null })

/** Records webhooks in order and answers them by a script, by default with 200; for tests and simulations. */
export const memorySender = (
  answer: (request: WebhookRequest) => WebhookAnswer = accepted,
): WebhookSender & { readonly requests: WebhookRequest[] } => {
  const requests: WebhookRequest[] = []
  return {
    requests,
    post: async (request) => {
      requests.push(request)
      return answer(request)
    },
  }
}
