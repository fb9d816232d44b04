import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { serve } from '../../../../apps/http/server.ts'
import { callFrom } from '../slow-sender.ts'
import { ADMIN, toyApi } from '../toy-api.ts'

const [FLOOD, OTHER] = ['127.0.0.1', '127.0.0.2']

const open = async (t: ExecutionContext, maxSockets: number) => {
  const toy = toyApi()
  const serving = await serve(toy.mounted, { host: '127.0.0.1', port: 0, maxSockets, timeouts: { lingerMs: 0 } })
  t.teardown(() => serving.stop())
  const dial = async (from: string, sent: string): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port: serving.port, localAddress: from })
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'connect')
    socket.write(sent)
    return socket
  }
  return { ...toy, serving, dial }
}

const HALF = 'GET / HTTP/1.1\r\nHo'
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const turn = () => new Promise((resolve) => setImmediate(resolve))
const closed = (sockets: readonly Socket[]) => sockets.filter((socket) => socket.destroyed).length

test('headers that are sent slowly, from however many sockets, keep nobody else from asking', async (t) => {
  const { dial, serving } = await open(t, 20)
  const few = await dial(OTHER, HALF)
  const many: Socket[] = []
  for (let number = 0; number < 60; number += 1) many.push(await dial(FLOOD, HALF))
  const asks = { from: OTHER, path: '/notes', headers: { authorization: ADMIN } }
  const answers = await Promise.all([
    callFrom(serving.port, asks),
    callFrom(serving.port, { ...asks, path: '/health' }),
  ])
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  while (closed(many) < 43) await turn()
  t.is(closed(many), 43)
  t.is(closed(many.slice(0, 43)), 43, 'those who waited longest')
  t.false(few.destroyed)
})

test('a socket on which somebody is being answered stays, and one that is idle makes room', async (t) => {
  const { core, bank, dial, serving } = await open(t, 2)
  await core.add('ana', { title: 'a', cents: 1 })()
  let finish = (): void => {}
  const asked = new Promise<void>((resolve) => {
    bank.answer = () => {
      resolve()
      return new Promise((answer) => {
        finish = () => answer('paid')
      })
    }
  })
  const paying = callFrom(serving.port, {
    from: FLOOD,
    method: 'POST',
    path: '/notes/1/pay',
    headers: { authorization: ADMIN },
  })
  await asked
  const idle = await dial(FLOOD, WHOLE)
  await once(idle, 'data')
  const gone = once(idle, 'close')
  await once(await dial(FLOOD, WHOLE), 'data')
  await gone
  finish()
  t.is((await paying).status, 200)
})
