import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A local HTTP server that counts connections and records requests. */
export const receiver = async (t: ExecutionContext, handle: Handler = (_request, response) => response.end('ok')) => {
  const seen: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') })
      handle(request, response)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { seen, port, url: `http://127.0.0.1:${port}/hook`, connections: () => connections, server }
}
