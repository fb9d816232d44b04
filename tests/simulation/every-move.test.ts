import test from 'ava'
import { setClock } from '../../adapters/clock/set-clock.ts'
import { always, patch } from '../../core/kernel/records/record.ts'
import { accounts } from '../../core/payments/accounts/account.ts'
import { bankOperations } from '../../core/payments/bank/operation.ts'
import { CHARGE_STATUSES, type Charge, type ChargeStatus, charges } from '../../core/payments/charges/charge.ts'
import { expiryJob } from '../../core/payments/charges/end.ts'
import { createTitle, sendTitle, titleOrder } from '../../core/payments/charges/titles.ts'
import { events } from '../../core/payments/events.ts'
import { entries } from '../../core/payments/ledger/ledger.ts'
import type { Bank, BankAnswer, Title } from '../../core/ports/bank.ts'
import { byId, listOf } from '../../core/ports/store.ts'
import { wholeRun } from '../core/kernel/running/tasks.ts'
import { openPayments, PAYER, right } from '../core/payments/world.ts'

const NOW = '2026-11-21T13:05:09.123Z'
const YESTERDAY = '2026-11-21T03:00:00.000Z'
const PAID = { amountPaidCents: 900, paymentDate: '2026-11-20' }
const EVERYTHING = { where: always, limit: 1_000 } as const

/** A charge in every status, and a pending one that has expired without the job having run. */
const STATES = {
  pending: {},
  overdue: { lapsesAt: YESTERDAY },
  expired: { status: 'expired', lapsesAt: YESTERDAY },
  paid: { status: 'paid', ...PAID },
  paidwithpix: { status: 'paidwithpix', ...PAID },
  cancelled: { status: 'cancelled' },
  failed: { status: 'failed', failure: 'não', pix: null },
  DELETED: { status: 'DELETED' },
} as const satisfies Record<string, Partial<Charge>>
type State = keyof typeof STATES

const statusOf = (state: State): ChargeStatus => (state === 'overdue' ? 'pending' : state)

/** The state of the bank operation that creates the title. */
type BankHeard = 'answered' | 'unanswered'

const answers: Readonly<Record<string, BankAnswer<Title>>> = {
  done: { outcome: 'done', value: { txid: '', dynamicCode: null, boleto: null, cancelled: false, payments: [] } },
  refused: { outcome: 'refused', reason: 'não' },
  unavailable: { outcome: 'unavailable' },
  unknown: { outcome: 'unknown' },
}

const chargeIn = async (state: State, asked: BankHeard) => {
  let answer: BankAnswer<Title> = answers[asked === 'answered' ? 'done' : 'unknown'] ?? { outcome: 'unknown' }
  const bank: Bank = {
    compe: '748',
    can: ['open-account', 'pix'],
    txidLength: 25,
    openAccount: async () => ({ outcome: 'done', value: { agency: '1', account: '1', pixKey: 'loja@example.com' } }),
    createTitle: async () => answer,
    findTitle: async () => (answer.outcome === 'done' ? answer : { outcome: 'done', value: null }),
    cancelTitle: async () => ({ outcome: 'unavailable' }),
  }
  const { pay, ports, merchant } = openPayments({ clock: setClock(NOW), instead: () => ({ bank }) })
  const { member: issuer } = await merchant()
  const input = { valueCents: 1_000, paymentMethod: 'PIX', dueDate: '2026-11-30', payer: PAYER } as const
  const { charge, client } = right(await pay.charges.issue(issuer, input)())
  const account = await ports.store.find(byId(accounts, issuer.accountId))
  if (!account) throw new Error('no account')
  const { id } = charge
  const txid = charge.txid ?? ''
  await ports.store.commit([patch(charges, id, { set: STATES[state], when: always })])
  const look = async () => ({
    charge: await ports.store.find(byId(charges, id)),
    told: (await ports.store.list(listOf(events, EVERYTHING))).records.map(({ type }) => type),
    lines: (await ports.store.list(listOf(entries, EVERYTHING))).records.length,
  })
  const notice = {
    txid,
    endToEndId: 'E1',
    method: 'pix',
    valueCents: 250,
    paidAt: NOW,
    payer: null,
  } as const
  const register = async (asking: 'first' | 'again', says: string) => {
    answer = answers[says] ?? answer
    const title = createTitle(ports)
    if (asking === 'again') return title.resume(txid)()
    const operation = await ports.store.find(byId(bankOperations, txid))
    if (!operation) throw new Error('no operation')
    const order = titleOrder(txid, 'PIX', { charge, client, account })
    return title.send({ intent: txid, order, operation }, sendTitle(ports))()
  }
  return { ports, pay, look, notice, register, txid }
}
type Room = Awaited<ReturnType<typeof chargeIn>>

interface Command {
  readonly does: (room: Room) => Promise<unknown>
  /** The states that it changes or reports: the status afterwards, and the event. Any other is not written. */
  readonly moves: { readonly [state in State]?: readonly [ChargeStatus, string | null] }
  readonly posts?: true
}

const same = (type: string | null, states: readonly State[]): Command['moves'] =>
  Object.fromEntries(states.map((state) => [state, [statusOf(state), type]]))

const EVERY = Object.keys(STATES) as State[]
const OPEN_OR_EXPIRED: Command['moves'] = {
  pending: ['paid', 'charge.paid'],
  overdue: ['paid', 'charge.paid'],
  expired: ['paid', 'charge.paid'],
}

const COMMANDS: Readonly<Record<string, Command>> = {
  'the bank pays': {
    does: ({ pay, notice }) => pay.bank.paid(notice)(),
    moves: { ...same('pix.received', EVERY), ...OPEN_OR_EXPIRED },
    posts: true,
  },
  'the bank cancels': {
    does: ({ pay, txid }) => pay.bank.cancelled(txid)(),
    moves: { pending: ['cancelled', 'charge.cancelled'] },
  },
  'its time is over': {
    does: ({ ports }) => wholeRun(expiryJob(ports), NOW),
    moves: { overdue: ['expired', 'charge.expired'] },
  },
}

const TITLED: Command['moves'] = same('charge.created', ['pending', 'paid', 'paidwithpix'])
const FAILS: Command['moves'] = { pending: ['failed', 'charge.failed'], overdue: ['failed', 'charge.failed'] }

/** The answers to a bank operation: they change only a charge whose title is unanswered. */
const ANSWERS: Readonly<Record<string, Command>> = {
  'the bank takes it': {
    does: ({ register }) => register('first', 'done'),
    moves: { ...same(null, EVERY), ...TITLED },
  },
  'the bank took it': { does: ({ register }) => register('again', 'done'), moves: { ...same(null, EVERY), ...TITLED } },
  'the bank refuses it': {
    does: ({ register }) => register('first', 'refused'),
    moves: { ...same(null, EVERY), ...FAILS },
  },
  'the bank refuses it later': {
    does: ({ register }) => register('again', 'refused'),
    // A charge past its expiry is not requested again.
    moves: { ...same(null, EVERY), pending: ['failed', 'charge.failed'] },
  },
  'the bank cannot be reached': {
    does: ({ register }) => register('first', 'unavailable'),
    moves: { ...same(null, EVERY), ...FAILS },
  },
  'the bank cannot be reached again': {
    does: ({ register }) => register('again', 'unavailable'),
    moves: same(null, EVERY),
  },
  'the bank says nothing': { does: ({ register }) => register('first', 'unknown'), moves: same(null, EVERY) },
  'the bank says nothing again': { does: ({ register }) => register('again', 'unknown'), moves: same(null, EVERY) },
}

const NO_MOVES: Command['moves'] = {}

const cases = [
  ...Object.entries({ ...COMMANDS, ...ANSWERS }).map(([name, command]) => {
    const moves = name in COMMANDS ? command.moves : NO_MOVES
    return { name, command: { ...command, moves }, asked: 'answered' as const, states: EVERY }
  }),
  ...Object.entries({ ...COMMANDS, ...ANSWERS }).map(([name, command]) => {
    // A charge fails only by an answer of the bank.
    const states = EVERY.filter((state) => state !== 'failed')
    return { name, command, asked: 'unanswered' as const, states }
  }),
]

for (const { name, command, asked, states } of cases) {
  test(`${name}: changes a charge with an ${asked} title as stated, once`, async (t) => {
    for (const state of states) {
      const room = await chargeIn(state, asked)
      const before = await room.look()
      await command.does(room)
      const after = await room.look()
      const move = command.moves[state]
      if (!move) t.deepEqual(after, before, state)
      t.is(after.charge?.status, move ? move[0] : before.charge?.status, state)
      t.deepEqual(after.told.toSorted(), [...before.told, ...(move?.[1] ? [move[1]] : [])].sort(), state)
      t.is(after.lines, before.lines + (command.posts ? 1 : 0), state)

      await command.does(room)
      t.deepEqual(shortOf(await room.look()), shortOf(after), state)
    }
  })
}

const shortOf = ({ charge, told, lines }: Awaited<ReturnType<Room['look']>>) => [
  charge?.status,
  charge?.amountPaidCents,
  told.toSorted(),
  lines,
]

test('covers every status', (t) => {
  t.deepEqual([...new Set(EVERY.map(statusOf))].sort(), [...CHARGE_STATUSES].sort())
})
