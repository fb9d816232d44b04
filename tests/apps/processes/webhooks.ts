import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Webhook {
  readonly webhookId: string
  readonly type: string
  readonly chargeId: number
}

/** A merchant's server for webhooks. */
export interface Receiver {
  readonly url: string
  /** The webhooks that it answered with 204. */
  readonly received: Webhook[]
  /** Returns the highest number of simultaneous calls. */
  mostAtOnce(): number
  /** Delays the answers until so many calls wait for one. */
  holdUntil(calls: number): void
  close(): void
}

export const receiver = async (): Promise<Receiver> => {
  const received: Webhook[] = []
  let held: { readonly response: ServerResponse; readonly webhook: Webhook }[] = []
  let awaited = 0
  let most = 0
  const answerAll = (): void => {
    for (const { response, webhook } of held) {
      received.push(webhook)
      response.writeHead(204).end()
    }
    held = []
  }
  const server = createServer(async (request, response) => {
    const { type, data } = JSON.parse(await text(request))
    const webhookId = String(request.headers['webhook-id'])
    held.push({ response, webhook: { webhookId, type, chargeId: data.id } })
    most = Math.max(most, held.length)
    if (held.length < awaited) return
    awaited = 0
    answerAll()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    mostAtOnce: () => most,
    holdUntil: (calls) => {
      awaited = calls
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
