import type { ExecutionContext } from 'ava'
import type { PixApi } from '../../../adapters/bank/pix-api/client.ts'
import { pixApiPart } from '../../../adapters/bank/pix-api/mod.ts'
import { portsOf } from '../../../apps/bank/payments-ports.ts'
import { pinoLog } from '../../../apps/http/telemetry.ts'
import { left } from '../../../core/failure.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
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
import type { Knowledge } from './fixtures.ts'
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
  t.like(worked(charge).data, { id: known.charges.left.id, pix: { txid: known.charges.left.txid } })
  const opened = await repeat(tokens.founder, leftOrganization)
  t.is(opened.status, 201, opened.text)
  t.is((await repeat(tokens.founder, leftOrganization)).text, opened.text)

  await works(survivor, [0, 120])
  const late = await repeat(tokens.owner, running)
  t.like(worked(late).data, { id: known.charges.running.id, pix: { txid: known.charges.running.txid } })
  t.is((await repeat(tokens.owner, running)).text, late.text)
  t.is((await api.every(charges)).filter(({ operationId }) => operationId !== null).length, 0)
}

const FEE_POSTED = { status: 'pending', issueFee: { cents: 250, state: 'posted' } } as const
const CHANGED = { status: 'pending', valueCents: 9_900 } as const

/** The final states of charges that were due, or whose bank operation was unanswered. */
const endsOf = ({ charges, cards }: Knowledge): readonly (readonly [{ readonly id: number }, Partial<Charge>])[] => [
  [charges.lapsed, { status: 'expired' }],
  [charges.untold, { status: 'paid' }],
  [charges.untoldCancelled, { status: 'cancelled' }],
  [charges.paidLast, { status: 'paid' }],
  [charges.lost, { status: 'pending' }],
  [charges.timedOut, { status: 'pending' }],
  [charges.boletoTimedOut, FEE_POSTED],
  [charges.boletoLost, FEE_POSTED],
  [charges.boletoHeld, FEE_POSTED],
  [charges.changeTimedOut, { ...CHANGED, boleto: null }],
  [charges.changeLost, { ...CHANGED, pix: null }],
  [charges.changeHeld, { ...CHANGED, pix: null }],
  [charges.deletionTimedOut, { status: 'DELETED' }],
  [charges.deletionLost, { status: 'DELETED' }],
  // The default discount of the account is deducted.
  [cards.untold, { status: 'paid', amountPaidCents: 29_070 }],
  [cards.timedOut, { status: 'paid', amountPaidCents: 29_165 }],
  [cards.lost, { status: 'failed', amountPaidCents: null }],
]

const finishesCharges = async (t: ExecutionContext, { api, known }: Survivor): Promise<void> => {
  const all = new Map((await api.every(charges)).map((charge) => [charge.id, charge]))
  for (const [{ id }, end] of endsOf(known)) t.like(all.get(id), { ...end, operationId: null })
}

const finishesMoneyOut = async (t: ExecutionContext, { api, known }: Survivor): Promise<void> => {
  const state = new Map((await api.every(withdrawals)).map(({ id, status }) => [id, status]))
  // A pay-out that the bank does not know fails: it is not sent again.
  const { withdrawals: all, awaited } = known.moneyOut
  for (const [name, id] of Object.entries({ ...all, awaited: awaited.internal_id }))
    t.is(state.get(id), name === 'lost' ? 'failed' : 'completed', name)
  const payouts: readonly { txid: string }[] = worked(await api.ask('GET', '/fake-bank/payouts'))
  const paid = payouts.map(({ txid }) => txid)
  t.is(new Set(paid).size, paid.length, 'nothing was paid out twice')
  t.deepEqual([...new Set((await api.every(exports)).map((each) => each.state))], ['ready'])
}

const claimsOf = async ({ api }: Survivor, kinds: RegExp): Promise<readonly string[]> =>
  (await api.every(claims)).map(({ id }) => id).filter((id) => kinds.test(id))

/** A payment to a key of another account, and an empty list. */
const BANK_SAYS = {
  endToEndId: 'E0000000020261113120012345678901',
  valor: '10.00',
  horario: '2026-11-13T12:00:00Z',
  chave: 'outra@example.com',
  parametros: { paginacao: { quantidadeDePaginas: 1 } },
  pix: [],
}
const unreachable = () => async () => left(unavailable('store.unavailable'))

/** Runs a process whose bank is reached by the Pix API: it finishes a notification and a sweep that were begun. */
const finishesOtherBank = async ({ host, url }: TestApi): Promise<void> => {
  const { store, clock } = host
  const bank: PixApi = {
    pixKey: 'financeiro@aurora.example',
    request: async () => ({ status: 200, body: BANK_SAYS }),
    close: async () => {},
  }
  const part = pixApiPart(bank, { paid: unreachable, received: unreachable, unreadable: unreachable })
  const ports = await portsOf(host, host.settings.PUBLIC_URL ?? url, pinoLog('payments', 'silent'))
  for (const queue of part.queues?.(ports) ?? [])
    for (const waiting of await queue.due(store, clock.now(), queue.atOnce)) {
      const work = await waiting.claim(store, clock.now())
      await work?.((error) => {
        throw error
      })
    }
  for (const job of part.jobs?.(ports) ?? []) await job.run({ steady: clock.steady(), cursor: null, report: () => {} })
}

/** The worker finishes all work that was left. */
export const finishesWork = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, known, tenantMailer, messenger, signIn } = survivor
  await works(survivor, WORKS)
  await finishesOtherBank(api)
  t.deepEqual(await unfinished(survivor), [])
  await finishesCharges(t, survivor)
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
