import { join } from 'node:path'
import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import { memorySender } from '../../../../adapters/memory/memory-services.ts'
import { outboxMessenger } from '../../../../adapters/messaging/outbox.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { left } from '../../../../core/failure.ts'
import { unavailable } from '../../../../core/kernel/running/use-case.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import type { Bank, BankAnswer } from '../../../../core/ports/bank.ts'
import type { Mail, WebhookAnswer } from '../../../../core/ports/messaging.ts'

/** A notification handler of an unreachable platform. */
export const unreachable = () => async () => left(unavailable('store.unavailable'))

/** Addresses that accept no message. */
export const UNREACHED = { email: 'ninguem@example.com', phone: '+55 51 90000-0000' }
/** Receivers of webhooks, by what they answer. */
export const HOOKS = {
  fine: 'https://loja.example/webhooks',
  gone: 'https://foi-se.example/webhooks',
  down: 'https://fora-do-ar.example/webhooks',
}

/** The behaviour of the bank; `held`: the answer comes when it is released. */
type Mood = 'fine' | 'refused' | 'away' | 'held'

interface Moods {
  readonly accounts: Mood
  readonly titles: Mood
}

/** The systems outside of the platform. */
export interface Outside {
  readonly ports: (host: Host) => Partial<PaymentsPorts>
  /** Sets the behaviour of the bank for accounts and titles. */
  mood(moods: Partial<Moods>): void
  /** Resolves once the bank holds this number of answers. */
  held(count: number): Promise<void>
  letGo(): void
  /** Returns the text of the last mail to the address. */
  mailTo(email: string): string
}

const answers: Readonly<Record<Exclude<Mood, 'fine' | 'held'>, BankAnswer<never>>> = {
  refused: { outcome: 'refused', reason: 'Documento irregular.' },
  away: { outcome: 'unavailable' },
}

const answerOf = ({ url }: { readonly url: string }): WebhookAnswer => {
  if (url.startsWith(HOOKS.down)) return { status: 503, body: 'manutenção', retryAfterSeconds: null }
  return { status: url.startsWith(HOOKS.gone) ? 410 : 200, body: '', retryAfterSeconds: null }
}

/** Builds readable mails, receivers that fail, and a bank with adjustable behaviour. */
export const outside = (): Outside => {
  const sent: Mail[] = []
  const waiting: (() => void)[] = []
  let moods: Moods = { accounts: 'fine', titles: 'fine' }
  const moody = <A>(mood: Mood, ask: () => Promise<BankAnswer<A>>): Promise<BankAnswer<A>> => {
    if (mood === 'fine') return ask()
    if (mood !== 'held') return Promise.resolve(answers[mood])
    return new Promise((resolve) => waiting.push(() => resolve({ outcome: 'unknown' })))
  }
  const post = async (mail: Mail): Promise<void> => {
    if (mail.to === UNREACHED.email) throw new Error('450 mailbox unavailable')
    sent.push(mail)
  }
  return {
    ports: ({ settings, store, ids, clock, random }) => {
      const bank = fakeBank({ store, ids, clock, random })
      const openAccount: Bank['openAccount'] = (order) => moody(moods.accounts, () => bank.openAccount(order))
      const createTitle: Bank['createTitle'] = (order) => moody(moods.titles, () => bank.createTitle(order))
      const outbox = outboxMessenger({ directory: join(settings.DATA_DIR, 'outbox') })
      return {
        bank: { ...bank, openAccount, createTitle },
        mailer: { send: post },
        tenantMailer: { send: post },
        messenger: {
          send: async (message) => {
            if (message.to === UNREACHED.phone) throw new Error('no such number')
            await outbox.send(message)
          },
        },
        webhooks: memorySender(answerOf),
      }
    },
    mood: (next) => {
      moods = { ...moods, ...next }
    },
    held: async (count) => {
      while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
    letGo: () => {
      for (const go of waiting.splice(0)) go()
    },
    mailTo: (email) => sent.findLast(({ to }) => to === email)?.text ?? '',
  }
}
