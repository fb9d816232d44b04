import { connect, createServer, type Socket } from 'node:net'
import type { ExecutionContext } from 'ava'
import { listening } from '../../listening.ts'

/** Returns the URL of a database over a network that can be cut, until the end of the test. */
export const proxied = async (t: ExecutionContext, url: string) => {
  const through = new URL(url)
  const proxy = await proxyTo(Number(through.port))
  t.teardown(() => proxy.close())
  through.port = `${proxy.port}`
  through.search = '?directConnection=true'
  return { proxy, url: through.href }
}

type State = 'open' | 'cut' | 'dropping'

/** Opens the network between a store and its server. */
export const proxyTo = async (target: number) => {
  const sockets = new Set<Socket>()
  let state: State = 'open'
  let wanted: { readonly marks: readonly string[]; readonly found: () => void } | null = null
  let delayed: { readonly socket: Socket; readonly writes: (() => void)[] } | null = null

  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (wanted?.marks.some((mark) => bytes.includes(mark, 'latin1'))) {
        delayed = { socket: from, writes: [] }
        wanted?.found()
        wanted = null
      }
      if (delayed?.socket === from) delayed.writes.push(() => to.write(bytes))
      else if (state === 'open') to.write(bytes)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    pass(near, far)
    pass(far, near)
  })
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const { port, close } = await listening(server)
  return {
    port,
    /** Closes all connections and accepts no more. */
    cut: () => {
      state = 'cut'
      end()
    },
    /** Keeps the connections and drops all data. */
    drop: () => {
      state = 'dropping'
    },
    heal: () => {
      // Connections that have lost data cannot continue.
      if (state === 'dropping') end()
      state = 'open'
    },
    /**
     * Delays the next command of this name, and all later data of its connection. Resolves when the command arrives.
     */
    hold: (command: string) =>
      new Promise<void>((found) => {
        // The first field of a command is its name. Its value is the collection, or 1 without one.
        wanted = { marks: [`\x02${command}\0`, `\x10${command}\0`], found }
      }),
    release: () => {
      const writes = delayed?.writes ?? []
      delayed = null
      for (const write of writes) write()
    },
    close,
  }
}

export type NetworkProxy = Awaited<ReturnType<typeof proxyTo>>
