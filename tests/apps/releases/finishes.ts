import type { ExecutionContext } from 'ava'
import type { Rec } from '../../../core/kernel/records/collection.ts'
import { idempotencyKeys } from '../../../core/office/keys/key-record.ts'
import { reminders } from '../../../core/payments/accounts/settings/reminders.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { claims } from '../../../core/payments/claim.ts'
import { jobs } from '../../../core/payments/office/jobs.ts'
import { openings } from '../../../core/payments/registrations/opening/opening.ts'
import { registrations } from '../../../core/payments/registrations/registration.ts'
import { worked } from '../payments/test-api.ts'
import type { Survivor } from './survivor.ts'

/** Seconds from one work of the worker to the next: past every lease, and every wait, that had begun. */
const WORKS = [0, 60, 300, 3_600]
const NEXT_MORNING = '2026-11-23T10:00:00.000Z'
const DAY_SECONDS = 86_400

/** The worker works after each of these waits. */
const works = async ({ api }: Survivor, seconds: readonly number[]): Promise<void> => {
  for (const each of seconds) {
    api.clock.advance(each)
    await api.drain()
  }
}

/** Requests that were begun under a key end by their repeats; one that somebody may still be at has to wait. */
export const finishesRequests = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, known, signIn, repeat } = survivor
  const { leftCharge, leftOrganization, running } = known.keys
  const tokens = { owner: await signIn(known.owner), founder: await signIn(known.founder) }
  const early = await repeat(tokens.owner, running)
  t.is(early.status, 409, early.text)
  const charge = await repeat(tokens.owner, leftCharge)
  t.like(worked(charge).data, { id: known.charges.left?.id, pix: { txid: known.charges.left?.txid } })
  const opened = await repeat(tokens.founder, leftOrganization)
  t.is(opened.status, 201, opened.text)
  t.is((await repeat(tokens.founder, leftOrganization)).text, opened.text)

  await works(survivor, [0, 120])
  const late = await repeat(tokens.owner, running)
  t.like(worked(late).data, { id: known.charges.running?.id, pix: { txid: known.charges.running?.txid } })
  t.is((await repeat(tokens.owner, running)).text, late.text)
  t.is((await api.every(charges)).filter(({ operationId }) => operationId !== null).length, 0)
}

const claimsOf = async ({ api }: Survivor, kinds: RegExp): Promise<readonly string[]> =>
  (await api.every(claims)).map(({ id }) => id).filter((id) => kinds.test(id))

/** The worker ends what was begun, whoever was at it. */
export const finishesWork = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, known, tenantMailer, messenger, signIn } = survivor
  await works(survivor, WORKS)
  t.deepEqual(await unfinished(survivor), [])
  const state = new Map((await api.every(charges)).map(({ id, status }) => [id, status]))
  const { lapsed, untold, untoldCancelled, paidLast, lost, timedOut } = known.charges
  t.deepEqual(
    [lapsed, untold, untoldCancelled, paidLast, lost, timedOut].map((each) => state.get(each?.id ?? 0)),
    ['expired', 'paid', 'cancelled', 'paid', 'pending', 'pending'],
  )
  t.deepEqual(await claimsOf(survivor, /^(code|txid):/), [])
  t.not((await claimsOf(survivor, /^(email|document|pix-in):/)).length, 0)
  t.truthy(await signIn(known.newcomer))
  t.true(api.mailer.sent.some(({ to }) => to === known.founder.email))
  const own = tenantMailer.sent.find(({ mail }) => mail.to === known.unreached.email)
  t.is(own?.server.password, known.smtpPassword)
  t.true(messenger.sent.some(({ to }) => to === known.unreached.phone))

  api.clock.set(NEXT_MORNING)
  await works(survivor, [0, 1])
  t.true(
    tenantMailer.sent.some(({ mail }) => mail.id.includes('before_due')),
    'payers are reminded',
  )
  const kept = (await api.every(idempotencyKeys)).length
  await works(survivor, [DAY_SECONDS, 60])
  t.true((await api.every(idempotencyKeys)).length < kept, 'what ran out is swept')
}

type Waits = (record: Rec) => boolean

/** What is due some day though nothing of it has begun, and there is nothing to be done about it yet. */
const OTHERWISE: Readonly<Record<string, Waits>> = {
  [jobs.name]: ({ attempts }) => attempts !== 0,
  [openings.name]: () => true,
  [registrations.name]: ({ state }) => state === 'UNDER_REVIEW',
  [reminders.name]: () => false,
}

/** The names of all records that somebody has begun, or is to do something about. */
const unfinished = async ({ api }: Survivor): Promise<readonly string[]> =>
  Object.entries(await api.everything()).flatMap(([name, records]) => {
    const waits = OTHERWISE[name] ?? (({ dueAt = null }) => dueAt !== null)
    return records.filter(waits).map(({ id }) => `${name}/${id}`)
  })
