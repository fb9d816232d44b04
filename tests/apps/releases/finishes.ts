import type { ExecutionContext } from 'ava'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { reminders } from '../../../core/payments/accounts/reminders.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { type Charge, charges } from '../../../core/payments/charges/charge.ts'
import { claims } from '../../../core/payments/claim.ts'
import { exports } from '../../../core/payments/exports/export.ts'
import { jobs } from '../../../core/payments/office.ts'
import { openings } from '../../../core/payments/registrations/opening.ts'
import { registrations } from '../../../core/payments/registrations/registration.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import { jobs as agencyJobs } from '../../../core/real-estate/office.ts'
import { type TestApi, worked } from '../payments/test-api.ts'
import { anotherBankAgain } from './story/other-processes.ts'
import type { Survivor } from './survivor.ts'

/** Seconds between runs of the worker: past every lease and delay, and past the last look-up of a lost order. */
export const WORKS = [0, 60, 300, 3_600, 10_800]
const NEXT_MORNING = '2026-11-23T10:00:00.000Z'
const DAY_SECONDS = 86_400

type Working = Pick<TestApi, 'clock' | 'drain' | 'everything'>

/** Runs the worker after each of these waits. */
export const works = async ({ api }: { readonly api: Working }, seconds: readonly number[]): Promise<void> => {
  for (const each of seconds) {
    api.clock.advance(each)
    await api.drain()
  }
}

/** Repeats complete the requests begun under a key; one whose lease is running gets 409. */
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

/** The final state of the charges whose bank operation was unanswered. */
const CHARGES_END: Readonly<Record<string, Partial<Charge>>> = {
  boletoTimedOut: { status: 'pending', issueFee: { cents: 250, state: 'posted' } },
  boletoLost: { status: 'pending', issueFee: { cents: 250, state: 'posted' } },
  boletoHeld: { status: 'pending', issueFee: { cents: 250, state: 'posted' } },
  changeTimedOut: { status: 'pending', valueCents: 9_900, boleto: null },
  changeLost: { status: 'pending', valueCents: 9_900, pix: null },
  changeHeld: { status: 'pending', valueCents: 9_900, pix: null },
  deletionTimedOut: { status: 'DELETED' },
  deletionLost: { status: 'DELETED' },
}
/** The final state of card charges: the default discount of the account is deducted. */
const CARDS_END: Readonly<Record<string, Partial<Charge>>> = {
  untold: { status: 'paid', amountPaidCents: 29_070 },
  timedOut: { status: 'paid', amountPaidCents: 29_165 },
  lost: { status: 'failed', amountPaidCents: null },
}

const finishesCharges = (t: ExecutionContext, { known }: Survivor, all: readonly Charge[]): void => {
  const ends = [
    [known.charges, CHARGES_END],
    [known.cards, CARDS_END],
  ] as const
  for (const [of, end] of ends)
    for (const [name, expected] of Object.entries(end)) {
      const id = of[name]?.id
      if (id !== undefined)
        t.like(
          all.find((charge) => charge.id === id),
          { ...expected, operationId: null },
          name,
        )
    }
}

const finishesMoneyOut = async (t: ExecutionContext, { api, known }: Survivor): Promise<void> => {
  const state = new Map((await api.every(withdrawals)).map(({ id, status }) => [id, status]))
  // A pay-out that the bank does not know fails: it is not sent again.
  const { withdrawals: all, awaited } = known.moneyOut
  for (const [name, id = 0] of Object.entries({ ...all, awaited: awaited?.internal_id }))
    t.is(state.get(id), name === 'lost' ? 'failed' : 'completed', name)
  const payouts: readonly { txid: string }[] = worked(await api.ask('GET', '/fake-bank/payouts'))
  const paid = payouts.map(({ txid }) => txid)
  t.is(new Set(paid).size, paid.length, 'nothing was paid out twice')
  t.deepEqual([...new Set((await api.every(exports)).map((each) => each.state))], ['ready'])
}

const claimsOf = async ({ api }: Survivor, kinds: RegExp): Promise<readonly string[]> =>
  (await api.every(claims)).map(({ id }) => id).filter((id) => kinds.test(id))

/** The worker finishes all work that was left. */
export const finishesWork = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, known, tenantMailer, messenger, signIn } = survivor
  await works(survivor, WORKS)
  await anotherBankAgain(api)
  t.deepEqual(await unfinished(survivor), [])
  const state = new Map((await api.every(charges)).map(({ id, status }) => [id, status]))
  const { lapsed, untold, untoldCancelled, paidLast, lost, timedOut } = known.charges
  t.deepEqual(
    [lapsed, untold, untoldCancelled, paidLast, lost, timedOut].map((each) => state.get(each?.id ?? 0)),
    ['expired', 'paid', 'cancelled', 'paid', 'pending', 'pending'],
  )
  finishesCharges(t, survivor, await api.every(charges))
  await finishesMoneyOut(t, survivor)
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

/** Reports for each collection whose `dueAt` does not decide whether a record is unfinished. */
const OTHERWISE: Readonly<Record<string, Waits>> = {
  // A lost order is looked up for hours.
  [bankOperations.name]: ({ state }) => state === 'asking',
  [exports.name]: ({ state }) => state === 'waiting',
  [jobs.name]: ({ attempts }) => attempts !== 0,
  [agencyJobs.name]: ({ attempts }) => attempts !== 0,
  [openings.name]: () => true,
  [registrations.name]: ({ state }) => state === 'UNDER_REVIEW',
  [reminders.name]: () => false,
}

/** Returns the names of all unfinished records. */
export const unfinished = async ({ api }: { readonly api: Working }): Promise<readonly string[]> =>
  Object.entries(await api.everything()).flatMap(([name, records]) => {
    const waits = OTHERWISE[name] ?? (({ dueAt = null }) => dueAt !== null)
    return records.filter(waits).map(({ id }) => `${name}/${id}`)
  })
