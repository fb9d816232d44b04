import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { isIn } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, byKey, listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts, takesWrites } from '../accounts/account.ts'
import type { NotificationRule } from '../accounts/settings/account-settings.ts'
import type { Actor } from '../actor.ts'
import { type Charge, charges } from '../charges/charge.ts'
import { type Client, clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { AskedNotice } from './asked-notice.ts'
import { type MessageQuota, readQuota } from './quota/message-quota.ts'
import { recipientsOf, tellPayers, waysTo } from './tell-payer.ts'
import type { Trigger } from './trigger.ts'

/** How payers are told. */
type Words = Pick<AskedNotice, 'channels' | 'message'>

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
  words: Words,
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
  words: Words,
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
    return { about: notice, ways: waysTo(notice, `${each.charge.id}|notice|${call}`) }
  })
  return right(tellPayers(cipher, fresh, quota, told))
}

const asRule = ({ channels, message }: Words): NotificationRule => ({ enabled: true, channels, message, days: null })
