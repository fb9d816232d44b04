import { failure } from '../../failure.ts'
import {
  type InputOf,
  id,
  input,
  inQuery,
  nullable,
  oneOf,
  output,
  pageFields,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  eq,
  insert,
  isIn,
  orNull,
  patch,
  record,
  t,
  type Where,
  word,
} from '../../kernel/records/record.ts'
import { searchIn } from '../../kernel/resources/queries.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { fold, foldLines } from '../../kernel/values/text.ts'
import { MAX_PAGE } from '../../limits.ts'
import { BANK_ACCOUNT_TYPES } from '../../ports/bank.ts'
import { listAll, listOf, listPage, NEWEST_FIRST, type PageOf, type Store } from '../../ports/store.ts'
import { bankByIspb } from '../banks.ts'
import { accountQuery, accountRead, findOwn } from '../payments-ports.ts'
import { destinationOf, type Receiver, receiverOf, searchableDocument, shownDocument } from './withdrawal.ts'

const recipient = record({
  id: t.number,
  accountId: t.number,
  destination: t.string,
  key: orNull(t.string),
  name: t.string,
  document: t.string,
  ispb: t.string,
  branch: t.string,
  account: t.string,
  accountType: word(...BANK_ACCOUNT_TYPES),
  /** The number of completed withdrawals to it. */
  count: t.number,
  lastUsedAt: t.string,
  createdAt: t.string,
  /** Folded: name, document as shown, and key. */
  search: t.string,
})

/** A bank account or Pix key that an account pays; one for each `destination`, added by withdrawals and by users. */
export type Recipient = t.TypeOf<typeof recipient>

/** The unique key of a recipient, by its destination, and of a paid party, by its document. */
export const recipientKey = (accountId: number, value: string): string => `${accountId}|${value}`

export const recipients: Collection<Recipient> = {
  name: 'payments.recipients',
  ids: 'integer',
  codec: recipient,
  owner: 'accountId',
  keys: { destination: ({ accountId, destination }) => recipientKey(accountId, destination) },
  indexes: [
    { sort: 'count', search: 'search' },
    { eq: 'document', sort: 'lastUsedAt' },
  ],
}

const paidParty = record({
  id: t.number,
  accountId: t.number,
  document: t.string,
  /** The name of its first recipient. */
  name: t.string,
  createdAt: t.string,
  /** Folded: name, document as shown, and the key of its first recipient. */
  search: t.string,
  /** Counts the additions and removals of its recipients: of two at the same time, one decides again. */
  recipientChanges: orNull(t.number),
})

/** A person or company that an account has paid; one for all recipients with the same document. */
export type PaidParty = t.TypeOf<typeof paidParty>

export const paidParties: Collection<PaidParty> = {
  name: 'payments.paid-parties',
  ids: 'integer',
  codec: paidParty,
  owner: 'accountId',
  keys: { document: ({ accountId, document }) => recipientKey(accountId, document) },
  indexes: [{ sort: 'createdAt', search: 'search' }],
  tallies: [{ by: ['accountId'], sum: [] }],
}

export const NO_RECIPIENT = failure('not-found', 'recipient.unknown')

/** The stored recipient and party of a withdrawal, if any. */
export interface StoredRecipient {
  readonly recipient: Recipient | null
  readonly party: PaidParty | null
}

/** Counts a completed withdrawal for its recipient; stores recipient and party if they are new. */
export const recordRecipient = (
  accountId: number,
  to: Receiver,
  { recipient: known, party }: StoredRecipient,
  fresh: Fresh,
): readonly Change[] => {
  const { steady } = fresh
  if (!known) return newRecipient(accountId, to, party, 1, fresh).changes
  const counted = patch(recipients, known.id, { add: { count: 1 }, max: { lastUsedAt: steady }, when: always })
  return [counted, ...(party ? showDocument(party, to) : [])]
}

/** Returns a new recipient and the changes that store it, with its party if that is new. */
export const newRecipient = (
  accountId: number,
  to: Receiver,
  party: PaidParty | null,
  count: number,
  fresh: Fresh,
): { readonly recipient: Recipient; readonly changes: readonly Change[] } => {
  const { now, steady } = fresh
  const { name, document } = to
  const search = recipientSearch(to)
  const recipient: Recipient = {
    id: fresh.id(recipients),
    accountId,
    destination: destinationOf(to),
    ...receiverOf(to),
    ...{ count, lastUsedAt: steady, createdAt: now, search },
  }
  const stored = insert(recipients, recipient)
  if (party) {
    const counted = patch(paidParties, party.id, { add: { recipientChanges: 1 }, when: always })
    return { recipient, changes: [stored, counted, ...showDocument(party, to)] }
  }
  const first = { id: fresh.id(paidParties), accountId, document, name, createdAt: now, search, recipientChanges: null }
  return { recipient, changes: [stored, insert(paidParties, first)] }
}

export const recipientSearch = ({ name, key, document }: Pick<Receiver, 'name' | 'key' | 'document'>): string =>
  foldLines([name, ...searchableDocument({ key, document }), key])

/** A party that was found by key is found by its whole document once the payer has entered it. */
const showDocument = ({ id, search }: PaidParty, { key, document }: Receiver): readonly Change[] => {
  const line = fold(document)
  if (key !== null || search.split('\n').includes(line)) return []
  return [patch(paidParties, id, { set: { search: `${search}\n${line}` }, when: eq('search', search) })]
}

const MOST_FREQUENT = 10

const search = inQuery.text({ about: 'Nome, documento ou chave Pix' })

export const recipientFilter = input('RecipientFilter', { ...pageFields, search })
export const frequentFilter = input('FrequentRecipientFilter', { search })
export type RecipientFilter = InputOf<typeof recipientFilter>
export type FrequentFilter = InputOf<typeof frequentFilter>

/** A paid party with its recipients. */
export interface PartyWithRecipients extends PaidParty {
  readonly recipients: readonly Recipient[]
}

const matching = (text: string | undefined): readonly Where<'search'>[] => (text ? [searchIn('search', text)] : [])

export const frequentRecipients = accountQuery(
  frequentFilter,
  async ({ store }, accountId, { search: text }): Promise<readonly Recipient[]> => {
    const where = all(eq('accountId', accountId), ...matching(text))
    const sort = { by: 'count', dir: 'desc' } as const
    return (await store.list(listOf(recipients, { where, sort, limit: MOST_FREQUENT }))).records
  },
)

export const readRecipient = accountRead('recipient.unknown', ({ store }, accountId, id: number | null) =>
  findOwn(store, recipients, accountId, id),
)

export const listPaidParties = accountQuery(
  recipientFilter,
  async ({ store }, accountId, filter): Promise<PageOf<PartyWithRecipients>> => {
    const where = all(eq('accountId', accountId), ...matching(filter.search))
    const listed = await listPage(store, paidParties, filter, { where, sort: NEWEST_FIRST })
    return { ...listed, records: await withRecipients(store, accountId, listed.records) }
  },
)

const withRecipients = async (
  store: Store,
  accountId: number,
  parties: readonly PaidParty[],
): Promise<readonly PartyWithRecipients[]> => {
  if (parties.length === 0) return []
  const documents = parties.map(({ document }) => document)
  const where = all(eq('accountId', accountId), isIn('document', documents))
  const sort = { by: 'lastUsedAt', dir: 'desc' } as const
  const records = await listAll(store, listOf(recipients, { where, sort, limit: MAX_PAGE }))
  return parties.map((party) => ({
    ...party,
    recipients: records.filter(({ document }) => document === party.document),
  }))
}

/** Returns the COMPE code of a bank; its ISPB if it has none. */
export const bankCodeOf = (ispb: string): string => bankByIspb(ispb)?.code ?? ispb

export const bankNameOf = (ispb: string): string => bankByIspb(ispb)?.name ?? ispb

export const recipientView = view(
  'Recipient',
  {
    id: id({ about: 'Identificador' }),
    accountId: id({ about: 'Conta que o pagou' }),
    pixKey: nullable(output.text({ about: 'Chave Pix; nula em um Pix por dados bancários' })),
    name: output.text({ about: 'Nome' }),
    document: output.text({ about: 'CPF ou CNPJ; mascarado quando achado pela chave' }),
    bankName: output.text({ about: 'Banco' }),
    bankCode: output.text({ about: 'Código COMPE do banco, ou o ISPB' }),
    branch: output.text({ about: 'Agência' }),
    account: output.text({ about: 'Conta' }),
    accountType: oneOf(BANK_ACCOUNT_TYPES, { about: 'Tipo da conta' }),
    count: output.count({ about: 'Quantas transferências recebeu' }),
    lastUsedAt: timestamp({ about: 'A última delas; sem nenhuma, quando foi adicionado' }),
  },
  (recipient: Recipient) => ({
    ...recipient,
    pixKey: recipient.key,
    document: shownDocument(recipient),
    bankName: bankNameOf(recipient.ispb),
    bankCode: bankCodeOf(recipient.ispb),
  }),
)

export const paidPartyView = view(
  'PaidParty',
  {
    name: output.text({ about: 'Nome' }),
    document: output.text({ about: 'CPF ou CNPJ; mascarado quando achado pela chave' }),
    pixRecipients: output.views(recipientView, { about: 'Onde já recebeu, do último ao primeiro' }),
  },
  ({ name, document, recipients }: PartyWithRecipients) => ({
    name,
    // The document is shown if the payer has entered it at least once.
    document: shownDocument({ key: recipients.some(({ key }) => key === null) ? null : '', document }),
    pixRecipients: recipients,
  }),
)
