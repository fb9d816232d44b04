import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { messageOf } from '../../../adapters/messaging/message.ts'
import { outboxMailer, outboxMessenger } from '../../../adapters/messaging/outbox.ts'
import type { Mail, Message } from '../../../core/ports/messaging.ts'
import { folder } from '../../apps/host/disk.ts'

const mail: Mail = { id: 'evt_12|client@example.com', to: 'client@example.com', subject: 'Olá 🎉', text: 'João' }
const FROM = 'Pórtico Pagamentos <no-reply@portico.example>'

const outbox = async (t: ExecutionContext) => {
  const root = await folder(t)
  const directory = join(root, 'data', 'outbox')
  return { root, directory, mailer: outboxMailer({ directory, from: FROM }), messenger: outboxMessenger({ directory }) }
}

const only = async (directory: string) => {
  const [name, ...rest] = await readdir(directory)
  if (name === undefined || rest.length > 0) throw new Error('expected one file')
  return join(directory, name)
}

test('writes a mail as an .eml file that a mail parser reads back and only its owner may read', async (t) => {
  const { directory, mailer } = await outbox(t)
  await mailer.send(mail)
  const path = await only(directory)
  t.regex(path, /\/evt_12-client-example-com-[\da-f]{16}\.eml$/)
  t.is((await stat(path)).mode & 0o777, 0o600)
  const source = await readFile(path)
  t.true(source.every((byte) => byte < 128))
  t.true(source.includes('\r\n') && !/[^\r]\n/.test(source.toString('latin1')))
  const parsed = await PostalMime.parse(source)
  t.deepEqual(parsed.from, { address: 'no-reply@portico.example', name: 'Pórtico Pagamentos' })
  t.deepEqual(parsed.to, [{ address: 'client@example.com', name: '' }])
  t.regex(parsed.messageId ?? '', /^<[\da-f]{64}@portico\.example>$/)
  const idOf = (id: string) => messageOf({ ...mail, id }, FROM).messageId
  t.is(idOf(mail.id), parsed.messageId)
  t.not(idOf('another'), parsed.messageId)
})

test('writes different files for ids that look alike in a file name', async (t) => {
  const { directory, mailer } = await outbox(t)
  const long = 'x'.repeat(300)
  const ids = ['a/b', 'a-b', 'a\\b', 'a:b', 'A-B', 'a-b ', `${long}1`, `${long}2`, 'ação', 'acao', '']
  await Promise.all(ids.map((id) => mailer.send({ id, to: 'a@example.com', subject: id, text: id })))
  t.is((await readdir(directory)).length, ids.length)
})

test('writes no file outside the directory, whatever the id', async (t) => {
  const { root, directory, mailer } = await outbox(t)
  const paths = '../../escaped .. . /etc/portico ..\\..\\escaped a/../../../b %2e%2e%2f C:\\escaped ~/escaped CON'
  const ids = [...paths.split(' '), 'nul\0.eml/../../x', '\n']
  await Promise.all(ids.map((id) => mailer.send({ id, to: 'a@example.com', subject: 's', text: 't' })))
  t.deepEqual(await readdir(root), ['data'])
  t.deepEqual(await readdir(join(root, 'data')), ['outbox'])
  const names = await readdir(directory)
  t.is(names.length, ids.length)
  for (const name of names) t.regex(name, /^[\w-]*-[\da-f]{16}\.eml$/)
})

test('adds no recipient from the address', async (t) => {
  const { directory, mailer } = await outbox(t)
  await mailer.send({ ...mail, to: 'a@example.com, b@example.com\r\nBcc: c@example.com' })
  const { bcc, to } = await PostalMime.parse(await readFile(await only(directory)))
  t.deepEqual([bcc ?? undefined, to?.length], [undefined, 1])
})

test('keeps any subject and text', async (t) => {
  const { directory, mailer } = await outbox(t)
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => `«${text}»`)
  const isKept = fc.asyncProperty(line, line, async (subject, text) => {
    await mailer.send({ id: 'property', to: 'a@example.com', subject, text })
    const parsed = await PostalMime.parse(await readFile(await only(directory)))
    return parsed.subject === subject && parsed.text?.trimEnd() === text
  })
  await t.notThrowsAsync(fc.assert(isKept, { numRuns: 60 }))
})

const message: Message = {
  ...{ id: 'evt_12|whatsapp', channel: 'whatsapp', to: '+55 11 99999-0000' },
  text: 'Olá, João! 🎉\nSua cobrança foi paga.',
}

test('writes a message as a .json file that only its owner may read', async (t) => {
  const { directory, messenger } = await outbox(t)
  await messenger.send(message)
  const path = await only(directory)
  t.regex(path, /\/evt_12-whatsapp-[\da-f]{16}\.json$/)
  t.deepEqual(JSON.parse(await readFile(path, 'utf8')), message)
  t.is((await stat(path)).mode & 0o777, 0o600)
})

test('replaces the file of a mail or message that is sent again, also simultaneously', async (t) => {
  const { directory, mailer, messenger } = await outbox(t)
  for (const text of ['de novo', 'por fim'])
    for (const send of [() => mailer.send({ ...mail, text }), () => messenger.send({ ...message, text })])
      await Promise.all([send(), send()])
  const texts = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')))
  t.deepEqual([texts.length, texts.every((text) => text.includes('por fim'))], [2, true])
})

test('rejects if the directory cannot be created, and leaves no file', async (t) => {
  const { root, mailer, messenger } = await outbox(t)
  await writeFile(join(root, 'data'), 'in the way')
  await t.throwsAsync(messenger.send(message))
  await t.throwsAsync(mailer.send(mail), { code: 'ENOTDIR' })
  t.deepEqual(await readdir(root), ['data'])
})
