import test from 'ava'
import { type Either, type Failure, isLeft } from '../../../../core/failure.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import type { WithdrawalDetail } from '../../../../core/payments/withdrawals/views.ts'
import { withdrawals } from '../../../../core/payments/withdrawals/withdrawal.ts'
import type { BankAnswer, CompletedPayOut } from '../../../../core/ports/bank.ts'
import { until } from '../../kernel/running/tasks.ts'
import { type TwoAccounts, twoAccounts } from '../money-out/two-accounts.ts'
import { inShort, right } from '../world.ts'

const KEY = 'maria@example.com'
const CENTS = 2_500
const FEE = 100
const LEASE_SECONDS = 60
const BEFORE = 100_000
const PAID = BEFORE - CENTS - FEE

type Answered = Either<Failure, WithdrawalDetail>

/** An order that is `unsent` did not reach the bank. */
type Late = 'yes' | 'no' | 'unsent'

/** A withdrawal whose first asker the bank has not answered yet, and how the others are. */
interface StartedWithdrawal extends TwoAccounts {
  readonly id: number
  readonly first: Promise<Answered>
  /** The bank's late answer to the first order. */
  letGo(says: Late): void
  operationId(): Promise<string>
}

const STATES = ['awaiting', 'pending', 'completed', 'failed'] as const
type State = (typeof STATES)[number]

const REFUSED = { outcome: 'refused', reason: 'Não.' } as const
const UNKNOWN = { outcome: 'unknown' } as const
const UNAVAILABLE = { outcome: 'unavailable' } as const

/** Brings a withdrawal of 25.00, with a fee of 1.00, into a state. */
const inState = async (state: State): Promise<StartedWithdrawal> => {
  let answer: (says: Late) => void = () => {}
  let orders = 0
  const business = await twoAccounts({
    instead: ({ payOuts }) => ({
      payOuts: {
        ...payOuts,
        async payOut(order): Promise<BankAnswer<CompletedPayOut>> {
          orders += 1
          // The bank pays, and its answer is late.
          if (state === 'completed') await payOuts.payOut(order)
          // The first order did not reach the bank, which accepts this one at once.
          if (state === 'awaiting') return payOuts.payOut(order)
          const says = await new Promise<Late>((resolve) => {
            answer = resolve
          })
          if (says === 'unsent') return UNAVAILABLE
          return says === 'yes' ? payOuts.payOut(order) : REFUSED
        },
        findPayOut: async (id) => (state === 'pending' ? UNKNOWN : payOuts.findPayOut(id)),
      },
    }),
  })
  const { pay, from, clock, drain } = business
  right(await pay.accounts.setTerms(from.id, { fees: { pixOutCents: FEE } })())
  const looked = right(await pay.withdrawals.lookUp(from.member, { key: KEY, valueCents: CENTS })())
  const { id } = looked.withdrawal
  const confirm = pay.withdrawals.confirm(from.member, { internalId: id, key: KEY, valueCents: CENTS })
  const first: Promise<Answered> = state === 'awaiting' ? new Promise(() => {}) : confirm()
  if (state !== 'awaiting') {
    await until(() => orders > 0)
    clock.advance(LEASE_SECONDS)
    await drain()
  }
  return {
    ...business,
    id,
    first,
    letGo: (says) => answer(says),
    operationId: async () =>
      (await business.every(bankOperations)).find(({ kind }) => kind === 'pay-out')?.id ?? 'nenhuma',
  }
}

type Outcome = readonly [said: string, writes: boolean, state: State, balanceCents: number, availableCents: number]

const said = (answer: Either<Failure, { readonly withdrawal: { readonly status: string } }>): string =>
  inShort(answer, ({ withdrawal }) => withdrawal.status)

const confirming =
  (over: { readonly key?: string; readonly valueCents?: number } = {}) =>
  ({ pay, from, id }: StartedWithdrawal) =>
    pay.withdrawals
      .confirm(from.member, { internalId: id, key: KEY, valueCents: CENTS, ...over })()
      .then(said)

const lookingUp =
  (repeats: 'reused' | 'refused') =>
  async ({ pay, from, id }: StartedWithdrawal) => {
    const looked = await pay.withdrawals.lookUp(from.member, { key: KEY, valueCents: CENTS }, repeats)()
    if (isLeft(looked)) return said(looked)
    return `${looked.right.withdrawal.id === id ? 'same' : 'another'} ${looked.right.isReused}`
  }

const late = (says: Late) => async (started: StartedWithdrawal, state: State) => {
  // The bank has no order of a withdrawal that awaits confirmation.
  if (state === 'awaiting') return said(await started.pay.withdrawals.resume(await started.operationId())())
  started.letGo(says)
  return said(await started.first)
}

const COMMANDS = {
  'confirm the same': confirming(),
  'confirm another value': confirming({ valueCents: CENTS + 1 }),
  'confirm another key': confirming({ key: 'rui@example.com' }),
  'look up again': lookingUp('reused'),
  'look up where a repeat is refused': lookingUp('refused'),
  'the bank’s late yes': late('yes'),
  'the bank’s late no': late('no'),
  'a late order that did not reach the bank': late('unsent'),
} as const

const UNUSED = ['awaiting', BEFORE, BEFORE] as const
const HELD = ['pending', BEFORE, PAID] as const
const OUT = ['completed', PAID, PAID] as const
const BACK = ['failed', BEFORE, BEFORE] as const

const USED = {
  pending: ['withdrawal.used', false, ...HELD],
  completed: ['withdrawal.used', false, ...OUT],
  failed: ['withdrawal.used', false, ...BACK],
} as const

/** The result of each command in each state, its writes, and the withdrawal and balance afterwards. */
const TABLE: Readonly<Record<keyof typeof COMMANDS, Readonly<Record<State, Outcome>>>> = {
  'confirm the same': {
    ...USED,
    awaiting: ['completed', true, ...OUT],
    completed: ['valueCents withdrawal.repeated', false, ...OUT],
  },
  'confirm another value': { ...USED, awaiting: ['valueCents withdrawal.other-value', false, ...UNUSED] },
  'confirm another key': { ...USED, awaiting: ['key withdrawal.other-key', false, ...UNUSED] },
  'look up again': {
    awaiting: ['same true', false, ...UNUSED],
    pending: ['another false', true, ...HELD],
    completed: ['another false', true, ...OUT],
    failed: ['another false', true, ...BACK],
  },
  'look up where a repeat is refused': {
    awaiting: ['valueCents withdrawal.started', false, ...UNUSED],
    pending: ['valueCents withdrawal.started', false, ...HELD],
    completed: ['valueCents withdrawal.started', false, ...OUT],
    failed: ['another false', true, ...BACK],
  },
  'the bank’s late yes': {
    awaiting: ['withdrawal.unknown', false, ...UNUSED],
    pending: ['completed', true, ...OUT],
    completed: ['completed', false, ...OUT],
    // A payment that the bank confirms is never refused.
    failed: ['completed', true, ...OUT],
  },
  'the bank’s late no': {
    awaiting: ['withdrawal.unknown', false, ...UNUSED],
    pending: ['bank.refused', true, ...BACK],
    completed: ['completed', false, ...OUT],
    failed: ['bank.refused', false, ...BACK],
  },
  'a late order that did not reach the bank': {
    awaiting: ['withdrawal.unknown', false, ...UNUSED],
    // Another process requests the outcome.
    pending: ['pending', false, ...HELD],
    completed: ['completed', false, ...OUT],
    failed: ['bank.refused', false, ...BACK],
  },
}

for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])
  for (const state of STATES)
    test(`${name}, of a withdrawal that is ${state}`, async (t) => {
      const started = await inState(state)
      const before = await started.stored()
      const answer = await COMMANDS[name](started, state)
      const writes = (await started.stored()) !== before
      const own = (await started.every(withdrawals)).find(({ id }) => id === started.id)
      const [[balanceCents, availableCents] = []] = await started.books()
      t.deepEqual([answer, writes, own?.status, balanceCents, availableCents], [...TABLE[name][state]])
      const posted = (await started.lines()).map(([typeId]) => typeId)
      t.is(posted.join(), own?.status === 'completed' ? '2,4' : '')
      // A later request gets the stored result, without a further change.
      if (state !== 'awaiting') {
        const then = await started.stored()
        const resumed = said(await started.pay.withdrawals.resume(await started.operationId())())
        t.is(resumed, own?.status === 'failed' ? 'bank.refused' : (own?.status ?? ''))
        // A lost order is requested once more.
        if (own?.status === 'completed') t.is(await started.stored(), then)
      }
      t.deepEqual(await started.faults(), [])
    })
