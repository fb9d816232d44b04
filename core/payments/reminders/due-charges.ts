import { all, eq, gt, isIn } from '../../kernel/records/where.ts'
import type { Day, Instant } from '../../kernel/values/day.ts'
import { byId, type List, listOf, type Store } from '../../ports/store.ts'
import { type Account, takesWrites } from '../accounts/account.ts'
import type { NotificationRule } from '../accounts/settings/account-settings.ts'
import { DUE_RULES, type DueRule, dueDateFor, type Place } from '../accounts/settings/reminders.ts'
import { type Charge, charges, statusAt } from '../charges/charge.ts'
import { isPayerVeiled } from '../charges/find-charge.ts'
import { type Client, clients } from '../customers/client.ts'
import { mails } from '../office/mails.ts'
import { messages } from '../office/messages.ts'
import { type Way, waysTo } from './tell-payer.ts'

/** Charges looked at in one commit: with three channels each, a fraction of what one may change. */
export const CHARGES_A_SLICE = 50

/** A payer who is to be reminded of a charge, by the ways that were not gone before. */
export interface Reminded {
  readonly name: DueRule
  readonly rule: NotificationRule
  readonly charge: Charge
  readonly client: Client
  readonly ways: readonly Way[]
}

/** A part of a day's reminders, and where the next one begins; null where there is none. */
export interface Slice {
  readonly reminded: readonly Reminded[]
  readonly next: Place | null
}

type Field = keyof Charge & string

/** Charges of an account by their due date, by id. */
export const dueOnDay = (accountId: number, dueDate: Day, afterId: number, limit: number): List<Charge> =>
  listOf(charges, {
    where: all(eq<Field>('accountId', accountId), eq('dueDate', dueDate), gt('id', afterId)),
    when: 'listed',
    sort: { by: 'dueDate', dir: 'asc' },
    limit,
  })

/** What of these was told before, by the ids of what was sent. */
export const mailsOf = (ids: readonly string[]) => listOf(mails, { where: isIn('id', ids), limit: ids.length })
export const messagesOf = (ids: readonly string[]) => listOf(messages, { where: isIn('id', ids), limit: ids.length })

/**
 * Reports whether a rule may remind the payer of a charge: of a pending one that has its title, and after the due day of an
 * expired one too, since a Pix expires with its last day.
 */
export const isRemindable = (name: DueRule, charge: Charge, now: Instant): boolean => {
  const status = statusAt(charge, now)
  if (status === 'pending') return charge.pix !== null
  return status === 'expired' && name === 'after_due'
}

/** Nobody is reminded in the name of an account that takes no writes. */
export const readSlice = async (store: Store, account: Account | null, from: Place, now: Instant): Promise<Slice> => {
  if (!account || !takesWrites(account)) return { reminded: [], next: null }
  const { found, next } = await readCharges(store, account, from)
  const about = found.filter(({ name, charge }) => isRemindable(name, charge, now))
  const payers = await readPayers(store, about)
  const reminded = about.flatMap((each): readonly Reminded[] => {
    const client = payers.get(each.charge.clientId)
    const cause = `${each.charge.id}|${each.name}|${from.day}`
    const isTold = client && !isPayerVeiled({ charge: each.charge, client })
    return isTold ? [{ ...each, client, ways: waysTo({ client, rule: each.rule }, cause) }] : []
  })
  const told = await readTold(store, reminded)
  const left = reminded.map((each) => ({ ...each, ways: each.ways.filter(({ id }) => !told.has(id)) }))
  return { reminded: left.filter(({ ways }) => ways.length > 0), next }
}

interface Found {
  readonly name: DueRule
  readonly rule: NotificationRule
  readonly charge: Charge
}

const readCharges = async (
  store: Store,
  { id: accountId, notificationRules }: Account,
  { day, rule: first, afterId }: Place,
): Promise<{ readonly found: readonly Found[]; readonly next: Place | null }> => {
  const found: Found[] = []
  for (const name of DUE_RULES.slice(DUE_RULES.indexOf(first))) {
    const rule = notificationRules?.[name]
    if (!rule?.enabled || rule.channels.length === 0) continue
    const room = CHARGES_A_SLICE - found.length
    const after = name === first ? afterId : 0
    const { records } = await store.list(dueOnDay(accountId, dueDateFor(name, rule, day), after, room))
    found.push(...records.map((charge) => ({ name, rule, charge })))
    const last = records.at(-1)
    if (last && records.length === room) return { found, next: { day, rule: name, afterId: last.id } }
  }
  return { found, next: null }
}

const readPayers = async (store: Store, about: readonly Found[]): Promise<ReadonlyMap<number, Client>> => {
  const ids = [...new Set(about.map(({ charge }) => charge.clientId))]
  const payers = await store.read(Object.fromEntries(ids.map((id) => [id, byId(clients, id)])))
  return new Map(Object.values(payers).flatMap((client) => (client ? [[client.id, client]] : [])))
}

/** Rules that changed in the middle of a day may lead past a charge again. */
const readTold = async (store: Store, reminded: readonly Reminded[]): Promise<ReadonlySet<string>> => {
  const ids = reminded.flatMap(({ ways }) => ways.map(({ id }) => id))
  if (ids.length === 0) return new Set()
  const { mailed, sent } = await store.read({ mailed: mailsOf(ids), sent: messagesOf(ids) })
  return new Set([...mailed.records, ...sent.records].map(({ id }) => id))
}
