import { type SetClock, setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryMailer, memoryMessenger, memorySender } from '../../../../adapters/memory/memory-services.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always, insert, type Json } from '../../../../core/kernel/records/record.ts'
import type { Sweep } from '../../../../core/kernel/running/jobs.ts'
import { freshOf } from '../../../../core/kernel/running/use-case.ts'
import { type Account, accounts, newSecrets } from '../../../../core/payments/accounts/account.ts'
import { type EventType, events, recordEvent } from '../../../../core/payments/events.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { type Delivery, deliveries } from '../../../../core/payments/webhooks/deliveries.ts'
import type { WebhookAnswer, WebhookSender } from '../../../../core/ports/messaging.ts'
import { listOf, type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import { anAccount } from '../records.ts'
import { openPayments } from '../world.ts'

type WebhookRequest = Parameters<WebhookSender['post']>[0]

export const URL_OF_ACCOUNT = 'https://loja.test/hook'

export const START = '2026-11-21T12:00:00.000Z'

export const storeOf = (): Store => memoryStore(paymentsCollections)

/** The parts that all processes of an installation share. */
interface Installation
  extends Pick<PaymentsPorts, 'store' | 'webhooks' | 'mailer' | 'messenger'>,
    Partial<Pick<PaymentsPorts, 'tenantMailer'>> {
  readonly clock: SetClock
}

export const installation = (parts: Partial<Installation> = {}) => ({
  store: storeOf(),
  clock: setClock(START),
  webhooks: memorySender(),
  mailer: memoryMailer(),
  messenger: memoryMessenger(),
  ...parts,
})

let seed = 0

const worldOf = ({ store, clock, ...instead }: Installation) => {
  seed += 1
  return openPayments({ store, clock, seed, instead: () => instead })
}

export const portsOf = (of: Installation): PaymentsPorts => worldOf(of).ports

/** One process of an installation. */
export const processOf = (of: Installation, { sweeps = [] }: { readonly sweeps?: readonly Sweep[] } = {}) => {
  const reports: [unknown, string][] = []
  const { pay } = worldOf(of)
  const worker = pay.worker({
    report: (error, at) => void reports.push([error, at]),
    parts: [{ sweeps, jobs: () => [] }],
  })
  return { ports: pay.ports, worker, prepare: worker.prepare, reports }
}

export const freshIn = (ports: PaymentsPorts) => freshOf(ports).fresh

/** Stores an account with secrets of its own. */
export const openAccount = async (
  ports: PaymentsPorts,
  id: number,
  fields: Partial<Account> = {},
): Promise<Account> => {
  const own = { id, uuid: `00000000-0000-4000-8000-${`${id}`.padStart(12, '0')}`, codeAccount: `conta-${id}` }
  const { sealed } = newSecrets(ports.cipher, freshIn(ports), id)
  const account = anAccount({
    ...own,
    ...sealed,
    name: 'Loja',
    account: '1',
    createdAt: START,
    updatedAt: START,
    ...fields,
  })
  await ports.store.commit([insert(accounts, account)])
  return account
}

export const happen = async (
  ports: PaymentsPorts,
  about: {
    readonly accountId: number
    readonly type?: EventType
    readonly urls?: readonly string[]
    readonly data?: Json
  },
): Promise<void> => {
  const { accountId, type = 'charge.paid', urls = [], data = { id: 1 } } = about
  const outcome = await ports.store.commit([recordEvent(freshIn(ports), type, { accountId, subjectId: 1, data, urls })])
  if (!outcome.ok) throw new Error('the event was not kept')
}

export const deliveriesIn = async (store: Store) =>
  (await store.list(listOf(deliveries, { where: always, limit: 10_000 }))).records

export const eventsIn = async (store: Store) =>
  (await store.list(listOf(events, { where: always, limit: 10_000 }))).records

/** An installation with one process, and the accounts 1, 2 and so on with these webhook URLs. */
export const running = async (webhookUrls: readonly (string | null)[], parts: Partial<Installation> = {}) => {
  const installed = installation(parts)
  const process = processOf(installed)
  for (const [index, webhookUrl] of webhookUrls.entries()) await openAccount(process.ports, index + 1, { webhookUrl })
  return {
    ...installed,
    ...process,
    installed,
    happen: (accountId: number, about: Omit<Parameters<typeof happen>[1], 'accountId'> = {}) =>
      happen(process.ports, { accountId, ...about }),
    stored: () => deliveriesIn(installed.store),
    events: () => eventsIn(installed.store),
  }
}

/** One event of an account with a URL, and its delivery; `answer` replies for the receiver. */
export const aDelivery = async (
  answer: (request: WebhookRequest, tries: number) => WebhookAnswer,
  type: EventType = 'charge.paid',
) => {
  const tries: string[] = []
  const base = installation()
  const { clock, store } = base
  const webhooks = memorySender((request) => {
    tries.push(clock.now())
    return answer(request, tries.length)
  })
  const process = processOf({ ...base, webhooks })
  const account = await openAccount(process.ports, 1, { webhookUrl: URL_OF_ACCOUNT })
  await happen(process.ports, { accountId: 1, type, data: { description: 'Ação' } })
  const only = async (): Promise<Delivery> => {
    const [delivery, ...more] = await deliveriesIn(store)
    if (!delivery || more.length > 0) throw new Error('not one delivery')
    return delivery
  }
  /** Works from due time to due time until nothing is due. */
  const live = async (): Promise<void> => {
    await process.worker.drain()
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const { dueAt } = await only()
      if (dueAt === null) return
      if (dueAt > clock.now()) clock.set(dueAt)
      await process.worker.drain()
    }
    throw new Error('it never ends')
  }
  return { ...process, store, clock, webhooks, tries, account, only, live }
}

/** The store of a process that dies in a commit, before or after it was durable: nothing of it happens afterwards. */
export const mortal = (store: Store, diesAt: number, when: 'before' | 'after') => {
  const state = { commits: 0, isDead: false }
  const alive = <A>(ask: () => Promise<A>): Promise<A> =>
    state.isDead ? Promise.reject(new StoreUnavailable('dead')) : ask()
  const commit: Store['commit'] = async (changes, hooks) => {
    state.commits += 1
    if (state.commits !== diesAt) return store.commit(changes, hooks)
    state.isDead = true
    if (when === 'after') await store.commit(changes, hooks)
    throw new StoreUnavailable('dying')
  }
  const dying: Store = {
    ...store,
    find: (ask) => alive(() => store.find(ask)),
    list: (ask) => alive(() => store.list(ask)),
    read: (asks) => alive(() => store.read(asks)),
    reserve: (...args) => alive(() => store.reserve(...args)),
    commit: (changes, hooks) => alive(() => commit(changes, hooks)),
  }
  return { store: dying, state }
}
