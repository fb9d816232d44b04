import type { Socket } from 'node:net'
import { waiters } from '../../../adapters/turns/waiters.ts'
import { networkOf } from '../../../core/kernel/values/network.ts'

/** Sockets that a server keeps open at once: five for each request that it has in hand. */
export const MAX_SOCKETS = 10_000

/**
 * The sockets of a server that wait for a request, or for the rest of its headers, by where they come from. Where too many
 * sockets are open, the longest waiter of whoever has most is closed for the next one: nothing is lost with it, since nothing
 * was asked on it yet. Source: decisions.md §12, Fair shares.
 */
export const waitingSockets = (most: number) => {
  const waiting = waiters<Socket>()
  const networks = new Map<Socket, string>()
  const waits = (socket: Socket): void => {
    const whose = networks.get(socket)
    if (whose !== undefined) waiting.add(whose, socket)
  }
  const close = (socket: Socket | undefined): void => {
    if (!socket) return
    networks.delete(socket)
    socket.destroy()
  }
  const asks = (socket: Socket): void => waiting.remove(networks.get(socket) ?? '', socket)
  return {
    opened(socket: Socket): void {
      const whose = networkOf(socket.remoteAddress ?? '')
      if (networks.size >= most) close(waiting.giveWay(whose))
      networks.set(socket, whose)
      waits(socket)
      socket.once('close', () => {
        asks(socket)
        networks.delete(socket)
      })
    },
    /** A request has come on it. */
    asks,
    /** It was answered: the next one is waited for. */
    waits,
  }
}
