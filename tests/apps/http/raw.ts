import { connect } from 'node:net'

/** Sends bytes and returns all that the server sent before it closed the connection. */
export const raw = (port: number, sent: string | Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(sent))
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => {
      got += piece
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(got))
  })
