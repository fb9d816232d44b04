import { day, id, type JsonObject, list, nullable, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import {
  always,
  type Change,
  type Collection,
  eq,
  type Field,
  isJsonObject,
  type Json,
  not,
  orNull,
  patch,
  type Rec,
  record,
  t,
  type Where,
  word,
} from '../../kernel/records/record.ts'
import { queueConditions, queueIndex } from '../../kernel/running/queue.ts'
import type { Day } from '../../kernel/values/day.ts'
import { foldLines } from '../../kernel/values/text.ts'
import { bankOperations } from '../bank/operation.ts'
import { type Charge, charges, searchTextOf } from '../charges/charge.ts'
import { refunds } from '../charges/refund-records.ts'
import { clients } from '../customers/client.ts'
import { events } from '../events.ts'
import { entries, searchOf } from '../ledger/ledger.ts'
import { links } from '../links/link.ts'
import { deliveries } from '../webhooks/deliveries.ts'

export const ERASURE_STATUSES = ['processing', 'completed'] as const

const erasure = record({
  /** The erased person: `client:7`. */
  id: t.string,
  accountId: t.number,
  clientId: t.number,
  status: word(...ERASURE_STATUSES),
  /** The payer, and the day from which the law no longer requires its payments; null without settled payments. */
  payerName: orNull(t.string),
  payerDocument: orNull(t.string),
  keptUntil: orNull(t.string),
  requestedBy: t.number,
  requestedAt: t.string,
  completedAt: orNull(t.string),
  /** The position of the worker among the payer's charges; null before a pass. */
  place: orNull(t.string),
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The sweep deletes the stored name and document from this time on; null if neither is stored. */
  expiresAt: orNull(t.string),
})

/** The erasure of a payer's personal data, from the request to the deletion of the last stored field. */
export type Erasure = t.TypeOf<typeof erasure>

export const erasures: Collection<Erasure> = {
  name: 'payments.erasures',
  ids: 'text',
  codec: erasure,
  owner: 'accountId',
  conditions: queueConditions,
  indexes: [queueIndex('accountId'), { sort: 'expiresAt', acrossOwners: true }],
}

export const erasureId = (clientId: number): string => `client:${clientId}`

/** The text that replaces an erased text of a required field. */
export const ERASED = 'Dados eliminados'

const nothing = () => null

/** The value of each erased field after the erasure. */
export type ErasedFields<R extends Rec> = { readonly [F in Field<R>]?: (record: R) => R[F] }

/** The treatment of the personal data in a collection. Its other fields contain no data of a payer. */
export interface Treatment<R extends Rec> {
  readonly from: Collection<R>
  /** A record is erased once this condition holds. */
  readonly when?: Where<Field<R>>
  readonly erased: ErasedFields<R>
  /** The fields that the law requires. A field in both lists is erased or stays, depending on the record. */
  readonly kept?: readonly Field<R>[]
}

const treatment = <R extends Rec>(treated: Treatment<R>): Treatment<R> => treated

/** Reports whether a charge received money: tax and payment law then require its payer. */
const isSettled = ({ paymentDate, amountPaidCents }: Pick<Charge, 'paymentDate' | 'amountPaidCents'>): boolean =>
  paymentDate !== null || amountPaidCents !== null

const NO_PAYER = { document: null, name: '' } as const

/** The personal data of a payer by collection. `clientTokens`, `mails` and `messages` are removed whole. */
export const TREATMENTS = {
  clients: treatment({
    from: clients,
    erased: {
      name: () => ERASED,
      email: nothing,
      phone: nothing,
      document: nothing,
      type: nothing,
      gender: nothing,
      birthdate: nothing,
      metadata: nothing,
      address: nothing,
      fbId: nothing,
      search: () => '',
    },
  }),
  charges: treatment({
    from: charges,
    erased: {
      description: nothing,
      details: nothing,
      instructions: nothing,
      address: nothing,
      card: (charge) =>
        charge.card && !isSettled(charge) ? { ...charge.card, last4: '', holder: ERASED, token: null } : charge.card,
      search: (charge) => searchTextOf(charge, NO_PAYER),
    },
    kept: ['card'],
  }),
  entries: treatment({
    from: entries,
    erased: {
      description: ({ chargeId }) => `Cobrança ${chargeId}`,
      search: (entry) => searchOf({ ...entry, description: `Cobrança ${entry.chargeId}` }),
    },
    kept: ['payer', 'receiver', 'endToEnd', 'txid'],
  }),
  refunds: treatment({ from: refunds, erased: { reason: nothing }, kept: ['endToEndId', 'returnId'] }),
  links: treatment({
    from: links,
    erased: { title: () => ERASED, description: nothing, referenceCode: nothing, search: () => foldLines([ERASED]) },
  }),
  // A subscriber that has read an event may still commit a copy of its data.
  events: treatment({
    from: events,
    when: eq('dueAt', null),
    erased: { data: ({ data }) => JSON.stringify(withoutPayer(JSON.parse(data))) },
  }),
  deliveries: treatment({
    from: deliveries,
    erased: {
      payload: ({ payload }) => JSON.stringify(withoutPayer(JSON.parse(payload))),
      response: ({ response }) => response && { ...response, body: null },
    },
  }),
  // A running operation sends its order again.
  operations: treatment({ from: bankOperations, when: not(eq('state', 'asking')), erased: { order: nothing } }),
} as const

const isSame = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns the change that erases a record; none if it is erased already. */
export const eraseRecord = <R extends Rec>({ from, when, erased }: Treatment<R>, found: R): readonly Change[] => {
  const rules = Object.entries<((record: R) => Json) | undefined>(erased)
  const values = rules.map(([field, rule]) => [field, rule?.(found)] as const)
  const set = values.filter(([field, value]) => !isSame(found[field], value))
  if (set.length === 0) return []
  return [patch(from, found.id, { set: Object.fromEntries(set) as Partial<R>, when: when ?? always })]
}

/** Texts of the payee about a charge, a refund or a link, in the bodies of webhooks. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'title', 'reason', 'reference_code'])

/** Returns the body of an event without the data of its payer, in the form that webhooks have. */
const withoutPayer = (body: Json): Json => {
  if (Array.isArray(body)) return body.map((each: Json) => withoutPayer(each))
  if (!isJsonObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      // The title and the description of a status are words of the API.
      if (key === 'status') return [key, value]
      if (key === 'payer') return [key, null]
      if (key === 'client' && isJsonObject(value)) return [key, blankClient(value)]
      if (TEXTS.has(key) && typeof value === 'string') return [key, key === 'title' ? ERASED : null]
      return [key, withoutPayer(value)]
    }),
  )
}

const blankClient = (client: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(client).map(([key, value]) => [key, key === 'id' ? value : key === 'name' ? ERASED : null]),
  )

/** Years for which records of operations are kept, from the first day of the year after the operation. */
const KEPT_YEARS = 10

/** Returns the day from which a payment need no longer be kept: BCB, Circular 3.978/2020, art. 67. */
export const keptUntil = (paymentDay: Day): Day => `${Number(paymentDay.slice(0, 4)) + 1 + KEPT_YEARS}-01-01`

/** Returns the day of a charge's payment; null without one. */
export const paidDayOf = (charge: Charge): Day | null =>
  isSettled(charge) ? (charge.paymentDate ?? charge.received?.at(-1)?.day ?? charge.createdDay) : null

/** Extends the term of an erasure by later payments: the bank accepts payments of some expired charges. */
export const withLatePayments = (known: Erasure, paidDays: readonly (Day | null)[]): Erasure => {
  const terms = paidDays.flatMap((day) => (day === null ? [] : [keptUntil(day)]))
  const last = terms.reduce((one, other) => (other > one ? other : one), known.keptUntil ?? '')
  return last === '' ? known : { ...known, keptUntil: last }
}

const BY_PAYMENT_LAW =
  'Registro de operação de pagamento: LGPD, art. 16, I; Circular BCB 3.978/2020, art. 67, por dez anos a partir do ano seguinte'

/** The audit entries of a request, which stay after it. */
export const KEPT_AUDIT = {
  record: 'audit',
  fields: ['action', 'subject', 'actor', 'created_at'],
  reason: 'Prova de que o pedido foi atendido: LGPD, arts. 16, I, e 37',
  until: null,
} as const

const KEPT_RECORDS = ['payer', 'charge', 'transaction', 'refund', 'audit'] as const
const MAX_KEPT = 20

/** A kind of record with fields that stay after an erasure, and the reason and the term. */
export interface KeptFields<R extends string = (typeof KEPT_RECORDS)[number]> {
  readonly record: R
  readonly fields: readonly string[]
  readonly reason: string
  /** The day from which the law no longer requires them; null without an end. */
  readonly until: Day | null
}

/** Returns the fields that stay after an erasure. */
export const keptFieldsOf = ({ keptUntil: until, payerName }: Erasure): readonly KeptFields[] => {
  const byLaw = { reason: BY_PAYMENT_LAW, until }
  const payer: KeptFields = { record: 'payer', fields: ['name', 'document'], ...byLaw }
  const ofPayments: readonly KeptFields[] = [
    ...(payerName === null ? [] : [payer]),
    {
      record: 'charge',
      fields: ['value', 'amount_paid', 'refunded_value', 'due_date', 'payment_date', 'payment_method', 'txid', 'card'],
      ...byLaw,
    },
    { record: 'transaction', fields: ['value', 'datetime', 'payer', 'end_to_end_id', 'txid'], ...byLaw },
    { record: 'refund', fields: ['value', 'created_at', 'end_to_end_id', 'return_id'], ...byLaw },
  ]
  return until === null ? [KEPT_AUDIT] : [...ofPayments, KEPT_AUDIT]
}

export const keptPayerView = view(
  'KeptPayer',
  { name: output.text({ about: 'Nome' }), document: nullable(output.text({ about: 'Documento' })) },
  ({ payerName, payerDocument }: Erasure) => ({ name: payerName ?? ERASED, document: payerDocument }),
)

export const keptView = <R extends string>(name: string, records: readonly R[], aboutUntil: string) =>
  view(name, {
    record: oneOf(records, { about: 'Em que registro' }),
    fields: list(output.text(), { max: MAX_KEPT, about: 'Os campos, como a API os nomeia' }),
    reason: output.text({ about: 'Por que ficam' }),
    until: nullable(day({ about: aboutUntil })),
  })

const keptFieldsView = keptView('KeptFields', KEPT_RECORDS, 'Desde quando não precisam ficar; null sem prazo')

export const erasureView = view(
  'Erasure',
  {
    clientId: id({ about: 'Cliente' }),
    status: oneOf(ERASURE_STATUSES, {
      about: '`processing` enquanto as cópias são eliminadas, alguns minutos; depois `completed`',
    }),
    requestedAt: timestamp({ about: 'Quando foi pedida' }),
    completedAt: nullable(timestamp({ about: 'Quando terminou' })),
    kept: output.views(keptFieldsView, { about: 'O que fica, por que e até quando' }),
  },
  (of: Erasure) => ({ ...of, kept: keptFieldsOf(of) }),
)
