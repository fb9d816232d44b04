import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './mongod.ts'

/** A stretch of network between a store and its server, that can be taken away. */
export interface Stretch {
  readonly port: number
  /** Ends every connection and takes no more. */
  cut(): void
  /** Keeps the connections and lets nothing through, as a network that swallows everything does. */
  swallow(): void
  /** Lets everything through again. */
  heal(): void
  /** Keeps back the next command of this name, and what comes after it on its connection; answers once there is one. */
  hold(command: string): Promise<void>
  /** Lets through what was kept back. */
  letGo(): void
  close(): Promise<void>
}

type State = 'open' | 'cut' | 'swallowing'

export const proxyTo = async (target: number): Promise<Stretch> => {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let state: State = 'open'
  let held: { readonly marks: readonly string[]; readonly found: () => void } | null = null
  let kept: { readonly socket: Socket; readonly writes: (() => void)[] } | null = null

  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (held?.marks.some((mark) => bytes.includes(mark, 'latin1'))) {
        kept = { socket: from, writes: [] }
        held?.found()
        held = null
      }
      if (kept?.socket === from) kept.writes.push(() => to.write(bytes))
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
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    cut: () => {
      state = 'cut'
      end()
    },
    swallow: () => {
      state = 'swallowing'
    },
    heal: () => {
      // What was swallowed is lost, so no connection that it was lost from can go on.
      if (state === 'swallowing') end()
      state = 'open'
    },
    hold: (command) =>
      new Promise((found) => {
        // The name of a command is the first field of its document, and its collection the value: a text, or 1 where it has none.
        held = { marks: [`\x02${command}\0`, `\x10${command}\0`], found }
      }),
    letGo: () => {
      const writes = kept?.writes ?? []
      kept = null
      for (const write of writes) write()
    },
    close: async () => {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
