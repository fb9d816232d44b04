import { memoryMailer, memoryMessenger } from '../../../../adapters/memory/memory-services.ts'
import { always, ensure, insert } from '../../../../core/kernel/records/record.ts'
import type { Queue } from '../../../../core/kernel/running/queue.ts'
import { addDays, dayOf } from '../../../../core/kernel/values/day.ts'
import {
  type Account,
  NO_RULES,
  type NotificationRule,
  type NotificationRules,
  type RuleName,
} from '../../../../core/payments/accounts/account.ts'
import { type Charge, charges, lapsesAtOf } from '../../../../core/payments/charges/charge.ts'
import { type Client, clients } from '../../../../core/payments/customers/client.ts'
import { mails, messages } from '../../../../core/payments/office.ts'
import type { Trigger } from '../../../../core/payments/reminders/payer-messages.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'
import { failing } from '../../kernel/running/tasks.ts'
import { aCharge, aClient } from '../records.ts'
import { installation, openAccount, processOf, START } from '../webhooks/webhook-fixtures.ts'
import { NOW } from '../world.ts'

export const PHONE = '+55 11 99999-0000'

export const aRule = (over: Partial<NotificationRule> = {}): NotificationRule => ({
  enabled: true,
  message: null,
  channels: ['email'],
  days: null,
  ...over,
})

export const rulesOf = (rules: Partial<NotificationRules>): NotificationRules => ({ ...NO_RULES, ...rules })

/** A payer with a phone. */
export const aPayer = (over: Partial<Client> = {}): Client => ({ ...aClient, phone: PHONE, ...over })

export const aTrigger = (name: RuleName, over: Partial<Trigger> = {}): Trigger => ({
  name,
  rule: aRule(),
  account: { id: 1, name: 'Escola Aurora' },
  charge: aCharge(),
  client: aPayer(),
  paidCents: null,
  publicUrl: 'https://pay.example.com',
  steady: NOW,
  today: dayOf(NOW),
  ...over,
})

/** An account (1) in memory whose mails and messages are recorded. */
export const reminding = async (fields: Partial<Account> = {}, at = START) => {
  const [mailer, messenger] = [memoryMailer(), memoryMessenger()]
  const base = installation({ mailer, messenger })
  const { clock, store } = base
  clock.set(at)
  const process = processOf(base)
  await openAccount(process.ports, 1, { name: 'Escola Aurora', ...fields })
  return {
    ...{ ...base, ...process, mailer, messenger },
    drainAt: async (instant: string) => {
      clock.set(instant)
      await process.worker.drain()
    },
    /** Claims the first due record of a queue, and returns its work. */
    claim: async (queue: Queue) => {
      const [first] = await queue.due(store, clock.now(), 1)
      const work = await first?.claim(store, clock.now())
      if (!work) throw new Error('nothing is due')
      return () => work(failing)
    },
  }
}

/** The charges of one payer, below the limit of messages to one recipient. */
const CHARGES_A_PAYER = 4

/** Returns the payer of the charge at an index. */
const payerAt = (index: number): Client => {
  const number = Math.floor(index / CHARGES_A_PAYER)
  if (number === 0) return aPayer()
  const code = `cliente-${number}`
  return aPayer({
    id: aClient.id + number,
    code,
    document: null,
    email: `${code}@example.com`,
    phone: `11 9${8e7 + number}`,
  })
}

/** Stores charges that are due `inDays` after `day`. */
export const owe = async (store: Store, day: string, dues: readonly (Partial<Charge> & { inDays: number })[]) => {
  const made = dues.map(({ inDays, ...over }, index) => {
    const dueDate = addDays(day, inDays)
    const id = 7 + index
    return aCharge({
      id,
      clientId: payerAt(index).id,
      code: `c${id}`,
      txid: `t${id}`,
      dueDate,
      lapsesAt: lapsesAtOf({ paymentMethod: 'PIX', dueDate }),
      ...over,
    })
  })
  const outcome = await store.commit([
    ...dues.map((_, index) => ensure(clients, payerAt(index))),
    ...made.map((charge) => insert(charges, charge)),
  ])
  if (!outcome.ok) throw new Error('the charges were not stored')
}

export const mailsIn = async (store: Store) =>
  (await store.list(listOf(mails, { where: always, limit: 1_000 }))).records

export const messagesIn = async (store: Store) =>
  (await store.list(listOf(messages, { where: always, limit: 1_000 }))).records
