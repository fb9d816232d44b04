import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import PostalMime, { type Address } from 'postal-mime'
import { memoryMailer } from '../../../adapters/memory/memory-services.ts'
import { outboxMailer } from '../../../adapters/messaging/outbox.ts'
import { smtpMailer } from '../../../adapters/messaging/smtp.ts'
import { mailerContract, type ReceivedMail } from '../../contracts/mailer.ts'
import { contractTests } from '../contract-tests.ts'
import { startSmtp } from './smtp-server.ts'

const FROM = 'Pórtico Pagamentos <no-reply@portico.example>'

const addressesIn = (addresses: readonly Address[] = []) =>
  addresses.map(({ name, address = '' }) => ({ name, address }))

const read = async (source: Buffer): Promise<ReceivedMail> => {
  const mail = await PostalMime.parse(source)
  const { messageId = '', subject = '', text = '', html = null } = mail
  const [from = { name: '', address: '' }] = addressesIn(mail.from && [mail.from])
  const parties = { to: addressesIn(mail.to), replyTo: addressesIn(mail.replyTo), bcc: addressesIn(mail.bcc) }
  return { messageId, from, ...parties, subject, text, html }
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
  const { received, port, close } = await startSmtp()
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM })
  return {
    mailer,
    received: () => Promise.all(received.map(({ source }) => read(source))),
    cutOff: close,
    async close() {
      mailer.close()
      await close()
    },
  }
}

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
