import test from 'ava'
import { memoryMailer } from '../../../adapters/memory/memory-services.ts'
import { etaEmailRenderer } from '../../../adapters/messaging/eta-email-renderer.ts'
import { t as codec, orNull, record } from '../../../core/kernel/records/record.ts'
import { MAX_PER_HOST } from '../../../core/kernel/running/concurrency.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import {
  MAIL_LIFE_SECONDS,
  mailFields,
  mailIn,
  renderMail,
  text,
  type UnsentReason,
} from '../../../core/office/mail.ts'
import { deferred, until } from '../kernel/running/tasks.ts'
import { column } from '../payments/world.ts'
import { COMPANY, OTHER_COMPANY, openEstate, START } from './estate.ts'

const queuedMail = record({ ...mailFields, companyId: orNull(codec.string) })
const {
  mails,
  enqueue: queued,
  templateOf,
  queues,
} = mailIn('estate', queuedMail, {
  tenant: 'companyId',
  tenants: 'companies',
})

const SENDER = { name: 'Imobiliária', logoUrl: null }

const openMails = () => {
  const here = openEstate([mails])
  const { ports } = here
  const letter = (
    to: string,
    companyId: string | null,
    more: { readonly id?: string; readonly unsentReason?: UnsentReason } = {},
  ) => queued(ports.cipher, freshOf(ports).fresh, { ...more, to, companyId, subject: 'Visita', blocks: [text('Hoje')] })
  return { ...here, letter }
}

test('uses the collection and queues of the business, and stores a mail sealed', async (t) => {
  const { ports, every, letter, workerOf } = openMails()
  await ports.store.commit([letter('ana@example.com', COMPANY)])
  const [mail] = await every(mails)
  t.like(mail, { companyId: COMPANY, to: 'ana@example.com', expiresAt: addSeconds(START, MAIL_LIFE_SECONDS) })
  t.false(JSON.stringify(mail).includes('Hoje'))
  const mailer = memoryMailer()
  const own = queues(ports, (each) =>
    mailer.send(renderMail(each, templateOf(ports.cipher, each), SENDER, etaEmailRenderer)),
  )
  t.deepEqual(column(own, 'name'), ['estate.mails', 'estate.mails.companies'])
  t.is(await workerOf(ports.store, ...own).drain(), 1)
  t.like(mailer.sent[0], { id: mail?.id, to: 'ana@example.com', subject: 'Visita', text: 'Hoje' })
  t.true(mailer.sent[0]?.html?.includes('Imobiliária'))
  t.like(await every(mails), [{ dueAt: null }])
})

test('retries a mail that was not accepted after growing waits; of two with one id, one is queued', async (t) => {
  const { ports, every, letter, workerOf, clock, reports } = openMails()
  await ports.store.commit([letter('ana@example.com', null, { id: 'visit-1' })])
  t.like(await ports.store.commit([letter('ana@example.com', null, { id: 'visit-1' })]), { ok: false })
  let failures = 2
  const worker = workerOf(
    ports.store,
    ...queues(ports, async () => {
      failures -= 1
      if (failures >= 0) throw new Error('no connection')
    }),
  )
  await worker.drain()
  t.like(await every(mails), [{ attempts: 1, dueAt: addSeconds(START, 30) }])
  clock.advance(30)
  await worker.drain()
  t.like(await every(mails), [{ attempts: 2, dueAt: addSeconds(START, 150) }])
  clock.advance(120)
  await worker.drain()
  t.like(await every(mails), [{ attempts: 3, dueAt: null }])
  t.deepEqual(reports.map(String), Array(2).fill('Error: no connection'))
})

test('gives up a mail after ten attempts in about a day, with growing waits', async (t) => {
  const { ports, every, letter, workerOf, clock } = openMails()
  await ports.store.commit([letter('ana@example.com', null)])
  const worker = workerOf(ports.store, ...queues(ports, () => Promise.reject(new Error('no connection'))))
  const waits: number[] = []
  for (let tries = 0; tries < 12; tries += 1) {
    await worker.drain()
    const [mail] = await every(mails)
    if (!mail?.dueAt) break
    waits.push((Date.parse(mail.dueAt) - Date.parse(clock.now())) / 1_000)
    clock.set(mail.dueAt)
  }
  t.like(await every(mails), [{ attempts: 10, dueAt: null, failedAt: clock.now() }])
  t.deepEqual(waits, [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800])
})

test('stores a mail with an unsent reason without sending it', async (t) => {
  const { ports, every, letter, workerOf } = openMails()
  await ports.store.commit([letter('ana@example.com', COMPANY, { unsentReason: 'day-limit' })])
  const sent: string[] = []
  const worker = workerOf(ports.store, ...queues(ports, async ({ id }) => void sent.push(id)))
  t.is(await worker.drain(), 0)
  t.deepEqual(sent, [])
  t.like(await every(mails), [{ dueAt: null, attempts: 0, unsentReason: 'day-limit' }])
})

test('a mail server that never answers delays neither other tenants nor the platform', async (t) => {
  const { ports, letter, workerOf } = openMails()
  const hanging = deferred()
  const reached: string[] = []
  const worker = workerOf(
    ports.store,
    ...queues(ports, async ({ to }) => {
      reached.push(to)
      if (to === 'tarpit@example.com') await hanging.promise
    }),
  )
  const stuck = Array.from({ length: 100 }, () => letter('tarpit@example.com', COMPANY))
  await ports.store.commit([...stuck, letter('other@example.com', OTHER_COMPANY), letter('code@example.com', null)])
  void worker.run()
  await until(() => reached.includes('other@example.com') && reached.includes('code@example.com'))
  t.is(reached.filter((to) => to === 'tarpit@example.com').length, MAX_PER_HOST)
  hanging.resolve()
  await until(() => reached.length === 102)
  await worker.stop()
})
