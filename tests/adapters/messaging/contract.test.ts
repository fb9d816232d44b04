import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import PostalMime, { type Address } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { memoryMailer } from '../../../adapters/messaging/memory.ts'
import { outboxMailer } from '../../../adapters/messaging/outbox.ts'
import { smtpMailer } from '../../../adapters/messaging/smtp.ts'
import { mailerContract, type ReceivedMail } from '../../contracts/mailer.ts'
import { contractTests } from '../contract-tests.ts'

const FROM = 'Pórtico Pagamentos <no-reply@portico.example>'

const addressesIn = (addresses: readonly Address[] = []) =>
  addresses.map(({ name, address = '' }) => ({ name, address }))

const read = async (source: Buffer): Promise<ReceivedMail> => {
  const {
    messageId = '',
    from,
    to,
    replyTo,
    bcc,
    subject = '',
    text = '',
    html = null,
  } = await PostalMime.parse(source)
  const [sender = { name: '', address: '' }] = addressesIn(from && [from])
  return {
    messageId,
    from: sender,
    to: addressesIn(to),
    replyTo: addressesIn(replyTo),
    bcc: addressesIn(bcc),
    subject,
    text,
    html,
  }
}

const openOutbox = async () => {
  const root = await mkdtemp(join(tmpdir(), 'portico-outbox-'))
  const directory = join(root, 'outbox')
  const filesByAge = async () => {
    const names = await readdir(directory)
    const aged = await Promise.all(
      names.map(async (name) => ({ name, age: (await stat(join(directory, name))).mtimeMs })),
    )
    return aged.sort((a, b) => a.age - b.age).map(({ name }) => join(directory, name))
  }
  return {
    mailer: outboxMailer({ directory, from: FROM }),
    received: async () => Promise.all((await filesByAge()).map(async (path) => read(await readFile(path)))),
    async cutOff() {
      await rm(directory, { recursive: true })
      await writeFile(directory, 'in the way')
    },
    close: () => rm(root, { recursive: true, force: true }),
  }
}

const openSmtp = async () => {
  const sources: Buffer[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        sources.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM })
  const cutOff = () => new Promise<void>((done) => server.close(() => done()))
  return {
    mailer,
    received: () => Promise.all(sources.map(read)),
    cutOff,
    async close() {
      mailer.close()
      await cutOff()
    },
  }
}

/** Returns the stored mails as a receiver would have them. */
const openMemory = async () => {
  const mailer = memoryMailer()
  const ours = { name: 'Pórtico', address: 'no-reply@portico.example' }
  const received = async (): Promise<readonly ReceivedMail[]> =>
    mailer.sent.map(({ id, to, subject, text, html = null, inNameOf }) => ({
      messageId: id,
      from: inNameOf ? { ...ours, name: inNameOf.name } : ours,
      to: [{ name: '', address: to }],
      replyTo: inNameOf?.replyTo ? [{ name: inNameOf.name, address: inNameOf.replyTo }] : [],
      subject,
      text,
      html,
    }))
  return { mailer, received, close: async () => {} }
}

contractTests(test, 'outbox', mailerContract({ open: openOutbox, cutOff: ({ cutOff }) => cutOff() }))
contractTests(test, 'smtp', mailerContract({ open: openSmtp, cutOff: ({ cutOff }) => cutOff() }))
contractTests(test, 'memory', mailerContract({ open: openMemory }))
