import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Cipher } from '../../ports/cipher.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Account } from '../accounts/account.ts'
import type { RuleName } from '../accounts/settings/account-settings.ts'
import { type Charge, charges } from '../charges/charge.ts'
import { type Client, clients } from '../customers/client.ts'
import type { Event, EventType } from '../outbox/event.ts'
import { tellPayer, waysTo } from './tell-payer.ts'
import type { Rule } from './trigger.ts'

/** Source: decisions.md §3, Notification rules. */
const FIRED: Readonly<Partial<Record<EventType, RuleName>>> = {
  'charge.created': 'on_creation',
  'charge.paid': 'on_payment',
  'charge.updated': 'on_update',
  'charge.deleted': 'on_delete',
}

/** A rule that an event fires, with whom and what it is about. */
export interface Fired {
  readonly name: RuleName
  readonly rule: Rule
  readonly charge: Charge
  readonly client: Client
}

/** What an event fires; null for most, of which nothing more is read. */
export const readFired = async (
  store: Store,
  { type, subjectId }: Pick<Event, 'type' | 'subjectId'>,
  account: Pick<Account, 'notificationRules'> | null,
): Promise<Fired | null> => {
  const name = FIRED[type]
  const rule = name === undefined ? null : (account?.notificationRules?.[name] ?? null)
  if (name === undefined || !rule?.enabled) return null
  const charge = await store.find(byId(charges, subjectId))
  const client = charge && (await store.find(byId(clients, charge.clientId)))
  return charge && client && { name, rule, charge, client }
}

/** The changes that tell the payer what happened, once for each channel. */
export const fire = (
  cipher: Cipher,
  fresh: Fresh,
  { id, amountPaidCents }: Pick<Event, 'id' | 'amountPaidCents'>,
  account: Pick<Account, 'id' | 'name'>,
  fired: Fired,
): readonly Change[] => {
  const about = { ...fired, account, paidCents: amountPaidCents, now: fresh.now, today: fresh.today }
  return tellPayer(cipher, fresh, about, waysTo(about, id))
}
