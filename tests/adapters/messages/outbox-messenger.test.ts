import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { outboxMessenger } from '../../../adapters/messaging/outbox.ts'
import type { Message } from '../../../core/ports/messaging.ts'

const message: Message = {
  id: 'evt_12|whatsapp',
  channel: 'whatsapp',
  to: '+55 11 99999-0000',
  text: 'Olá, João! 🎉\nSua cobrança foi paga.',
}

const outbox = async (t: ExecutionContext) => {
  const root = await mkdtemp(join(tmpdir(), 'portico-messages-'))
  t.teardown(() => rm(root, { recursive: true, force: true }))
  const directory = join(root, 'data', 'outbox')
  return { root, directory, messenger: outboxMessenger({ directory }) }
}

test('a message becomes a .json file that says whom it is for, and that its owner alone reads', async (t) => {
  const { directory, messenger } = await outbox(t)
  await messenger.send(message)
  const [name = '', ...rest] = await readdir(directory)
  t.deepEqual(rest, [])
  t.regex(name, /^evt_12-whatsapp-[\da-f]{16}\.json$/)
  t.deepEqual(JSON.parse(await readFile(join(directory, name), 'utf8')), message)
  t.is((await stat(join(directory, name))).mode & 0o777, 0o600)
})

test('the same message again replaces its file, also two at once; another id has its own', async (t) => {
  const { directory, messenger } = await outbox(t)
  await Promise.all([messenger.send(message), messenger.send({ ...message, text: 'de novo' })])
  await messenger.send({ ...message, text: 'por fim' })
  await messenger.send({ ...message, id: 'evt_12|sms' })
  const names = await readdir(directory)
  t.is(names.length, 2)
  const own = names.find((name) => name.includes('whatsapp')) ?? ''
  t.is(JSON.parse(await readFile(join(directory, own), 'utf8')).text, 'por fim')
})

test('it rejects where the directory cannot be made, and leaves nothing', async (t) => {
  const { root, messenger } = await outbox(t)
  await writeFile(join(root, 'data'), 'in the way')
  await t.throwsAsync(messenger.send(message))
  t.deepEqual(await readdir(root), ['data'])
})
