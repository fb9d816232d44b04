import { Agent, type ClientRequest, request } from 'node:http'
import type { ExecutionContext } from 'ava'

/** Many log-ins at once, each on its own connection, and their statuses so far. */
export const loginRush = (t: Pick<ExecutionContext, 'teardown'>, url: string, path: string) => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  t.teardown(() => agent.destroy())
  const statuses: number[] = []
  const requests: ClientRequest[] = []
  const { hostname, port } = new URL(url)
  return {
    statuses,
    /** Counts the answers with a status. */
    count: (status: number): number => statuses.filter((each) => each === status).length,
    /** Sends a log-in with a forwarded address. */
    ask(from: string, body: { readonly email: string; readonly password: string }): void {
      const text = JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(text)}`,
        'x-forwarded-for': from,
      }
      const sent = request({ hostname, port, agent, method: 'POST', path, headers }, (answer) => {
        statuses.push(answer.statusCode ?? 0)
        answer.resume()
      })
      sent.on('error', () => {})
      sent.end(text)
      requests.push(sent)
    },
    hangUp(): void {
      for (const each of requests.splice(0)) each.destroy()
    },
  }
}

/** Waits for one turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
