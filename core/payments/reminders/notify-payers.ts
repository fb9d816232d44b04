import { failure, issue } from '../../failure.ts'
import { isLeft, left, map, right } from '../../fp.ts'
import { type Field, type FieldOptions, field, type InputCode, list, nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { rule } from '../../kernel/input/rules.ts'
import { id, oneOf } from '../../kernel/input/scalars.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import { text } from '../../kernel/input/texts.ts'
import type { Change } from '../../kernel/records/change.ts'
import { isIn } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, decideAndCommit, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { KEY_CHANGES, MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import { byId, byKey, listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts, takesWrites } from '../accounts/account.ts'
import { CHANNELS, type NotificationRule } from '../accounts/settings.ts'
import type { Actor } from '../actor.ts'
import { type Charge, charges } from '../charges/charge.ts'
import { type Client, clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type MessageQuota, readQuota } from './message-quota.ts'
import type { Trigger } from './notice.ts'
import { queueMessages, recipientsOf, targetsOf } from './payer-messages.ts'

/** Charges of one call: by three channels each, nearly what one commit may change. */
export const MAX_NOTIFIED = 300

const MAX_MESSAGE = 1_000
const MAX_NAME = 50

const name = text({ max: MAX_NAME })
const number = id()

/** The id of a charge, as a number or a text, or its code. */
const chargeName = (about: FieldOptions = {}): Field<string, string | number> =>
  field<string, string | number, InputCode>(
    {
      name: 'charge',
      schema: { anyOf: [number.schema, name.schema] },
      is: name.is,
      read: (sent) => (typeof sent === 'number' ? map(String)(number.read(sent)) : name.read(sent)),
    },
    about,
  )

/** How payers are told. */
export const noticeFields = {
  channels: list(oneOf(CHANNELS), { min: 1, max: CHANNELS.length, about: 'Por onde o aviso é enviado' }),
  message: nullIfAbsent(text({ max: MAX_MESSAGE, about: 'Texto do aviso; nulo para o texto padrão' })),
}

const named = {
  ids: nullIfAbsent(list(chargeName(), { max: MAX_NOTIFIED, about: 'Ids ou códigos das cobranças' })),
  id: nullIfAbsent(chargeName({ about: 'Id ou código de uma cobrança, em vez de `ids`' })),
}

/** None at all is no wrong field: that is told otherwise. */
const notBoth = rule<Decoded<typeof named>, keyof typeof named, 'only-one'>(['ids', 'id'], ({ ids, id: one }) =>
  ids !== null && one !== null ? [issue('id', 'only-one', { other: 'ids' })] : [],
)

/** Source: 02-billing.md, Charges: notify. */
export const noticeInput = input('Notice', { ...named, ...noticeFields }, notBoth)

export type NoticeInput = InputOf<typeof noticeInput>
export type Notice = DecodedOf<typeof noticeInput>

/** How many charges it was about. */
export interface Notified {
  readonly count: number
}

/**
 * Tells the payers of some charges how they stand, by each channel once, whatever else they were told; unknown charges are
 * skipped, and so is who cannot be reached by a channel. What is over what the account may send is kept as not sent.
 * Fails: `fields`, `charge.none-given`, `charge.unknown` (none of them is the account's, or all are deleted),
 * `account.unknown`, `organization.inactive`.
 * Source: 02-billing.md, Charges; decisions.md §9 and §12, Fair shares.
 */
export const notifyPayers = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, given: NoticeInput) =>
  withValidInput(ports, noticeInput, given, (asked) =>
    useCaseOf<Notified>()(async (hooks) => {
      const names = namesIn(asked)
      const first = await decideAndCommit(
        ports,
        (store) => readNotices(ports, store, actor, names, asked),
        (facts, fresh) =>
          names.length === 0
            ? left(failure('refused', 'charge.none-given'))
            : decideCommits(ports, facts, asked, fresh),
        ({ told, later }) => (later.length === 0 && hooks ? hooks.completed(told) : []),
      )
      if (isLeft(first)) return first
      const { told, later } = first.right
      if (later.length === 0) return right(told)
      return decideAndCommit(
        ports,
        () => null,
        () => accept(told, ...later),
        hooks?.completed,
      )
    }),
  )

const namesIn = ({ ids, id }: Pick<Notice, 'ids' | 'id'>): readonly string[] => [
  ...new Set([...(ids ?? []), ...(id === null ? [] : [id])]),
]

interface Commits {
  readonly told: Notified
  /** What the first commit has no place for. */
  readonly later: readonly Change[]
}

/**
 * One commit, or where that is too small two: first what is counted, then what is sent. Whoever dies between them has told
 * nobody, so that a repeat tells nobody twice; it costs what was counted of that day.
 */
const decideCommits = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  facts: NoticeFacts,
  asked: Notice,
  fresh: Fresh,
) => {
  const made = decideNotices(ports, facts, asked, fresh)
  if (isLeft(made)) return made
  const { counting, queuing } = made.right
  const told: Notified = { count: facts.about.length }
  return counting.length + queuing.length + KEY_CHANGES <= MAX_CHANGES_PER_COMMIT
    ? accept<Commits>({ told, later: [] }, ...counting, ...queuing)
    : accept<Commits>({ told, later: queuing }, ...counting)
}

const BY_MAIL = { channels: ['email'], message: null } as const

/** What was mailed, and to whom. */
export interface MailedNotice {
  readonly chargeId: number
  /** Null where it is over what the account may send: it is kept, and not sent. */
  readonly email: string | null
}

/**
 * Mails the payer of a charge, by its id or code, how it stands.
 * Fails: `charge.unknown` (a deleted one too), `client.no-email` (nor is who was removed told anything), `account.unknown`,
 * `organization.inactive`.
 * Source: 02-billing.md, Charges; decisions.md §9 and §12, Fair shares.
 */
export const mailPayer = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, idOrCode: string) =>
  useCase(
    ports,
    (store) => readNotices(ports, store, actor, [idOrCode], BY_MAIL),
    (facts, fresh) => decideMail(ports, facts, fresh),
  )

const decideMail = (ports: Pick<PaymentsPorts, 'cipher' | 'settings'>, facts: NoticeFacts, fresh: Fresh) => {
  const made = decideNotices(ports, facts, BY_MAIL, fresh)
  if (isLeft(made)) return made
  const { counting, queuing, reasons } = made.right
  const [{ charge, client } = NOBODY] = facts.about
  const email = client?.email ?? null
  // Who cannot be reached is told nothing.
  if (!charge || email === null || queuing.length === 0) return left(failure('refused', 'client.no-email'))
  const isSent = reasons[0] === null
  return accept<MailedNotice>({ chargeId: charge.id, email: isSent ? email : null }, ...counting, ...queuing)
}

const NOBODY: Partial<NoticeFacts['about'][number]> = {}

/** How payers are told. */
type NoticeText = Pick<Notice, 'channels' | 'message'>

/** A charge whose payer is to be told. */
interface AboutCharge {
  readonly charge: Charge
  readonly client: Client
}

/** What is told is decided on. */
export interface NoticeFacts {
  readonly account: Account | null
  readonly about: readonly AboutCharge[]
  readonly quota: MessageQuota
}

/** Reads the account's charges of these ids or codes that are not deleted, each once, and what their payers may be told. */
export const readNotices = async (
  ports: PaymentsPorts,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  names: readonly string[],
  words: NoticeText,
): Promise<NoticeFacts> => {
  const about = await readAbout(store, accountId, names)
  const rule = asRule(words)
  const recipients = about.flatMap(({ client }) => recipientsOf({ client, rule }))
  return {
    about,
    account: await store.find(byId(accounts, accountId)),
    quota: await readQuota(ports, store, accountId, recipients),
  }
}

const readAbout = async (
  store: Store,
  accountId: number,
  names: readonly string[],
): Promise<readonly AboutCharge[]> => {
  const found = await store.read(
    Object.fromEntries(
      names.map((name) => {
        const id = parseId(name)
        return [name, id === null ? byKey(charges, 'code', name) : byId(charges, id)]
      }),
    ),
  )
  const own = Object.values(found).filter(
    (charge) => charge !== null && charge.accountId === accountId && charge.status !== 'DELETED',
  )
  // One that is named by its id and by its code is told of once.
  const about = [...new Map(own.flatMap((charge) => (charge ? [[charge.id, charge] as const] : []))).values()]
  const payerIds = [...new Set(about.map(({ clientId }) => clientId))]
  const payers =
    payerIds.length === 0
      ? []
      : (await store.list(listOf(clients, { where: isIn('id', payerIds), limit: payerIds.length }))).records
  const payerOf = new Map(payers.map((client) => [client.id, client]))
  return about.flatMap((charge) => {
    const client = payerOf.get(charge.clientId)
    return client ? [{ charge, client }] : []
  })
}

/** What each payer is told; its ids are drawn once for all attempts, so that nothing is told twice. */
export const decideNotices = (
  { cipher, settings: { publicUrl } }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  { account, about, quota }: NoticeFacts,
  words: NoticeText,
  fresh: Fresh,
) => {
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (!takesWrites(account)) return left(failure('forbidden', 'organization.inactive'))
  if (about.length === 0) return left(failure('not-found', 'charge.unknown'))
  const call = fresh.uuid()
  const rule = asRule(words)
  const { steady, today } = fresh
  const told = about.map((each) => {
    const notice: Trigger = { name: 'notice', rule, ...each, account, paidCents: null, publicUrl, steady, today }
    return { about: notice, ways: targetsOf(notice, `${each.charge.id}|notice|${call}`) }
  })
  return right(queueMessages(cipher, fresh, quota, told))
}

const asRule = ({ channels, message }: NoticeText): NotificationRule => ({
  enabled: true,
  channels,
  message,
  days: null,
})
