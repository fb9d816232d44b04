import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import test from 'ava'
import type { Mounted } from '../../../../apps/http/mount.ts'
import { serve } from '../../../../apps/http/server.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('bytes that go on behind a request, and are none, cost nothing more for each piece of them', async (t) => {
  const answers: ServerResponse[] = []
  const begins = {
    handle(_req, res) {
      answers.push(res)
      res.write('begun')
    },
    connectionOpened: () => {},
  } satisfies Pick<Mounted, 'handle' | 'connectionOpened'>
  const serving = await serve(begins as unknown as Mounted, { host: '127.0.0.1', port: 0 })
  const socket = connect({ host: '127.0.0.1', port: serving.port })
  socket.on('error', () => {}).setNoDelay(true)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const listeners = async () => {
    socket.write('none\r\n\r\n')
    while ((answers[0]?.socket?.bytesRead ?? 0) < socket.bytesWritten) await turn()
    // The server is told of what it has read by the end of this turn.
    await turn()
    return answers[0]?.listenerCount('close')
  }
  while (answers.length === 0) await turn()
  const first = await listeners()
  for (let piece = 0; piece < 20; piece += 1) t.is(await listeners(), first)
  answers[0]?.end('ended')
  const ended = new Promise((resolve) => socket.on('close', resolve).resume())
  await ended
  await serving.stop()
})
