import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** Has a server listen on a free port of this machine. `close` ends it and its connections. */
export const listening = async (server: Server): Promise<{ readonly port: number; close(): Promise<void> }> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port, close }
}

/** Finds a free port. */
export const freePort = async (): Promise<number> => {
  const { port, close } = await listening(createServer())
  await close()
  return port
}
