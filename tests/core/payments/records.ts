import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { applyCommits } from '../../../core/kernel/records/apply-commits.ts'
import { type Change, type Collection, fieldCodecs, newRecord, type Rec } from '../../../core/kernel/records/record.ts'
import { tableOf } from '../../../core/kernel/records/table.ts'
import { type DecisionResult, type Fresh, freshOf } from '../../../core/kernel/running/use-case.ts'
import { type Account, accounts, NEW_SETTINGS } from '../../../core/payments/accounts/account.ts'
import type { Operation } from '../../../core/payments/bank/operation.ts'
import { type Charge, charges } from '../../../core/payments/charges/charge.ts'
import type { ChargeDetail } from '../../../core/payments/charges/detail.ts'
import { type Client, clients } from '../../../core/payments/customers/client.ts'
import { events } from '../../../core/payments/events.ts'
import { type Entry, emptyLedgerAccount } from '../../../core/payments/ledger/ledger.ts'
import type { Membership } from '../../../core/payments/members/membership.ts'
import type { PaymentNotice, Title } from '../../../core/ports/bank.ts'
import { idsFrom, NOW, right } from './world.ts'

export const TXID = 'A1b2C3d4E5f6G7h8I9j0K1l2M'

/** The ids and random values of a decision: ids from 101, randomness from a seed. */
export const freshAt = (instant = NOW): Fresh =>
  freshOf({ clock: setClock(instant), random: seededRandom(7), ids: idsFrom(101) }).fresh

/** A cipher that seals nothing. */
export const unsealed = { seal: (text: string) => text }

const NO_DETAILS = { chargeId: null, txid: null, endToEnd: null, payer: null, receiver: null }

/** An entry; its `seq` is its id. */
export const anEntry = (over: Partial<Entry> & Pick<Entry, 'id' | 'accountId' | 'valueCents'>): Entry => ({
  ...{ book: `${over.accountId}:main`, journalId: 'j', seq: over.id, balanceCents: 0, typeId: 1, status: 1 },
  ...{ datetime: NOW, day: '2026-11-23', direction: over.valueCents < 0 ? 'out' : 'in' },
  ...{ description: 'Mensalidade', search: 'mensalidade', ...NO_DETAILS },
  ...over,
})

/** The empty main book of account 1. */
export const aBook = emptyLedgerAccount(1, 'main', NOW)

/** The fields of a record, each null. */
const nullFields = <R extends Rec>({ codec }: Collection<R>): R =>
  Object.fromEntries(Object.keys(fieldCodecs(codec) ?? {}).map((field) => [field, null])) as never

export const aMembership = (over: Partial<Membership> = {}): Membership => ({
  id: 1,
  userId: 1,
  accountId: 1,
  roleId: 1,
  status: 1,
  search: '',
  createdAt: NOW,
  updatedAt: NOW,
  ...over,
})

export const anAccount = (over: Partial<Account> = {}): Account =>
  newRecord(accounts, {
    id: 1,
    uuid: '00000000-0000-4000-8000-000000000001',
    codeAccount: 'A1',
    name: 'Padaria',
    document: '11222333000181',
    status: 'ACTIVE',
    agency: '0001',
    account: '10-1',
    bankCode: '748',
    apiKeySealed: '',
    webhookSecretSealed: '',
    ...NEW_SETTINGS,
    admins: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...over,
  })

export const aClient: Client = {
  ...nullFields(clients),
  id: 3,
  accountId: 1,
  code: 'cliente',
  name: 'Maria da Silva',
  email: 'maria@example.com',
  document: '12345678909',
  status: 'ACTIVE',
  search: '',
  createdAt: NOW,
  updatedAt: NOW,
}

export const aPix = {
  txid: TXID,
  key: 'loja@example.com',
  payeeName: 'Padaria',
  payeeCity: 'BRASIL',
  dynamicCode: null,
}

/** A pending charge of R$ 150.50, due a week later, with a title at the bank. */
export const aCharge = (over: Partial<Charge> = {}): Charge => ({
  ...nullFields(charges),
  id: 7,
  accountId: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  status: 'pending',
  paymentMethod: 'PIX',
  valueCents: 15_050,
  dueDate: '2026-11-30',
  clientId: 3,
  webhook: 'https://merchant.example/hook',
  txid: TXID,
  pixKey: aPix.key,
  pix: aPix,
  lapsesAt: '2026-12-01T03:00:00.000Z',
  createdBy: 5,
  createdAt: NOW,
  createdDay: '2026-11-23',
  updatedAt: NOW,
  search: '',
  ...over,
})

export const detailOf = (over: Partial<Charge> = {}): ChargeDetail => ({
  charge: aCharge(over),
  client: aClient,
  asOf: NOW,
  publicUrl: 'https://pay.example.com',
})

/** The facts for a payment of a charge of which nothing is posted, and which is shared with no account. */
export const paymentFacts = (over: Partial<Charge> = {}, account = anAccount()) => ({
  detail: detailOf(over),
  account,
  posted: null as Entry | null,
  place: null,
  receivers: [],
  netPaidCents: 0,
})

export const aNotice = (over: Partial<PaymentNotice> = {}): PaymentNotice => ({
  txid: TXID,
  endToEndId: 'E01181521202611231305ABCDEFGHIJK',
  method: 'pix',
  valueCents: 15_050,
  paidAt: NOW,
  payer: null,
  ...over,
})

/** A title of the bank without payments. */
export const aTitle = (over: Partial<Title> = {}): Title => ({
  txid: TXID,
  dynamicCode: null,
  boleto: null,
  cancelled: false,
  payments: [],
  ...over,
})

/** Returns the value of a decision. */
export const answerOf = <V>(made: DecisionResult<V>): V =>
  right(made).value(() => {
    throw new Error('nothing was taken')
  })

type Kind<K extends Change['kind']> = Extract<Change, { kind: K }>

/** The records that are inserted into a collection. */
export const inserted = (changes: readonly Change[], { name }: { readonly name: string }): readonly Rec[] =>
  changes
    .filter((change): change is Kind<'insert'> => change.kind === 'insert' && change.at[0] === name)
    .map(({ record }) => record)

/** The patches of a collection, but for those that give an event its time. */
export const patched = (
  changes: readonly Change[],
  { name }: { readonly name: string } = charges,
): readonly Kind<'patch'>[] =>
  changes
    .filter((change): change is Kind<'patch'> => change.kind === 'patch' && change.at[0] === name)
    .filter(({ max }) => max?.lastEventMs === undefined)

/** Returns kind and collection of each change, without those of the audit. */
export const kindsOf = (changes: readonly { readonly kind: string; readonly at: readonly unknown[] }[]) =>
  changes.map(({ kind, at }) => `${kind} ${at[0]}`).filter((each) => !each.includes('payments.audit'))

/** The recorded events: type, status and whether they show a Pix. */
export const eventsIn = (changes: readonly Change[]) =>
  inserted(changes, events).map(({ type, data, urls }) => {
    const { status, pix, amount_paid } = JSON.parse(String(data))
    return { type, status: status.title, hasPix: pix !== null, paid: amount_paid, urls }
  })

/** Applies the changes to a charge; returns null if their guards fail. */
export const applyTo = (charge: Charge, changes: readonly Change[]): Charge | null => {
  const own = changes.filter(({ at }) => at[0] === charges.name)
  const reader = { record: () => charge, owner: () => null }
  const { outcomes, writes } = applyCommits(tableOf([charges]), reader, [{ changes: own }])
  const [outcome] = outcomes
  if (!outcome || !('ok' in outcome) || !outcome.ok) return null
  const [write] = writes
  return write ? (write.after as Charge) : charge
}

/** A bank operation of the charge that was not sent yet. */
export const anOperation = (over: Partial<Operation> = {}): Operation => ({
  id: TXID,
  accountId: 1,
  kind: 'create-title',
  subject: [charges.name, 7],
  dueAt: NOW,
  createdAt: NOW,
  state: 'asking',
  attempts: 0,
  inFlightUntil: null,
  reason: null,
  expiresAt: null,
  order: null,
  trace: null,
  ...over,
})
