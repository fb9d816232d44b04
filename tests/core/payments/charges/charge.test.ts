import test from 'ava'
import { type ChargeStatus, charges } from '../../../../core/payments/charges/charge.ts'
import { byId } from '../../../../core/ports/store.ts'
import { type TwoEmptyAccounts, twoEmptyAccounts } from '../money-out/two-accounts.ts'
import { inShort, PAYER, right } from '../world.ts'

const CENTS = 5_000
const DAY_SECONDS = 86_400

interface Context extends TwoEmptyAccounts {
  readonly id: number
  readonly txid: string
}

type Step = (context: Context) => Promise<unknown>

const remove: Step = ({ pay, from, id }) => pay.charges.delete(from.member, id)()

/** The steps that step a charge of 50.00, due today, into each state. */
const STATES = {
  pending: async () => {},
  // The job has not moved it yet.
  overdue: async ({ clock }) => clock.advance(2 * DAY_SECONDS),
  expired: async ({ clock, drain }) => {
    clock.advance(2 * DAY_SECONDS)
    await drain()
  },
  paid: async (context) => right(await context.bank.pay({ txid: context.txid })()),
  cancelled: async (context) => right(await context.bank.cancel(context.txid)()),
  // The bank has not answered the request to close the title.
  busy: async (context) => {
    right(await context.bank.fail({ id: 'cancel_title', mode: 'timeout_lost', times: 1 })())
    await remove(context)
  },
  deleted: remove,
} as const satisfies Record<string, Step>
type State = keyof typeof STATES | 'failed'

const inState = async (state: State): Promise<Context> => {
  const business = await twoEmptyAccounts()
  const { pay, from, clock, store } = business
  const dueDate = clock.now().slice(0, 10)
  if (state === 'failed') right(await business.bank.fail({ id: 'create_pix', mode: 'refuse', times: 1 })())
  await pay.charges.issue(from.member, { valueCents: CENTS, paymentMethod: 'PIX', dueDate, payer: PAYER })()
  const charge = await store.find(byId(charges, 1))
  if (!charge) throw new Error('there is no charge')
  const context = { ...business, id: charge.id, txid: charge.txid ?? '' }
  if (state !== 'failed') await STATES[state](context)
  return context
}

const COMMANDS = {
  'change what it says': ({ pay, from, id }: Context) =>
    pay.charges.update(from.member, id, { description: 'Outra' })(),
  'change its value': ({ pay, from, id }: Context) => pay.charges.update(from.member, id, { valueCents: CENTS + 1 })(),
  'delete it': ({ pay, from, id }: Context) => pay.charges.delete(from.member, id)(),
  'simulate its payment': ({ pay, from, id }: Context) => pay.charges.simulatePayment(from.member, `${id}`)(),
  'give a real of it back': ({ pay, from, id }: Context) => pay.charges.refund(from.member, id, { valueCents: 100 })(),
  'change it for another account': ({ pay, to, id }: Context) =>
    pay.charges.update(to.member, id, { description: 'Outra' })(),
  'delete it for another account': ({ pay, to, id }: Context) => pay.charges.delete(to.member, id)(),
  'give a real of it back for another account': ({ pay, to, id }: Context) =>
    pay.charges.refund(to.member, id, { valueCents: 100 })(),
} as const

/**
 * The answer and, if the command had an effect, the status and the available balance after it; otherwise nothing is
 * written.
 */
type Outcome = readonly [said: string, status?: ChargeStatus, availableCents?: number]

const NOT_PENDING: Outcome = ['charge.not-pending']
const BUSY: Outcome = ['charge.busy']
const UNKNOWN: Outcome = ['charge.unknown']
const NO_PIX: Outcome = ['refund.not-pix']

const ofEach = (outcome: Outcome): Readonly<Record<State, Outcome>> => ({
  pending: outcome,
  overdue: outcome,
  expired: outcome,
  paid: outcome,
  cancelled: outcome,
  failed: outcome,
  busy: outcome,
  deleted: outcome,
})

const TABLE: Readonly<Record<keyof typeof COMMANDS, Readonly<Record<State, Outcome>>>> = {
  'change what it says': { ...ofEach(NOT_PENDING), pending: ['done', 'pending', 0], busy: BUSY },
  'change its value': { ...ofEach(NOT_PENDING), pending: ['done', 'pending', 0], busy: BUSY },
  'delete it': {
    ...ofEach(['done', 'DELETED', 0]),
    // A payment stays in every later status.
    paid: ['done', 'DELETED', CENTS],
    // A repeated request returns the same result, or the current one.
    busy: ['done', 'DELETED', 0],
    deleted: ['done'],
  },
  // A title can be paid until it is closed.
  'simulate its payment': {
    ...ofEach(NOT_PENDING),
    pending: ['done', 'paid', CENTS],
    busy: ['done', 'paid', CENTS],
  },
  'give a real of it back': { ...ofEach(NO_PIX), paid: ['done', 'paid', CENTS - 100] },
  'change it for another account': ofEach(UNKNOWN),
  'delete it for another account': ofEach(UNKNOWN),
  'give a real of it back for another account': ofEach(UNKNOWN),
}

for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])
  for (const state of [...Object.keys(STATES), 'failed'] as State[])
    test(`${name}: a charge that is ${state}`, async (t) => {
      const context = await inState(state)
      const before = await context.stored()
      const answer = inShort<unknown>(await COMMANDS[name](context))
      const after = await context.stored()
      const [expected, status, availableCents] = TABLE[name][state]
      t.is(answer, expected)
      t.is(after !== before, status !== undefined)
      if (status !== undefined) {
        t.is((await context.store.find(byId(charges, context.id)))?.status, status)
        t.is((await context.books())[0]?.[1] ?? 0, availableCents ?? 0)
      }
      t.deepEqual(await context.faults(), [])
    })
