import { failure, isLeft, issue, left, map, right } from '../../failure.ts'
import {
  type Decoded,
  type DecodedOf,
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  type InputOf,
  id,
  input,
  list,
  nullIfAbsent,
  oneOf,
  rule,
  text,
} from '../../kernel/input/mod.ts'
import type { Change } from '../../kernel/records/record.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { KEY_CHANGES, MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, CHANNELS, type NotificationRule, writableAccount } from '../accounts/account.ts'
import { type Charge, charges } from '../charges/charge.ts'
import type { Client } from '../customers/client.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { type MessageQuota, readQuota } from './message-quota.ts'
import { queueMessages, readPayers, recipientsOf, type Trigger, targetsOf } from './payer-messages.ts'

/** The most charges of a call. With three channels each, they need nearly all changes of a commit. */
const MAX_NOTIFIED = 300

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

/** The channels and the text of a notice. */
export const noticeFields = {
  channels: list(oneOf(CHANNELS), { min: 1, max: CHANNELS.length, about: 'Por onde o aviso é enviado' }),
  message: nullIfAbsent(text({ max: MAX_MESSAGE, about: 'Texto do aviso; nulo para o texto padrão' })),
}

const chargeFields = {
  ids: nullIfAbsent(list(chargeName(), { max: MAX_NOTIFIED, about: 'Ids ou códigos das cobranças' })),
  id: nullIfAbsent(chargeName({ about: 'Id ou código de uma cobrança, em vez de `ids`' })),
}

/** Without any charge the fields are valid: the failure is `charge.none-given`. */
const notBoth = rule<Decoded<typeof chargeFields>, keyof typeof chargeFields, 'only-one'>(
  ['ids', 'id'],
  ({ ids, id: one }) => (ids !== null && one !== null ? [issue('id', 'only-one', { other: 'ids' })] : []),
)

export const noticeInput = input('Notice', { ...chargeFields, ...noticeFields }, notBoth)
export type NoticeInput = InputOf<typeof noticeInput>
type Notice = DecodedOf<typeof noticeInput>

export interface Notified {
  /** The number of charges found. */
  readonly count: number
}

/** Notices are independent of earlier messages. */
export const notifyPayers = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, submitted: NoticeInput) =>
  withValidInput(ports, noticeInput, submitted, (notice) =>
    useCaseOf<Notified>()(async (hooks) => {
      const names = [...new Set([...(notice.ids ?? []), ...(notice.id === null ? [] : [notice.id])])]
      const first = await decideAndCommit(
        ports,
        (store) => readNotices(ports, store, actor, names, notice),
        (facts, fresh) =>
          names.length === 0
            ? left(failure('refused', 'charge.none-given'))
            : decideCommits(ports, facts, notice, fresh),
        ({ result, later }) => (later.length === 0 && hooks ? hooks.completed(result) : []),
      )
      if (isLeft(first)) return first
      const { result, later } = first.right
      if (later.length === 0) return right(result)
      return decideAndCommit(
        ports,
        () => null,
        () => accept(result, ...later),
        hooks?.completed,
      )
    }),
  )

interface Commits {
  readonly result: Notified
  /** The changes of the second commit, if one is needed. */
  readonly later: readonly Change[]
}

/**
 * Counts and enqueues the messages in one commit or, above its limit, counts in the first and enqueues in the second. A
 * crash between the two sends nothing, so a repetition sends nothing twice; the counted messages are lost for the day.
 */
const decideCommits = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  facts: NoticeFacts,
  notice: Notice,
  fresh: Fresh,
) => {
  const decided = decideNotices(ports, facts, notice, fresh)
  if (isLeft(decided)) return decided
  const { counting, queuing } = decided.right
  const result: Notified = { count: facts.about.length }
  return counting.length + queuing.length + KEY_CHANGES <= MAX_CHANGES_PER_COMMIT
    ? accept<Commits>({ result, later: [] }, ...counting, ...queuing)
    : accept<Commits>({ result, later: queuing }, ...counting)
}

const BY_MAIL = { channels: ['email'], message: null } as const

export interface MailedNotice {
  readonly chargeId: number
  /** Null if the account's quota is used up: the email is stored as not sent. */
  readonly email: string | null
}

export const mailPayer = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, idOrCode: string) =>
  useCase(
    ports,
    (store) => readNotices(ports, store, actor, [idOrCode], BY_MAIL),
    (facts, fresh) => {
      const decided = decideNotices(ports, facts, BY_MAIL, fresh)
      if (isLeft(decided)) return decided
      const { counting, queuing, reasons } = decided.right
      const [about] = facts.about
      const email = about?.client.email ?? null
      if (!about || email === null || queuing.length === 0) return left(failure('refused', 'client.no-email'))
      const isSent = reasons[0] === null
      return accept<MailedNotice>({ chargeId: about.charge.id, email: isSent ? email : null }, ...counting, ...queuing)
    },
  )

type NoticeText = Pick<Notice, 'channels' | 'message'>

interface NoticeFacts {
  readonly account: Account | null
  readonly about: readonly { readonly charge: Charge; readonly client: Client }[]
  readonly quota: MessageQuota
}

/** Reads the account's charges with these ids or codes, each once and none deleted, and the quota of their payers. */
const readNotices = async (
  ports: PaymentsPorts,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  names: readonly string[],
  text: NoticeText,
): Promise<NoticeFacts> => {
  const about = await readAbout(store, accountId, names)
  const rule = asRule(text)
  const recipients = about.flatMap(({ client }) => recipientsOf({ client, rule }))
  return {
    about,
    account: await store.find(byId(accounts, accountId)),
    quota: await readQuota(ports, store, accountId, recipients),
  }
}

const readAbout = async (store: Store, accountId: number, names: readonly string[]): Promise<NoticeFacts['about']> => {
  const found = await store.read(
    Object.fromEntries(
      names.map((name) => {
        const id = parseId(name)
        return [name, id === null ? byKey(charges, 'code', name) : byId(charges, id)]
      }),
    ),
  )
  // A charge may be named by its id and by its code.
  const own = new Map<number, Charge>()
  for (const charge of Object.values(found))
    if (charge?.accountId === accountId && charge.status !== 'DELETED') own.set(charge.id, charge)
  const payers = await readPayers(store, [...own.values()])
  return [...own.values()].flatMap((charge) => {
    const client = payers.get(charge.clientId)
    return client ? [{ charge, client }] : []
  })
}

/** Enqueues the notices. All attempts of a call draw the same ids, so no message is sent twice. */
const decideNotices = (
  { cipher, settings: { publicUrl } }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  { about, quota, ...facts }: NoticeFacts,
  text: NoticeText,
  fresh: Fresh,
) => {
  const writable = writableAccount(facts.account)
  if (isLeft(writable)) return writable
  const account = writable.right
  if (about.length === 0) return left(failure('not-found', 'charge.unknown'))
  const call = fresh.uuid()
  const rule = asRule(text)
  const { steady, today } = fresh
  const payers = about.map((each) => {
    const notice: Trigger = { name: 'notice', rule, ...each, account, paidCents: null, publicUrl, steady, today }
    return { about: notice, targets: targetsOf(notice, `${each.charge.id}|notice|${call}`) }
  })
  return right(queueMessages(cipher, fresh, quota, payers))
}

const asRule = ({ channels, message }: NoticeText): NotificationRule => ({
  enabled: true,
  channels,
  message,
  days: null,
})
