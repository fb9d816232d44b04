import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ExecutionContext } from 'ava'
import { listening } from '../../listening.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

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
  const { port, close } = await listening(server)
  t.teardown(close)
  return { seen, port, url: `http://127.0.0.1:${port}/hook`, connections: () => connections, server }
}
