import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface Received {
  readonly source: Buffer
  readonly recipients: readonly string[]
  readonly user: unknown
}

/** Starts a mail server, without encryption unless the options say otherwise, that stores its mails. */
export const startSmtp = async (options: SMTPServerOptions = {}, port = 0) => {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ source: Buffer.concat(chunks), recipients, user: session.user })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: bound } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((done) => server.close(() => done()))
  return { received, close, port: bound, connections: () => connections }
}
