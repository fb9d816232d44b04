import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

export interface Webhook {
  readonly id: string
  readonly timestamp: number
  readonly signature: string
  readonly body: string
}

/** The merchant's own server, which the platform tells of what happens. */
export const receiver = async () => {
  const received: Webhook[] = []
  let wake = () => {}
  const server = createServer(async (request: IncomingMessage, response) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
    received.push({
      id: String(id),
      timestamp: Number(timestamp),
      signature: String(signature),
      body: await textOf(request),
    })
    response.writeHead(204).end()
    wake()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ofType = (type: string) => received.find(({ body }) => JSON.parse(body).type === type)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async heard(type: string): Promise<Webhook> {
      for (;;) {
        const webhook = ofType(type)
        if (webhook) return webhook
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
